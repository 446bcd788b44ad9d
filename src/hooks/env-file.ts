/** `CLAUDE_ENV_FILE`: what SessionStart hooks leave for Bash, read as data and never run. */
import { systemCode } from '../core/errors.ts';
import { readRegular } from '../lib/read-regular.ts';
import { type Made, takeSteps } from './env-steps.ts';
import { type EnvText, readEnvText } from './env-text.ts';

type Variables = Readonly<Record<string, string>>;

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

  /**
   * `given` as the lines change it, one after the other; itself where there are none. `made`: what becomes of variables
   * on their way to the commands. Throws a system error.
   */
  changed(given: Variables, made: Made): Variables {
    const text = textOf(this.#path);
    if (text !== this.#text) {
      this.#read = readEnvText(text);
      this.#text = text;
    }
    const { steps, problems } = this.#read;
    const taken = steps.length === 0 ? { variables: given, problems: [] } : takeSteps(steps, given, made);
    this.#tellOf([...problems, ...taken.problems]);
    return taken.variables;
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

function textOf(path: string): string {
  try {
    return readRegular(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}
