/** What flags that take a value have in common, checked for all commands at once: a value of their type, given once. */
import { HookdError } from '../core/errors.ts';

/** The parts of yargs' own table of options that the check needs. */
export interface DeclaredOptions {
  /** By name and alias: how many values a flag takes. */
  readonly narg: Readonly<Record<string, number>>;
  readonly array: readonly string[];
  readonly number: readonly string[];
}

/** Throws USAGE. Of a flag that is given twice nobody can say which one was meant. */
export function checkFlags(argv: Readonly<Record<string, unknown>>, declared: DeclaredOptions): void {
  for (const name of Object.keys(declared.narg)) {
    const value = argv[name];
    if (value === undefined) continue;
    const flag = name.length === 1 ? `-${name}` : `--${name}`;
    const isList = declared.array.includes(name);
    if (Array.isArray(value) && !isList) throw new HookdError('USAGE', `${flag} was given more than once.`);
    const isNumber = declared.number.includes(name);
    const fits = (one: unknown) => (isNumber ? Number.isFinite(one) : typeof one === 'string');
    if (![value].flat().every(fits)) {
      throw new HookdError('USAGE', `${flag} takes a ${isNumber ? 'number' : 'value'}.`);
    }
  }
}
