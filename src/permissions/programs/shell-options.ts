/** Options of shells that change which files a pattern fits, or what the words after them mean. */

/** Of bash, by `shopt`, `set -o` or when it starts. */
const OF_BASH =
  /^(?:dotglob|nocaseglob|nocasematch|globasciiranges|globskipdots|cdable_vars|cdspell|histexpand|posix|BASH\w*|\$.*)$/;

/** Of zsh, which takes no notice of case and underscores: these only stop or say more, or fit fewer files. */
const HARMLESS_IN_ZSH =
  /^(?:no)?(?:errexit|errreturn|nounset|unset|pipefail|xtrace|verbose|nomatch|nullglob|noglob|clobber|extendedglob|warncreateglobal|localoptions|monitor|notify|bgnice|hup|beep)$/;

const ZSH_BUILTINS = new Set(['setopt', 'unsetopt', 'emulate']);

/** Why the words of a call may make patterns and words after it mean something else. */
export function changedMeaning(name: string, args: readonly string[]): string | undefined {
  return CHANGES.get(name)?.(args) === true ? `${name} changes what patterns and words mean` : undefined;
}

const isOption = (arg: string): boolean => /^[-+]/.test(arg);
const plain = (option: string): string => option.toLowerCase().replaceAll('_', '');

/** `-o name`, `-oname`: what is set by its name. */
const namesIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg, index) => {
    const glued = /^[-+][A-Za-z]*?[oO](.+)$/.exec(arg)?.[1];
    if (glued !== undefined) return [glued, args[index + 1] ?? ''].filter((option) => /^\w/.test(option));
    return /^[-+][A-Za-z]*[oO]$/.test(args[index - 1] ?? '') ? [arg] : [];
  });

const changesZsh = (option: string): boolean => !HARMLESS_IN_ZSH.test(plain(option));

const CHANGES: ReadonlyMap<string, (args: readonly string[]) => boolean> = new Map([
  ['shopt', (args) => args.some((arg) => OF_BASH.test(arg))],
  // `set -H` is for `!!`, `set -4` is of zsh, where it is for hidden files.
  [
    'set',
    (args) =>
      namesIn(args).some(
        (option) => OF_BASH.test(option) || /^(?:glob_?dots|no_?case_?glob)/i.test(option),
      ) || args.some((arg) => /^-[A-Za-z]*[H\d]/.test(arg)),
  ],
  ...[...ZSH_BUILTINS].map(
    (name) =>
      [
        name,
        (args: readonly string[]) =>
          args.filter((arg) => !isOption(arg)).some(changesZsh) || args.some((arg) => /^[-+]\w/.test(arg)),
      ] as const,
  ),
  ['zsh', (args) => namesIn(args).some(changesZsh) || args.some((arg) => /^[-+][A-Za-z]*\d/.test(arg))],
  ['bash', (args) => namesIn(args).some((option) => OF_BASH.test(option)) || args.includes('--posix')],
]);
