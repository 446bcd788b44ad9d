/**
 * Random command texts from a grammar of bash. Harmless by construction: no name of a real program, no absolute path but
 * stdin and the null device, no builtin that reaches another process, no call of a function from a function, and loops that end.
 */
import type { Random } from '../../support/random.ts';
import {
  assignment,
  DEEPEST,
  evaluated,
  FUNCTIONS,
  type Parts,
  shellState,
  throughWrapper,
} from './indirect.ts';
import { NAMES, WordMaker } from './words.ts';

export class CommandMaker {
  readonly #random: Random;
  readonly #words: WordMaker;
  readonly #parts: Parts;
  #inFunction = false;
  #delimiters = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#words = new WordMaker(random, (depth) => this.#inner(depth));
    this.#parts = {
      random,
      words: this.#words,
      simple: (depth) => this.#simple(depth),
      list: (depth) => this.list(depth),
      redirection: (depth) => this.#redirection(depth),
    };
  }

  /** One text, as `bash -c` gets it. */
  text(): string {
    const text = this.list(0);
    return this.#random.weighted([
      [20, () => text],
      [1, () => `${text} # q1; q2`],
      [1, () => `# q1 $(q2)\n${text}`],
      [1, () => `${text}\n`],
    ]);
  }

  /** A list that ends where its text ends: bodies of here-documents come with it. */
  list(depth: number): string {
    const statements = this.#random.several(1, depth === 0 ? 3 : 2, () => this.#statement(depth));
    return statements.reduce((text, next) => {
      // After the body of a here-document only a new line can follow.
      const joint = text.endsWith('\n')
        ? ''
        : this.#random.pick([' ; ', '; ', '\n', ' && ', ' || ', ' & ', '\n\n', ';\n', ' &&\n', ' # q1\n']);
      return text + joint + next;
    });
  }

  /** Inside brackets on one line. */
  #inner(depth: number): string {
    if (depth >= DEEPEST) return this.#simple(depth);
    return this.#random.weighted([
      [6, () => this.#simple(depth)],
      [2, () => `echo ${this.#random.pick(NAMES)}`],
      [2, () => this.list(depth)],
    ]);
  }

  #statement(depth: number): string {
    if (depth >= DEEPEST) return this.#simple(depth);
    const once = this.#random.weighted([
      [44, () => this.#simple(depth)],
      [10, () => this.#pipeline(depth)],
      [14, () => this.#compound(depth)],
      [6, () => this.#hereDoc(depth)],
      [7, () => throughWrapper(this.#parts, depth)],
      [3, () => evaluated(this.#parts, depth)],
      [4, () => shellState(this.#parts, depth, !this.#inFunction)],
    ]);
    return once;
  }

  #simple(depth: number): string {
    const words = [this.#words.name(depth), ...this.#random.several(0, 3, () => this.#words.word(depth))];
    const before = this.#random.chance(0.06) ? `${assignment(this.#parts, depth)} ` : '';
    const blank = this.#random.weighted([
      [20, () => ' '],
      [1, () => '  '],
      [1, () => '\t'],
      [1, () => ' \\\n '],
    ]);
    const text = before + words.join(blank);
    if (!this.#random.chance(0.14)) return text;
    return this.#random.chance(0.15)
      ? `${this.#redirection(depth)} ${text}`
      : `${text} ${this.#redirection(depth)}`;
  }

  #pipeline(depth: number): string {
    const parts = this.#random.several(2, 3, () =>
      this.#random.chance(0.8) ? this.#simple(depth) : this.#compound(depth + 1),
    );
    const prefix = this.#random.weighted([
      [10, () => ''],
      [1, () => '! '],
      [1, () => 'time '],
      [1, () => 'time -p '],
      [1, () => '! ! '],
    ]);
    return prefix + parts.join(this.#random.pick([' | ', ' | ', '|', ' |& ', ' |\n']));
  }

  #compound(depth: number): string {
    const body = (): string => closed(this.list(depth + 1));
    const name = this.#words.variable();
    return this.#random.weighted([
      [3, () => `( ${body()})`],
      [3, () => `{ ${body()}}`],
      [3, () => `if ${body()}then ${body()}fi`],
      [1, () => `if ${body()}then ${body()}elif ${body()}then ${body()}else ${body()}fi`],
      [2, () => `while ${closed(this.#simple(depth))}do ${body()}break; done`],
      [1, () => `until ${closed(this.#simple(depth))}do ${body()}break; done`],
      [3, () => `for ${name} in ${this.#words.word(depth)} ${this.#random.pick(NAMES)}; do ${body()}done`],
      [1, () => `for ((i=0; i<2; i++)); do ${body()}done`],
      [1, () => `for ((i=0; i<2; i++)) { ${body()}}`],
      [3, () => this.#case(depth)],
      [2, () => this.#function(depth)],
      [
        2,
        () =>
          `[[ ${this.#words.word(depth)} ${this.#random.pick(['==', '!=', '<', '=~'])} ${this.#words.word(depth)} ]]`,
      ],
      [1, () => `[[ -n ${this.#words.word(depth)} && ! -z $(${this.#inner(depth + 1)}) ]]`],
      [1, () => `(( ${this.#words.arithmetic(depth)} ))`],
      [2, () => `{ ${body()}} ${this.#redirection(depth)}`],
      [1, () => `( ${body()}) ${this.#redirection(depth)}`],
      [1, () => `select ${name} in a; do ${body()}break; done < /dev/null`],
    ]);
  }

  #case(depth: number): string {
    const item = (): string => {
      const pattern = this.#random.pick(['a', '*', 'a|b', '(x1)', '"a"', '[ab]', '$X', '-n']);
      return `${pattern}) ${this.#random.chance(0.2) ? '' : this.list(depth + 1)}`;
    };
    const end = (): string => this.#random.pick([' ;;', ' ;;', ';;', ' ;&', ' ;;&']);
    return `case ${this.#words.word(depth)} in ${this.#random.several(1, 3, () => item() + end()).join(' ')} esac`;
  }

  #function(depth: number): string {
    if (this.#inFunction) return this.#simple(depth);
    this.#inFunction = true;
    const body = closed(this.list(depth + 1));
    this.#inFunction = false;
    const name = this.#random.pick(FUNCTIONS);
    const shape = this.#random.pick([
      `${name}() { ${body}}`,
      `function ${name} { ${body}}`,
      `${name} () ( ${body})`,
    ]);
    return `${shape}\n${name}${this.#random.chance(0.5) ? ` ${this.#words.operand()}` : ''}`;
  }

  #hereDoc(depth: number): string {
    const end = `E${++this.#delimiters}`;
    const quoted = this.#random.pick([end, end, `'${end}'`, `"${end}"`, `\\${end}`]);
    const operator = this.#random.pick(['<<', '<<', '<< ', '<<-']);
    const line = (): string =>
      this.#random.weighted([
        [4, () => this.#random.pick(['q1 a', 'text', "it's", 'a "b', '\tq2', '# q3', ''])],
        [1, () => `a $(${this.#random.pick(['q1 a', 'q2', 'q3 | q4'])}) b`],
        [1, () => 'a `q5 x` b'],
        [1, () => '$X \\$(q6) \\`q6\\`'],
        [1, () => `\${X:-$(q6 y)}`],
      ]);
    const reader = this.#random.pick([
      this.#simple(depth),
      'bash',
      'sh -s',
      'cat',
      'read X',
      'xargs q1',
      '. /dev/stdin',
    ]);
    const tail = this.#random.chance(0.2) ? ` | ${this.#simple(depth)}` : '';
    return `${reader} ${operator}${quoted}${tail}\n${this.#random
      .several(0, 3, line)
      .map((one) => `${one}\n`)
      .join('')}${end}\n`;
  }

  #redirection(depth: number): string {
    const target = this.#random.weighted([
      [10, () => this.#random.pick(['o1', 'o2', './o3', 'd1/o4', 'k1', '/dev/null'])],
      [2, () => this.#words.spelled(this.#random.pick(['o1', 'o2']))],
      [1, () => this.#words.expansion(depth)],
      [1, () => this.#random.pick(['~/o5', 'o{1,2}', 'o*', 'k*', '"o 6"', '-o7'])],
    ]);
    return this.#random.weighted([
      [8, () => `> ${target}`],
      [3, () => `>${target}`],
      [3, () => `>> ${target}`],
      [1, () => `>| ${target}`],
      [1, () => `<> ${target}`],
      [1, () => `&> ${target}`],
      [1, () => `&>> ${target}`],
      [1, () => `>& ${target}`],
      [2, () => `2> ${target}`],
      [1, () => `3>${target}`],
      [1, () => `{fd}>${target}`],
      [2, () => `2>&1`],
      [1, () => this.#random.pick(['>&-', '<&-', '3<&0', '1>&2', '>&2', '2>&-', '4>&1-', '<&3'])],
      [2, () => '< k1'],
      [1, () => `<<< ${this.#words.word(depth)}`],
      [1, () => `< <(${this.#inner(depth + 1)})`],
      [1, () => `> >(${this.#inner(depth + 1)})`],
    ]);
  }
}

/** A list with what must stand before a closing word. */
const closed = (list: string): string =>
  list.endsWith('\n') ? list : /[^\\]&$/.test(list) ? `${list} ` : `${list}; `;
