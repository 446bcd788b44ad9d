/**
 * The text of a `CLAUDE_ENV_FILE`: what of it sets and unsets variables, by the shell's grammar. Nothing is run, and what
 * only a shell could tell is no step: it is told by its line.
 */
import { type Assignment, parse, type Statement, type Word } from 'unbash';
import { messageOf } from '../core/errors.ts';
import { parseCommand } from '../permissions/shell/parse.ts';
import { staticValue } from '../permissions/shell/word.ts';
import { mayEndReading } from './env-end.ts';
import { type Piece, piecesOfValue, piecesOfWord } from './env-value.ts';

export type EnvStep =
  | (EnvPlace & { readonly kind: 'set'; readonly name: string; readonly value: readonly Piece[] })
  | (EnvPlace & { readonly kind: 'unset'; readonly name: string });

interface EnvPlace {
  readonly line: number;
  /** Counted from the begin of the text. `export A=1 B=$A` sets B to what A was before: it sees what was set until then. */
  readonly statement: number;
  readonly isPlain: boolean;
}

export interface EnvText {
  /** In the order of the text: later ones see what earlier ones have set. */
  readonly steps: readonly EnvStep[];
  /** Sentences without their end. */
  readonly problems: readonly string[];
}

/** What no hook writes line by line is not parsed; of here-documents, which set nothing, even less: they take long. */
const LONGEST_TEXT = 64 * 1024;
const LONGEST_WITH_HERE_DOCUMENTS = 4 * 1024;
const VARIABLE = /^[A-Za-z_]\w*$/;

export function readEnvText(written: string): EnvText {
  const text = written.replace(/\r\n/g, '\n');
  const most = text.includes('<<') ? LONGEST_WITH_HERE_DOCUMENTS : LONGEST_TEXT;
  if (text.length > most)
    return { steps: [], problems: [`it is longer than ${most} characters, and was not read`] };
  try {
    return readStatements(text);
  } catch (error) {
    return { steps: [], problems: [`it cannot be parsed, and was not read: ${messageOf(error)}`] };
  }
}

function readStatements(text: string): EnvText {
  const { commands, errors = [] } = parse(text);
  const [fault] = errors;
  // As for a shell, which runs line after line: what stands in the lines before it counts.
  const isBefore = ({ end }: Statement): boolean =>
    fault === undefined || text.slice(end, fault.pos).includes('\n');
  const steps: EnvStep[] = [];
  const problems: string[] = [];
  let lines = 1;
  let at = 0;
  const lineOf = (pos: number): number => {
    lines += text.slice(at, pos).split('\n').length - 1;
    at = pos;
    return lines;
  };
  for (const [index, statement] of commands.filter(isBefore).entries()) {
    const { pos, end, command } = statement;
    const isPlain = command.type === 'Command' && command.name === undefined;
    const line = lineOf(pos);
    if (mayEndReading(statement)) {
      problems.push(
        `line ${line} (${shown(text.slice(pos, end))}) may end it, and from there on it was not read`,
      );
      return { steps, problems };
    }
    const found = parseCommand(text.slice(pos, end)).ok ? changesOf(statement) : undefined;
    if (found !== undefined)
      for (const change of found) steps.push({ ...change, line, statement: index, isPlain });
    else problems.push(`line ${line} (${shown(text.slice(pos, end))}) is not understood, and was left out`);
  }
  if (fault !== undefined) {
    const begin = commands.find(({ pos, end }) => pos <= fault.pos && fault.pos < end)?.pos ?? fault.pos;
    problems.push(`from line ${lineOf(begin)} on it was not read: ${fault.message}`);
  }
  return { steps, problems };
}

/** Its first line; a value may be a secret. */
function shown(statement: string): string {
  const [first = ''] = statement.split('\n');
  const text = first.replace(/=.*/, '=…').slice(0, 60);
  return text === statement || text.endsWith('…') ? text : `${text}…`;
}

type Change = EnvStep extends infer Step
  ? Step extends EnvStep
    ? Omit<Step, keyof EnvPlace>
    : never
  : never;

/** Of one statement; undefined where it is, or may be, anything else. */
function changesOf({ background, command }: Statement): readonly Change[] | undefined {
  if (background || command.type !== 'Command' || command.redirects.length > 0) return undefined;
  const { name, prefix, args } = command;
  const before = prefix.filter((part) => part.type === 'Assignment');
  if (name === undefined) return all(before, setting);
  if (before.length > 0) return undefined;
  const options = optionsBefore(args);
  const rest = args.slice(options.length);
  switch (staticValue(name)) {
    case 'export':
      return options.every((option) => option === '--') ? all(rest, setting) : undefined;
    case 'declare':
    case 'typeset':
      return /^(?:-[rx]+ ?)*(?:--)?$/.test(options.join(' ')) && options.join().includes('x')
        ? all(rest, setting)
        : undefined;
    case 'unset':
      return options.every((option) => option === '-v' || option === '--') ? all(rest, unsetting) : undefined;
    default:
      return undefined;
  }
}

type Argument = Word | Assignment;

/** The options, with the `--` that ends them. */
function optionsBefore(args: readonly Argument[]): readonly string[] {
  const texts = args.map(({ text }) => text);
  const last = texts.findIndex((text) => text === '--' || !/^-./.test(text));
  return last < 0 ? texts : texts.slice(0, texts[last] === '--' ? last + 1 : last);
}

function all<Of>(
  ones: readonly Of[],
  read: (one: Of) => readonly Change[] | undefined,
): readonly Change[] | undefined {
  const found = ones.map(read);
  return found.every((changes) => changes !== undefined) ? found.flat() : undefined;
}

function setting(argument: Argument): readonly Change[] | undefined {
  if (argument.type === 'Assignment') {
    const { name, value, index, append } = argument;
    if (value.type !== 'Word' || index !== undefined || !VARIABLE.test(name)) return undefined;
    return setTo(name, append === true, piecesOfValue(value));
  }
  // `export NAME` gives commands what is set already; `export "NAME=$x"` is an assignment, too.
  const pieces = piecesOfWord(argument);
  const [first = '', ...more] = pieces ?? [''];
  if (typeof first !== 'string') return undefined;
  if (more.length === 0 && VARIABLE.test(first)) return [];
  const [whole, name = '', append = ''] = /^([A-Za-z_]\w*)(\+?)=/.exec(first) ?? [];
  return whole === undefined ? undefined : setTo(name, append !== '', [first.slice(whole.length), ...more]);
}

function setTo(
  name: string,
  append: boolean,
  value: readonly Piece[] | undefined,
): readonly Change[] | undefined {
  if (value === undefined) return undefined;
  return [{ kind: 'set', name, value: append ? [{ variable: name, isNow: true }, ...value] : value }];
}

function unsetting(argument: Argument): readonly Change[] | undefined {
  const name = argument.type === 'Word' ? staticValue(argument) : undefined;
  return name !== undefined && VARIABLE.test(name) ? [{ kind: 'unset', name }] : undefined;
}
