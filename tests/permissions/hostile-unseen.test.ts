/** Ways to have another program run that no word of the command names as one. Nothing here is ever run. */
import { test } from 'vitest';
import { all, none } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const RULES: RuleTexts = {
  allow: ['Bash'],
  deny: ['Bash(git push *)', 'Bash(rm *)', 'Bash(npm publish)'],
};

test('a variable that names programs, or what bash takes a name for, asks whoever sets it', () => {
  none(RULES, [
    'BASH_CMDS[ls]=/bin/rm; ls f',
    'BASH_CMDS=([g]=/bin/rm); g f',
    "declare 'BASH_CMDS[g]=/bin/rm'; g f",
    "read 'BASH_CMDS[g]' <<< /bin/rm; g f",
    "printf -v 'BASH_CMDS[g]' /bin/rm; g f",
    "printf -v'BASH_CMDS[g]' /bin/rm; g f",
    ': "\u0024{BASH_CMDS[g]:=/bin/rm}"; g f',
    ': "\u0024{PAGER=git push}"; git log',
    "shopt -s expand_aliases\nBASH_ALIASES[g]='git push'\ng",
    "set -o posix\nBASH_ALIASES[x]='git push'\nx",
    "env 'BASH_FUNC_ls%%=() { git push; }' bash -c ls",
    'XDG_CONFIG_HOME=d git status',
    'export XDG_CONFIG_HOME=d; git status',
    "RSYNC_CONNECT_PROG='git push' rsync a h::b",
    "VIMINIT=':!git push' vim",
    'LUA_INIT=\'os.execute("git push")\' lua x.lua',
    "FZF_DEFAULT_COMMAND='git push' fzf",
    "SVN_SSH='git push' svn up",
    'HGRCPATH=x hg st',
    "env CARGO_TARGET_X_RUNNER='git push' cargo run",
    "GH_BROWSER='git push' gh browse",
    'PYTHONBREAKPOINT=os.system python3 x.py',
    'make .SHELLFLAGS=\'-c "git push"\' x',
    "make 'SHELL:=git push' x",
  ]);
  all(RULES, 'allow', ['NODE_ENV=test npm test', 'FOO=1 BAR=2 make -j4 x', 'env FOO=1 npm test', 'x=1; ls']);
});

test('builtins that run a program or what was said before', () => {
  all(RULES, 'deny', ['jobs -x git push', 'builtin jobs -x rm f', 'command jobs -x git push']);
  none(RULES, [
    "history -s 'git push'; fc -s git",
    "FCEDIT='git push' fc",
    'fc',
    'set -o history -o histexpand\nhistory -s git push\n!!',
    'set -H\n!!',
    'HISTFILE=f; history -w',
    'history -r; history',
  ]);
  all(RULES, 'allow', ['jobs', 'jobs -l', 'history | tail -5', 'fc -l']);
});

test('an option of the shell that changes which files a pattern fits asks', () => {
  const env: RuleTexts = { allow: ['Bash'], deny: ['Read(.env)'] };
  none(env, [
    'shopt -s dotglob; cat *',
    '(shopt -s dotglob; cat *)',
    'builtin shopt -s dotglob; cat *',
    'f() { shopt -s dotglob; }; f; cat *',
    "eval 'shopt -s dotglob'; cat *",
    "bash -O dotglob -c 'cat *'",
    'shopt -s nocaseglob; cat .E*',
    "zsh -o globdots -c 'cat *'",
    "zsh -c 'setopt globdots; cat *'",
    "zsh -c 'setopt GLOB_DOTS; cat *'",
    "zsh -4c 'cat *'",
  ]);
  all(env, 'allow', [
    'shopt -s globstar nullglob; ls *.ts',
    'set -euo pipefail; npm test',
    'set -x; ls',
    "zsh -c 'setopt errexit null_glob; ls'",
    "bash -euo pipefail -c 'ls -la'",
  ]);
});

test('programs that run what an option or a sub-command gives them', () => {
  all(RULES, 'deny', [
    "npm exec --call='true; git push'",
    "npm x --ca='true; git push'",
    "npm exec -c'true; git push'",
    'npm explore x -- npm publish',
    'rustup run stable git push',
    'mamba run -n x git push',
    'bun run git push',
    "bun exec 'true; git push'",
    'jj util exec -- git push',
    "hg bisect -c 'git push'",
    "hg bisect --command 'git push'",
    "tar cIf 'git push' x f",
    "tar cfI x 'git push' f",
    "tar xIf 'git push' a.tar",
    "tar cFMf 'git push' x f",
  ]);
  none(RULES, [
    "hg --config alias.x='!git push' x",
    'svn diff --diff-cmd rm f',
    "gh alias set p '!git push' && gh p",
    "cloc --extract-with='git push' x",
    "dialog --prgbox 'git push' 5 5",
    "mail -S sendmail='git push' x",
    "bat --pager='git push' f",
    "ag --pager 'git push' x",
    "man -H'git push' ls",
    'man --html=rmx ls',
    'capsh --shell=/bin/rm -- f',
  ]);
  all(RULES, 'allow', [
    'npm exec eslint .',
    'rustup show',
    'bun run build',
    'hg status',
    'svn diff f',
    'gh pr list',
    'gh alias list',
    'bat f',
    'man ls',
    'tar xzf a.tar',
    'tar czvf x.tgz src',
  ]);
});
