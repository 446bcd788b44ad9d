/** Random scripts of sed, and what GNU sed says of each: `sed --sandbox` refuses the commands that read, write or run. */
import { spawnSync } from 'node:child_process';
import { readSedScript } from '../../../src/permissions/programs/sed-script.ts';
import { Random } from '../../support/random.ts';

/** In a pattern, a replacement or a text. */
const INSIDE = [
  ...(['a', '/', ';', 'e x', '[', ']', '[^', '[]', '[/]', '[[:alpha:]]', '[[.', '.]', ':]', '[='] as const),
  ...([
    '=]',
    '\\',
    '\\\\',
    '\\/',
    '\\n',
    '\\[',
    '\\]',
    '\\c',
    '&',
    '|',
    ' ',
    '\n',
    '\\\n',
    '}',
    '#',
    'w f',
  ] as const),
] as const;
const BETWEEN = [';', '\n', ' ', '\t', '', '}', '{', '#', ';;', '!', '\\\n', '\\'] as const;
const WORDS = [
  ...([
    ':',
    ': ',
    'b',
    'b ',
    't ',
    'T',
    'v',
    'v ',
    'l',
    'q',
    'Q5',
    'n',
    'N',
    'D',
    'F',
    'z',
    '=',
    'p',
    'l 3',
  ] as const),
  ...(['1', '$', ',', '+1', '~2', 'I', 'M', 'x', 'h', '1!', '2,$', '0~3'] as const),
] as const;
const ADDS = ['a', 'i', 'c', 'a ', 'i\\', 'c\\\n', 'a\\ ', 'a\\\n', 'e', 'e '] as const;
const FLAGS = ['', 'g', ' p', '2', 'I', 'm ', 'gw f', 'e', ' e', '\t'] as const;
const ENDS = ['e x', 'w f', 'r f', 'R f', 'W f', 'e', 's/a/b/e', 's/a/b/w f'] as const;

/** Each ends with what reads, writes or runs, where nothing before it hides that. */
export function sedScripts(count: number, seed: number): readonly string[] {
  const random = new Random(seed);
  const inside = (): string => random.several(0, 4, () => random.pick(INSIDE)).join('');
  const mark = (): string => random.pick(['/', '/', '/', ',', '|', '#', ']', 'a']);
  const command = (): string =>
    random.weighted([
      [4, () => joined(mark(), ['s', inside(), inside(), random.pick(FLAGS)])],
      [1, () => joined(mark(), ['y', inside(), inside(), ''])],
      [2, () => joined(mark(), [random.pick(['', '\\']), inside(), random.pick(['', 'I', ',', ' '])])],
      [2, () => random.pick(ADDS) + inside()],
      [3, () => random.pick(WORDS) + random.pick(['', 'x', ' x', 'x '])],
    ]);
  return Array.from(
    { length: count },
    () => random.several(1, 3, () => command() + random.pick(BETWEEN)).join('') + random.pick(ENDS),
  );
}

const joined = (mark: string, parts: readonly string[]): string => parts.join(mark);

/** True for what reads, writes or runs, and for what is not understood: nobody may be told that it only edits. */
export function mayBeMore(script: string): boolean {
  const { sure, runs, reads, writes, code } = readSedScript([script]);
  return !sure || runs || reads.length + writes.length + code.length > 0;
}

/** `undefined` where sed is another than GNU sed. With an empty input no script goes round in circles. */
export function refusedBySed(scripts: readonly string[]): readonly boolean[] | undefined {
  if (!spawnSync('sed', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU sed')) return undefined;
  const each = `while IFS= read -r -d '' script; do sed --sandbox -n -e "$script" </dev/null 2>&1; printf '\\0'; done`;
  const { stdout } = spawnSync('bash', ['-c', each], {
    input: scripts.map((script) => `${script}\0`).join(''),
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return stdout
    .split('\0')
    .slice(0, -1)
    .map((said) => said.includes('sandbox'));
}
