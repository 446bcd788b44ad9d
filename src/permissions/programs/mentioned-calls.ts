/**
 * Programs that are not known may run what they are given, whatever their options are called: words that read like a
 * command are one that a rule may be about. Only for the question whether to ask, never for a denial.
 */
import { FILE_PROGRAMS, HARMLESS } from './file-programs.ts';
import { optionEnds } from './global-options.ts';
import { isInterpreter } from './opaque.ts';
import { programOf } from './program-name.ts';
import { ROWS } from './read-only-table.ts';
import { isShell } from './shells.ts';
import { isWrapper } from './wrappers.ts';

/** Programs whose words are text, names of packages or of files, and no command; what they do run is looked at elsewhere. */
const QUIET = new Set(
  [
    ': git hg svn jj gh glab find sed tar jq yq echo printf man info tldr apropos whatis help type which whereis locate pgrep',
    'pkill killall kill pidof wait jobs fg bg disown trap alias unalias set unset shift local read export declare typeset',
    'readonly eval let return exit break continue test true false sleep curl wget http https scp rsync sftp ping dig host',
    'nslookup telnet mkdir ln chmod chown touch zip unzip gzip gunzip bzip2 xz zstd 7z gpg ssh-keygen ssh-add convert magick',
    'ffmpeg pandoc fd fdfind rg grep agrep pcregrep prettier eslint biome tsc vitest jest mocha pytest ruff black mypy flake8',
    'rustc gcc g++ clang cc javac ctags cloc wc notify-send xdg-open open say pbcopy xclip xsel logger mail sendmail dialog',
  ]
    .join(' ')
    .split(' '),
);

/** Package managers and service managers: what follows these words names a package, a service, a script. */
const NAMES_FOLLOW: ReadonlyMap<string, RegExp> = new Map(
  'apt apt-get aptitude dpkg apk yum dnf zypper pacman brew port snap flatpak pip pip3 pipx uv poetry pdm conda mamba npm pnpm yarn bun cargo gem bundle composer go rustup docker podman systemctl service choco winget nix-env'
    .split(' ')
    .map((name) => [
      name,
      /^(?:i|in|install|add|remove|rm|uninstall|purge|reinstall|upgrade|update|search|info|show|view|list|ls|outdated|pull|push|build|images|get|download|status|is-active|start|stop|restart|enable|disable|-[SRQil].*|why|audit|link|unlink|publish|deps|run-script|run|test|require|tag|policy|depends|cat|cp)$/,
    ]),
);

/** Their operands name what is to be made, in a file of theirs. */
const MAKES_TARGETS = new Set(
  'make gmake bmake remake just rake gradle gradlew mvn ninja ant task mage invoke bazel buck cmake scons waf'.split(
    ' ',
  ),
);

/** As many words of one call are looked at. */
export const MOST_PLACES = 500;

/**
 * Every command that the words may hold and that `mayBegin` says may be meant: the rest of the call from a word on, and
 * texts with blanks in one word.
 */
export function mentionedCalls(
  words: readonly string[],
  mayBegin: (words: readonly string[]) => boolean,
): readonly (readonly string[])[] {
  const [first = '', ...args] = words;
  // No program is called so: bash took it for one behind the word `time`. One of that name in a directory is another matter.
  if (first.startsWith('-') && !first.includes('/')) return [];
  const name = programOf(first);
  if (isQuiet(name, args)) return [];
  const makesTargets = MAKES_TARGETS.has(name);
  const found: (readonly string[])[] = [];
  for (let index = 0; index < args.length && index < MOST_PLACES; index++) {
    const arg = args[index] ?? '';
    const isTarget = makesTargets && index === args.length - 1;
    const follows = args[index - 1]?.startsWith('-') === true;
    if (!arg.startsWith('-') && (!isTarget || follows) && mayBegin([arg, args[index + 1] ?? '']))
      found.push(args.slice(index));
    for (const text of textsIn(arg)) {
      const called = text.split(/\s+/);
      if (mayBegin(called)) found.push(called);
    }
  }
  return found;
}

/** Its words are no commands for certain. */
export function isQuiet(name: string, args: readonly string[]): boolean {
  if (QUIET.has(name) || HARMLESS.has(name) || FILE_PROGRAMS.has(name) || ROWS.has(name)) return true;
  // What wrappers and interpreters run is looked at as a call of its own.
  if (isWrapper(name) || isInterpreter(name) || isShell(name)) return true;
  const names = NAMES_FOLLOW.get(name);
  return names !== undefined && [args, ...optionEnds(name, args)].some((rest) => names.test(rest[0] ?? ''));
}

/** One argument as code: all of it where it has blanks, and what follows an option's `=` or a `:`; cut where commands end. */
function textsIn(arg: string): readonly string[] {
  if (!/\s/.test(arg)) return [];
  return arg
    .split(/[;&|\n(){}`]+|(?<=[=:!])/)
    .map((text) => text.replace(/["'\\]/g, '').trim())
    .filter((text) => text !== '');
}
