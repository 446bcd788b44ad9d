/** The steps of a `CLAUDE_ENV_FILE`, taken one after the other: what variables come to, and which step does not count. */
import { isOfBash } from '../permissions/shell/unset-variables.ts';
import type { EnvStep } from './env-text.ts';
import type { EnvVariable } from './env-value.ts';

type Variables = Readonly<Record<string, string>>;
/** What becomes of variables on their way to the commands: some are kept back, some are hookd's own. */
export type Made = (all: Variables) => Variables;

/** Rules about files are judged by it. */
const OF_THE_SESSION = 'HOME';
/** Another value in each shell, whatever its environment has. */
const OF_EACH_SHELL = /^(?:_|SHLVL|S?RANDOM|SECONDS|LINENO|EPOCH\w*)$/;
/** As Linux has it for one text that a program is given. */
const LONGEST_VALUE = 128 * 1024;
/** Far below what it has for all of them: `X=$X$X` doubles with each line. */
const MOST_SET = 512 * 1024;
/** A value that any variable may have. */
const PROBE = '/';

export function takeSteps(
  steps: readonly EnvStep[],
  given: Variables,
  made: Made,
): { readonly variables: Variables; readonly problems: readonly string[] } {
  const taking = new Taking(given, reaching(steps, made));
  const problems = steps.flatMap((step) => taking.take(step) ?? []);
  return { variables: Object.fromEntries(taking.variables), problems };
}

/** Those of the names in the steps whose values come to the commands as they are set. */
function reaching(steps: readonly EnvStep[], made: Made): ReadonlySet<string> {
  const names = steps.flatMap((step) => [step.name, ...expanded(step).map(({ variable }) => variable)]);
  const probed = made(Object.fromEntries(names.map((name) => [name, PROBE])));
  return new Set(names.filter((name) => Object.hasOwn(probed, name) && probed[name] === PROBE));
}

function expanded(step: EnvStep): readonly EnvVariable[] {
  return step.kind === 'unset' ? [] : step.value.filter((piece) => typeof piece !== 'string');
}

class Taking {
  readonly variables: Map<string, string>;
  readonly #reaching: ReadonlySet<string>;
  /** What the arguments of one command have changed, as it was: all are expanded before the first is set. */
  readonly #before = new Map<string, string | undefined>();
  #statement = -1;
  #total = 0;

  constructor(given: Variables, reaching: ReadonlySet<string>) {
    this.variables = new Map(Object.entries(given));
    this.#reaching = reaching;
  }

  /** What is wrong with the step, where it is not taken. */
  take(step: EnvStep): string | undefined {
    const { line, name, statement, isPlain } = step;
    if (statement !== this.#statement) this.#before.clear();
    this.#statement = statement;
    if (this.#total > MOST_SET) return `line ${line} does not count, ${MOST_SET} bytes are set already`;
    const unknown = expanded(step).find((piece) => !this.#isKnown(piece));
    if (unknown !== undefined)
      return `line ${line} does not set ${name}, only a shell could tell $${unknown.variable}`;
    const value = step.kind === 'unset' ? undefined : this.#valueIn(step);
    if (value === TOO_LONG)
      return `line ${line} does not count, its value is longer than ${LONGEST_VALUE} bytes`;
    const was = this.variables.get(name);
    if (value !== was) {
      if (name === OF_THE_SESSION || !this.#reaching.has(name))
        return `line ${line} does not count, commands have ${was === undefined ? 'no' : 'their own'} ${name}`;
      if (!isPlain && !this.#before.has(name)) this.#before.set(name, was);
      if (value === undefined) this.variables.delete(name);
      else this.variables.set(name, value);
    }
    this.#total += value?.length ?? 0;
    return undefined;
  }

  /** That it is not set is known of a variable that could be, and that no shell sets itself. */
  #isKnown(piece: EnvVariable): boolean {
    const { variable } = piece;
    if (OF_EACH_SHELL.test(variable)) return false;
    return this.#seen(piece) !== undefined || (this.#reaching.has(variable) && !isOfBash(variable));
  }

  #seen({ variable, isNow }: EnvVariable): string | undefined {
    return this.#before.has(variable) && isNow !== true
      ? this.#before.get(variable)
      : this.variables.get(variable);
  }

  #valueIn({ value }: Extract<EnvStep, { kind: 'set' }>): string | typeof TOO_LONG {
    const texts = value.map((piece) => (typeof piece === 'string' ? piece : (this.#seen(piece) ?? '')));
    const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return length > LONGEST_VALUE ? TOO_LONG : texts.join('');
  }
}

const TOO_LONG = Symbol('too long');
