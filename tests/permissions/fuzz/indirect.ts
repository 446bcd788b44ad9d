/** Commands that run others, in another way than by standing in the text: wrappers, code in a word, the state of the shell. */
import type { Random } from '../../support/random.ts';
import { NAMES, type WordMaker } from './words.ts';

/** What a text is made of. */
export interface Parts {
  readonly random: Random;
  readonly words: WordMaker;
  readonly simple: (depth: number) => string;
  readonly list: (depth: number) => string;
  readonly redirection: (depth: number) => string;
}

export const DEEPEST = 3;
export const FUNCTIONS = ['f1', 'f2'] as const;

/** Programs that run others; the ones that run them for us are functions with these names. */
export function throughWrapper({ random, words, simple, list }: Parts, depth: number): string {
  const inner = simple(depth);
  const plain = `${random.pick(NAMES)} ${words.operand()}`;
  return random.weighted([
    [2, () => `sudo ${random.pick(['', '-n ', '-u x ', '-E '])}${inner}`],
    [2, () => `env ${random.pick(['', '-i ', 'A=1 ', '-u A '])}${inner}`],
    [2, () => `timeout ${random.pick(['5', '-s INT 5', '-k 1s 2m', '--foreground 1'])} ${inner}`],
    [1, () => `nice ${random.pick(['', '-n 5 ', '-5 '])}${inner}`],
    [1, () => `nohup ${inner}`],
    [2, () => `command ${inner}`],
    [1, () => `builtin eval ${words.spelled(plain)}`],
    [
      2,
      () =>
        `xargs ${random.pick(['', '-n 1 ', '-r ', '-I {} '])}${plain} <<< ${random.pick(['a', '"a b"', 'q1'])}`,
    ],
    [1, () => `echo ${random.pick(['a b', 'q2 x'])} | xargs ${plain}`],
    [1, () => `find . -name 'k*' -exec ${plain} {} ${random.pick(['\\;', "';'", '+'])}`],
    [3, () => `${random.pick(['bash', 'sh'])} -c ${quote(code({ random, words, list }, depth))}`],
    [1, () => `bash -c ${quote(`${plain} $1 "$@"`)} n ${words.word(depth)}`],
    [1, () => `echo ${words.spelled(plain)} | bash`],
    [1, () => `bash <<< ${quote(code({ random, words, list }, depth))}`],
    [1, () => `bash <(echo ${plain})`],
  ]);
}

/** Text that this very shell evaluates. */
export function evaluated({ random, words, simple, list }: Parts, depth: number): string {
  const plain = `${random.pick(NAMES)} ${words.operand()}`;
  return random.weighted([
    [3, () => `eval ${quote(code({ random, words, list }, depth))}`],
    [2, () => `eval ${simple(depth)}`],
    [2, () => `trap ${quote(plain)} ${random.pick(['EXIT', '0', 'DEBUG', 'ERR'])}`],
    [1, () => `source /dev/stdin <<< ${quote(plain)}`],
    [1, () => `. <(echo ${plain})`],
    [1, () => `PS4='$(${plain})'; set -x; :`],
    [1, () => `shopt -s expand_aliases; alias z=${quote(plain)}\nz x`],
    [1, () => `set -- ${plain}; "$@"`],
    [1, () => `printf -v X %s ${random.pick(NAMES)}; $X`],
    [1, () => `read X <<< ${quote(plain)}; $X`],
    [1, () => `declare -a 'a=($(${plain}))'`],
    [1, () => `test -v 'a[$(${plain})]'`],
    [1, () => `let 'a[$(${plain})]=1'`],
    [1, () => `X='a[$(${plain})]'; (( X ))`],
    [1, () => `mapfile -C ${quote(plain)} -c 1 a <<< "x"`],
    [1, () => `a=(${plain}); "\${a[@]}"`],
  ]);
}

/** What changes the state of the shell. */
export function shellState(parts: Parts, depth: number, mayCall: boolean): string {
  const { random, words, redirection } = parts;
  return random.weighted([
    [4, () => assignment(parts, depth)],
    [
      2,
      () =>
        `${random.pick(['export', 'declare', 'readonly', 'local', 'declare -i'])} ${assignment(parts, depth)}`,
    ],
    [3, () => `cd ${random.pick(['d1', 'd2', './d1', '-', '"d1"', '..', '~', '$X'])}`],
    [1, () => `a=(1 ${words.word(depth)} [3]=x)`],
    [1, () => `a[0]=${words.word(depth)}`],
    [1, () => `exec ${redirection(depth)}`],
    [
      1,
      () =>
        random.pick([
          'set -f',
          'set -u',
          'set -e',
          'shopt -s extglob',
          'shopt -s nullglob',
          'IFS=q',
          'unset X',
          'shift',
          ':',
          'true',
          'false',
          'wait',
          'exit',
          'return',
          'pushd d1',
          'popd',
        ]),
    ],
    [mayCall ? 1 : 0, () => `${random.pick(FUNCTIONS)} ${words.operand()}`],
  ]);
}

export function assignment({ random, words }: Parts, depth: number): string {
  return `${words.variable()}${random.pick(['=', '=', '=', '+='])}${random.weighted([
    [4, () => words.operand()],
    [4, () => random.pick(NAMES)],
    [2, () => words.word(depth)],
    [1, () => ''],
    [1, () => `'${random.pick(NAMES)} ${words.operand()}'`],
  ])}`;
}

function code({ random, words, list }: Pick<Parts, 'random' | 'words' | 'list'>, depth: number): string {
  return random.chance(0.6)
    ? `${random.pick(NAMES)} ${words.operand()}`
    : list(Math.max(depth + 1, DEEPEST - 1));
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
