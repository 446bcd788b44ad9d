/** `hookd completion`: a few lines for a shell, which ask hookd itself what may come next. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** yargs' own: before the words of a command line that is not finished it prints what may come last, and ends. */
export const COMPLETE = '--get-yargs-completions';

/** The entry of the command that needs no word. */
const NO_WORD = "grep -v '^\\$0'";

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# hookd: for ~/.bashrc, or: eval "$(hookd completion bash)"
_hookd_completions() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(SHELL=bash hookd ${COMPLETE} hookd "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | ${NO_WORD})" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _hookd_completions hookd`,
  zsh: `#compdef hookd
# hookd: for ~/.zshrc, after compinit, or: eval "$(hookd completion zsh)"
_hookd() {
  local -a found
  found=("\${(@f)$(SHELL=bash hookd ${COMPLETE} hookd "\${(@)words[2,CURRENT]}" 2>/dev/null | ${NO_WORD})}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _hookd hookd`,
  fish: `# hookd: for ~/.config/fish/completions/hookd.fish
complete -c hookd -a '(SHELL=bash hookd ${COMPLETE} hookd (commandline -opc)[2..] (commandline -ct) 2>/dev/null | string match -v "\\$0")'`,
};

export function completionScript(shell: Shell | undefined, env: NodeJS.ProcessEnv): string {
  const named = (env['SHELL'] ?? '').split('/').at(-1);
  return SCRIPTS[shell ?? SHELLS.find((one) => one === named) ?? 'bash'];
}
