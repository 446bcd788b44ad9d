/** `CLAUDE_ENV_FILE`: what SessionStart hooks leave for Bash, read as data and never run. */
import { systemCode } from '../core/errors.ts';
import { isWithheld } from '../lib/child-env.ts';
import { readRegular } from '../lib/read-regular.ts';
import { type EnvStep, type EnvText, readEnvText } from './env-text.ts';

type Variables = Readonly<Record<string, string>>;

/** Rules about files are judged by it. */
const OF_THE_SESSION = 'HOME';

/** At once: somebody may have written a whole script there. */
const MOST_TOLD = 5;

export class EnvFile {
  readonly #path: string;
  readonly #tell: (text: string) => void;
  #text = '';
  #read: EnvText = { steps: [], problems: [] };
  readonly #told = new Set<string>();

  constructor(path: string, tell: (text: string) => void) {
    this.#path = path;
    this.#tell = tell;
  }

  /** `given` as the lines change it, one after the other; itself where there are none. Throws a system error. */
  changed(given: Variables): Variables {
    const text = textOf(this.#path);
    if (text !== this.#text) {
      this.#read = readEnvText(text);
      this.#text = text;
    }
    const { steps, problems } = this.#read;
    const variables = new Map(Object.entries(given));
    const withheld: string[] = [];
    let seen: ReadonlyMap<string, string> = variables;
    let total = 0;
    for (const [index, step] of steps.entries()) {
      if (step.isPlain) seen = variables;
      else if (step.statement !== steps[index - 1]?.statement) seen = new Map(variables);
      const problem =
        total > MOST_SET
          ? `line ${step.line} does not count, ${MOST_SET} bytes are set already`
          : take(step, variables, seen);
      if (problem !== undefined) withheld.push(problem);
      else total += variables.get(step.name)?.length ?? 0;
    }
    this.#tellOf([...problems, ...withheld]);
    return steps.length === 0 ? given : Object.fromEntries(variables);
  }

  /** Of the text that was read last. */
  touches(name: string): boolean {
    return this.#read.steps.some((step) => step.name === name);
  }

  #tellOf(problems: readonly string[]): void {
    const fresh = problems.filter((problem) => !this.#told.has(problem));
    for (const problem of fresh) this.#told.add(problem);
    const more = fresh.length - MOST_TOLD;
    const said = more > 0 ? [...fresh.slice(0, MOST_TOLD), `and so with ${more} more`] : fresh;
    for (const problem of said) this.#tell(`CLAUDE_ENV_FILE of SessionStart hooks: ${problem}.`);
  }
}

/** What is wrong with the step, where it is not taken. */
function take(
  step: EnvStep,
  variables: Map<string, string>,
  seen: ReadonlyMap<string, string>,
): string | undefined {
  const { line, name } = step;
  const before = variables.get(name);
  const value = step.kind === 'unset' ? undefined : valueIn(step, seen);
  if (value === TOO_LONG)
    return `line ${line} does not count, its value is longer than ${LONGEST_VALUE} bytes`;
  if (value === before) return undefined;
  if (name === OF_THE_SESSION || isWithheld(name))
    return `line ${line} does not count, commands have ${before === undefined ? 'no' : 'their own'} ${name}`;
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
  return undefined;
}

const TOO_LONG = Symbol('too long');
/** As Linux has it for one text that a program is given. */
const LONGEST_VALUE = 128 * 1024;
/** Far below what it has for all of them: `X=$X$X` doubles with each line. */
const MOST_SET = 512 * 1024;

function valueIn(
  { value }: Extract<EnvStep, { kind: 'set' }>,
  variables: ReadonlyMap<string, string>,
): string | typeof TOO_LONG {
  const texts = value.map((piece) =>
    typeof piece === 'string' ? piece : (variables.get(piece.variable) ?? ''),
  );
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return length > LONGEST_VALUE ? TOO_LONG : texts.join('');
}

function textOf(path: string): string {
  try {
    return readRegular(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}
