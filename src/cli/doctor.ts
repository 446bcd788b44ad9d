/** `hookd doctor`: looks at all that hookd needs, and says of what is wrong what to do; changes nothing. */
import { EXIT, messageOf } from '../core/errors.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { counted, wrapped } from './columns.ts';
import { auditChecks } from './doctor-audit.ts';
import { machineChecks } from './doctor-machine.ts';
import { policyChecks } from './doctor-policy.ts';
import { type Output, oneLine, printable } from './output.ts';

export interface DoctorOptions {
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** `fails`: hookd does not work like this. `warns`: it works, and somebody should know. */
export type DoctorState = 'ok' | 'warns' | 'fails';

export interface Diagnosis {
  readonly check: string;
  readonly state: DoctorState;
  readonly what: string;
  /** Absent where all is well. */
  readonly advice?: string;
}

/** One thing to look at: what it found, in its own words. May throw: then it could not be looked at, which is a failure. */
export interface Check {
  readonly name: string;
  readonly look: (options: DoctorOptions) => readonly Found[] | Promise<readonly Found[]>;
}

export type Found = Omit<Diagnosis, 'check'>;

const CHECKS: readonly Check[] = [...machineChecks, ...policyChecks, ...auditChecks];
const LONGEST = 2000;

/** Returns 1 when something fails. */
export async function doctorCommand(options: DoctorOptions, output: Output): Promise<number> {
  const found: Diagnosis[] = [];
  for (const { name, look } of CHECKS) {
    const here = await lookOrFail(look, options);
    for (const one of here) {
      const diagnosis = { check: name, ...one };
      found.push(diagnosis);
      if (!options.json) for (const line of linesOf(diagnosis, output)) output.result(line);
    }
  }
  const count = (state: DoctorState) => found.filter((one) => one.state === state).length;
  const [failing, warning] = [count('fails'), count('warns')];
  if (options.json) output.result(JSON.stringify({ healthy: failing === 0, checks: found }));
  else output.result(summary(failing, warning));
  return failing > 0 ? EXIT.failed : EXIT.done;
}

async function lookOrFail(look: Check['look'], options: DoctorOptions): Promise<readonly Found[]> {
  try {
    return await look(options);
  } catch (error) {
    return [
      { state: 'fails', what: messageOf(error), advice: 'This could not be looked at; mend it first.' },
    ];
  }
}

function linesOf({ check, state, what, advice }: Diagnosis, { colours }: Output): readonly string[] {
  const mark = { ok: 'ok   ', warns: 'WARN ', fails: 'FAIL ' }[state];
  const paint = { ok: colours.green, warns: colours.yellow, fails: colours.red }[state];
  const margin = ' '.repeat(15);
  const [first = '', ...rest] = wrapped(
    oneLine(printable(what), LONGEST),
    margin,
    `${mark} ${check.padEnd(9)}`.trimEnd().padEnd(15),
  );
  const todo =
    advice === undefined ? [] : wrapped(oneLine(printable(advice), LONGEST), `${margin}   `, `${margin}→ `);
  return [`${paint(first.slice(0, mark.length))}${first.slice(mark.length)}`, ...rest, ...todo];
}

function summary(failing: number, warning: number): string {
  if (failing > 0) return `${counted(failing, 'failure')}, ${counted(warning, 'warning')}.`;
  return warning > 0 ? `Works, with ${counted(warning, 'warning')}.` : 'All is well.';
}
