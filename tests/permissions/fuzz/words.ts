/** Random words of bash: names and operands in every way to write them. No absolute path, no name of a real program. */
import type { Random } from '../../support/random.ts';

/** Programs that exist nowhere. The last digit says whether they succeed. */
export const NAMES = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'] as const;
const OPERANDS = [
  'a',
  'b',
  'x1',
  '-n',
  '--opt',
  '--opt=v',
  '-rf',
  'k1',
  'd1',
  'd1/k3',
  '.',
  '2',
  'A=1',
  'e.txt',
] as const;
const VARIABLES = ['X', 'Y', 'Z'] as const;

export class WordMaker {
  readonly #random: Random;
  readonly #list: (depth: number) => string;

  /** `list` makes the commands inside a substitution. */
  constructor(random: Random, list: (depth: number) => string) {
    this.#random = random;
    this.#list = list;
  }

  name(depth: number): string {
    const plain = (): string => this.#random.pick(NAMES);
    return this.#random.weighted([
      [70, plain],
      [20, () => this.spelled(plain())],
      [0.3, () => this.ansi(plain())],
      [0.7, () => this.expansion(depth)],
      [0.4, () => `{${plain()},${this.operand()}}`],
    ]);
  }

  word(depth: number): string {
    return this.#random.weighted([
      [60, () => this.operand()],
      [15, () => this.spelled(this.operand())],
      [6, () => this.#random.pick(NAMES)],
      [6, () => this.doubleQuoted(depth)],
      [3, () => `'${this.#random.pick(['a b', '$(q1)', '`q2`', '; q3', '#', '', '"', '\\', 'a\nq4'])}'`],
      [1, () => this.ansi(this.operand())],
      [7, () => this.expansion(depth)],
      [
        3,
        () => this.#random.pick(['k*', 'd?', '[k]1', '~', '~/x', 'd1/*', '*z', '{a,b}', 'x{1..3}', 'k{1,2}']),
      ],
      [1, () => this.#random.pick(['!', '{', '}', '[', ']', '=', '%', '^', ',', '@', '+', ':'])],
    ]);
  }

  operand(): string {
    return this.#random.pick(OPERANDS);
  }

  variable(): string {
    return this.#random.pick(VARIABLES);
  }

  /** The same word in other quotes. */
  spelled(text: string): string {
    const at = this.#random.below(text.length + 1);
    const [before, after] = [text.slice(0, at), text.slice(at)];
    return this.#random.weighted([
      [3, () => `'${text}'`],
      [3, () => `"${text}"`],
      [2, () => `${before}''${after}`],
      [2, () => `${before}"${after}"`],
      [2, () => `'${before}'${after}`],
      [2, () => (after === '' ? text : `${before}\\${after}`)],
      [0.2, () => `${before}\\\n${after}`],
      [0.2, () => `"${before}\\\n${after}"`],
      [1, () => `"${before}"'${after}'`],
      [0.2, () => `$"${text}"`],
    ]);
  }

  ansi(text: string): string {
    const first = text.charCodeAt(0);
    return this.#random.pick([
      `$'${text}'`,
      `$'\\x${first.toString(16)}${text.slice(1)}'`,
      `$'\\${first.toString(8).padStart(3, '0')}'${text.slice(1)}`,
      `$'\\u00${first.toString(16)}'${text.slice(1)}`,
      `$'${text}\\'\\n'`,
    ]);
  }

  doubleQuoted(depth: number): string {
    return this.#random.weighted([
      [6, () => '"a b"'],
      [2, () => '"a;q1 b"'],
      [2, () => '"a\\"b"'],
      [1, () => '"\\$(q1)"'],
      [1, () => '"\\`q1\\`"'],
      [1, () => '"a\nb"'],
      [3, () => `"$${this.variable()}"`],
      [2, () => `"a $(${this.#list(depth + 1)}) b"`],
      [1, () => `"\`${this.#inBackticks()}\`"`],
      [1, () => `"\${${this.variable()}:-"$(${this.#list(depth + 1)})"}"`],
    ]);
  }

  expansion(depth: number): string {
    const name = this.variable();
    return this.#random.weighted([
      [8, () => `$${name}`],
      [3, () => `\${${name}}`],
      [3, () => `\${${name}:-${this.word(depth + 1)}}`],
      [1, () => `\${${name}:=${this.operand()}}`],
      [1, () => `\${${name}${this.#random.pick(['#q', '%1', '/q/r', ':0:1', '@Q', '@P', '^^', '^'])}}`],
      [
        1,
        () =>
          this.#random.pick([
            `\${#${name}}`,
            `\${!${name}}`,
            '"$@"',
            '$*',
            '$1',
            '$#',
            '$?',
            '$-',
            '$_',
            `"\${a[@]}"`,
            `\${a[0]}`,
          ]),
      ],
      [5, () => `$(${this.#list(depth + 1)})`],
      [2, () => `\`${this.#inBackticks()}\``],
      [3, () => `$((${this.arithmetic(depth)}))`],
      [1, () => `$[${this.#random.below(9)}+1]`],
      [2, () => `<(${this.#list(depth + 1)})`],
      [1, () => `>(${this.#list(depth + 1)})`],
    ]);
  }

  arithmetic(depth: number): string {
    return this.#random.weighted([
      [6, () => `${this.#random.below(9)} + ${this.#random.below(9)}`],
      [3, () => `${this.variable()}++`],
      [1, () => `${this.variable()} = 2, 3`],
      [1, () => `a[$(${this.#list(depth + 1)})]`],
      [1, () => `$(${this.#list(depth + 1)}) + 1`],
      [1, () => `(1 << 2) | ${this.variable()}`],
    ]);
  }

  /** Backticks do not nest without escapes: one plain command. */
  #inBackticks(): string {
    return this.#random.pick([
      'q1 a',
      'q2',
      'q3 "b"',
      'echo q4',
      'q5; q6',
      'q1 \\`q2\\`',
      'q1 | q2',
      "q3 'a b'",
    ]);
  }
}
