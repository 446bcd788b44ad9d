/** Codex's reading of a command text: the words of its commands where all of it is plain, else nothing. */
import { isDeepStrictEqual } from 'node:util';
import { type Analysis, analyseCommand } from '../../src/permissions/shell/commands.ts';
import { type Peer, type PeerRow, tableOf } from './peer.ts';

interface Entry {
  readonly row: number;
  readonly fn: 'parse_seq' | 'parse_shell_lc_plain_commands' | 'parse_shell_lc_single_command_prefix';
  readonly args: readonly [string | readonly string[]];
  readonly expected: readonly unknown[] | null;
}

export const codexShellParse: Peer = () => tableOf<Entry>('codex-shell-parse').map(play);

function play({ row, fn, args: [arg], expected }: Entry): PeerRow {
  const text = typeof arg === 'string' ? arg : (arg[2] ?? '');
  const analysis = analyseCommand(text, { cwd: '/work', home: '/home/u' });
  const found = fn === 'parse_shell_lc_single_command_prefix' ? programOf(analysis) : plainCommands(analysis);
  const why = `expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`;
  if (isDeepStrictEqual(found, expected)) return { row, input: text, verdict: 'agree', why };
  return { row, input: text, verdict: found === null ? 'stricter' : 'looser', why };
}

/** The words of each command, where nothing but plain words is in the text. */
function plainCommands({ why, obstacles, commands }: Analysis): readonly (readonly string[])[] | null {
  const isPlain =
    why === undefined &&
    obstacles.length === 0 &&
    commands.every(
      ({ words, assignments, redirects, obstacle, isPart }) =>
        isPart &&
        obstacle === undefined &&
        words.length > 0 &&
        assignments.length + redirects.length === 0 &&
        words.every(({ kind }) => kind === 'static'),
    );
  return isPlain ? commands.map(({ words }) => words.map(({ value }) => value)) : null;
}

/** The program of the only command, which may read a here-document but no more. */
function programOf({ why, commands }: Analysis): readonly string[] | null {
  const [command, ...more] = commands;
  if (why !== undefined || command === undefined || more.length > 0 || command.stdin === undefined)
    return null;
  const { words, assignments, redirects, obstacle } = command;
  const isPlain =
    obstacle === undefined &&
    assignments.length + redirects.length === 0 &&
    words.every(({ kind }) => kind === 'static');
  return isPlain ? words.slice(0, 1).map(({ value }) => value) : null;
}
