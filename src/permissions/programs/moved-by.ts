/** The directories that programs go to before they run a command or open a file: `env -C dir`, `make -C dir`. For rules that restrict only. */
import { resolve } from 'node:path';
import { seeThrough } from '../shell/paths.ts';
import { fromSubcommand } from './global-options.ts';
import { nameOf } from './program-name.ts';

interface Moves {
  /** Letters of options whose value is the directory. */
  readonly letters: RegExp | undefined;
  readonly long: RegExp;
}

const row = (names: string, letters: string, long: string): readonly (readonly [string, Moves])[] =>
  names.split(' ').map((name) => [
    name,
    {
      letters: letters === '' ? undefined : new RegExp(`^-[A-Za-z]*?[${letters}]`),
      long: new RegExp(`^--?(?:${long})(?==|$)`),
    },
  ]);

/** A long name may be shortened, for programs that read it so. */
const begun = (name: string, from: number): string =>
  name.slice(0, from) + [...name.slice(from)].reduceRight((rest, char) => `(?:${char}${rest})?`, '');

const MOVES: ReadonlyMap<string, Moves> = new Map([
  ...row('env genv', 'C', `-${begun('chdir', 1)}`),
  ...row('sudo sudo-rs run0', 'D', `-${begun('chdir', 2)}`),
  ...row('unshare nsenter', 'wW', `-${begun('wd', 1)}(?:ns)?`),
  ...row('git', 'C', '-work-tree'),
  ...row('make gmake ninja samu meson', 'C', `-${begun('directory', 2)}`),
  ...row('tar gtar bsdtar', 'C', `-${begun('directory', 2)}|-cd`),
  ...row('patch', 'd', `-${begun('directory', 2)}`),
  ...row('pnpm', 'C', '-dir'),
  ...row('npm', 'C', '-prefix'),
  ...row('yarn bun turbo nodemon', '', '-cwd'),
  ...row('uv poetry pdm rye', 'CPp', '-directory|-project'),
  ...row('cargo go mise', 'C', '-cd|C'),
  ...row('just', 'd', '-working-directory'),
  ...row('fd fdfind', 'C', '-base-directory'),
  ...row('bwrap', '', '-chdir'),
  ...row('proot', 'w', '-cwd|-pwd|pwd|cwd'),
  ...row('terraform tofu', '', 'chdir|-chdir'),
  ...row('systemd-run start-stop-daemon watchexec', 'd', '-working-directory|-chdir|-workdir'),
  ...row('curl', '', `-${begun('output-dir', 7)}`),
  ...row('direnv', '', '-(?!)'),
]);

const NONE: readonly string[] = [];

function beforeSubcommand(words: readonly string[]): readonly string[] {
  const args = words.slice(1);
  return words.slice(0, words.length - fromSubcommand('git', args).length);
}

/** The directories as the call names them. */
function goals(all: readonly string[]): readonly string[] {
  const name = nameOf(all[0] ?? '');
  const moves = MOVES.get(name);
  if (moves === undefined) return NONE;
  const words = name === 'git' ? beforeSubcommand(all) : all;
  const { letters, long } = moves;
  const found: string[] = [];
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    const next = words[index + 1];
    // `tar xCf dir a.tar`: which value is the directory depends on the order of the letters.
    if (index === 1 && name.endsWith('tar') && /^[A-Za-z]*C/.test(word)) found.push(...words.slice(2, 6));
    // `direnv exec dir program`.
    if (name === 'direnv' && word === 'exec' && next !== undefined) found.push(next);
    const option = (long.exec(word) ?? letters?.exec(word))?.[0];
    if (option === undefined) continue;
    const glued = word.slice(option.length).replace(/^=/, '');
    if (glued !== '') found.push(glued);
    else if (next !== undefined) found.push(next);
  }
  return found;
}

/** More directories than these are not followed. */
const MOST_DIRECTORIES = 24;

/** Those it started in, and where else it may be then; `undefined` when these are too many. The same value where it stays. */
export function directoriesIn(
  words: readonly string[],
  cwds: readonly string[],
  home: string,
): readonly string[] | undefined {
  const moved = goals(words);
  if (moved.length === 0) return cwds;
  // Each is seen from the ones before it.
  const all = new Set(cwds);
  for (const goal of moved) {
    for (const cwd of [...all]) all.add(resolve(cwd, seeThrough(goal, cwd, home)));
    if (all.size > MOST_DIRECTORIES) return undefined;
  }
  return [...all];
}
