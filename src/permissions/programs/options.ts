/**
 * The options of a program as it reads them itself: clusters of letters, glued and separate values, shortened long names.
 * Where that cannot be said, the call is `unsure`: nothing may be allowed for it, and for rules that restrict every text that
 * could be a value is a candidate.
 */

/** What the value of an option is. `run`: a program, or code; the option may also run something without a value. */
export type Role = 'text' | 'read' | 'write' | 'run';

export interface OptionTable {
  /** Letters of options without a value. */
  readonly flags: string;
  /** Letters of options that take one, by what it is. */
  readonly text?: string;
  readonly read?: string;
  readonly write?: string;
  readonly run?: string;
  /** Letters whose value can only be glued on. */
  readonly optional?: string;
  /** `name` without a value, `name:role` with one, `name?` with one that can only be glued on by `=`. */
  readonly long: string;
}

export interface OptionValue {
  readonly name: string;
  readonly role: Role;
  readonly value: string;
}

export interface ReadArguments {
  readonly values: readonly OptionValue[];
  readonly operands: readonly string[];
  /** Letters and long names that were given. */
  readonly given: ReadonlySet<string>;
  readonly unsure: boolean;
}

const ROLES: readonly Role[] = ['text', 'read', 'write', 'run'];

export function readOptions(args: readonly string[], table: OptionTable): ReadArguments {
  const values: OptionValue[] = [];
  const operands: string[] = [];
  const given = new Set<string>();
  let unsure = false;
  let at = 0;
  const separate = (name: string, role: Role): void => {
    const value = args[++at];
    // A value that looks like an option: whoever reads otherwise sees an option here.
    if (value === undefined || /^-./.test(value)) unsure = true;
    if (value !== undefined) values.push({ name, role, value });
  };
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      operands.push(arg);
    } else if (arg.startsWith('--')) {
      const [written = '', glued] = splitOnce(arg.slice(2));
      const option = longOption(table, written);
      if (option === undefined) {
        unsure = true;
        if (glued !== undefined) values.push({ name: written, role: 'text', value: glued });
        continue;
      }
      given.add(option.name);
      if (glued !== undefined) values.push({ name: option.name, role: option.role ?? 'text', value: glued });
      else if (option.role === 'run' && !option.takes)
        values.push({ name: option.name, role: 'run', value: '' });
      else if (option.takes) separate(option.name, option.role ?? 'text');
    } else {
      for (let index = 1; index < arg.length; index++) {
        const letter = arg[index] ?? '';
        given.add(letter);
        const glued = arg.slice(index + 1);
        const role = ROLES.find((one) => table[one]?.includes(letter));
        if (role !== undefined) {
          if (glued === '') separate(letter, role);
          else values.push({ name: letter, role, value: glued });
          break;
        }
        if (table.optional?.includes(letter)) {
          if (glued !== '') values.push({ name: letter, role: 'text', value: glued });
          break;
        }
        if (!table.flags.includes(letter)) {
          unsure = true;
          break;
        }
      }
    }
  }
  return { values, operands, given, unsure };
}

function splitOnce(option: string): [string, string | undefined] {
  const equals = option.indexOf('=');
  return equals < 0 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)];
}

interface LongOption {
  readonly name: string;
  readonly role: Role | undefined;
  /** A value must follow. */
  readonly takes: boolean;
}

/** By its full name, or by a beginning that only one has. */
function longOption({ long }: OptionTable, written: string): LongOption | undefined {
  if (written === '') return undefined;
  const all = long.split(' ').map((text): LongOption => {
    const [name = '', role] = text.split(':');
    return {
      name: name.replace(/\?$/, ''),
      role: role as Role | undefined,
      takes: role !== undefined && !name.endsWith('?'),
    };
  });
  const exact = all.find(({ name }) => name === written);
  if (exact !== undefined) return exact;
  const begun = all.filter(({ name }) => name.startsWith(written));
  return begun.length === 1 ? begun[0] : undefined;
}

/** No letter of an option: from here on it is a value. */
const NO_LETTER = /[\s/.='"`$(){}<>|;]/;

/**
 * For rules that restrict: every text that could be the value of an option, with what the table says of it. A letter that
 * the table does not know may take what follows it; a long name may be any that begins so.
 */
export function possibleValues(
  args: readonly string[],
  table: OptionTable | undefined,
): readonly OptionValue[] {
  const found: OptionValue[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-')) continue;
    const next = args[index + 1] ?? '';
    if (arg === '--') break;
    if (arg.startsWith('--')) {
      const [written, glued] = splitOnce(arg.slice(2));
      const roles = (table?.long ?? '')
        .split(' ')
        .filter((text) => text.startsWith(written))
        .flatMap((text) => (text.split(':')[1] as Role) ?? []);
      for (const role of roles.length > 0 || glued === undefined ? roles : (['text'] as const))
        found.push({ name: written, role, value: glued ?? next });
    } else if (/^-./.test(arg)) {
      const seen = new Set<string>();
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at] ?? '';
        if (NO_LETTER.test(letter)) break;
        // What took no value where it stood first takes none here.
        if (seen.has(letter)) continue;
        seen.add(letter);
        const role = ROLES.find((one) => table?.[one]?.includes(letter));
        const glued = arg.slice(at + 1);
        if (role !== undefined) found.push({ name: letter, role, value: glued === '' ? next : glued });
        else if (glued !== '') found.push({ name: letter, role: 'text', value: glued });
      }
    }
  }
  return found;
}
