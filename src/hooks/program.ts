/** Which file a command hook would start, as far as its text tells, and whether it could. Looks at the disk, starts nothing. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { Handler } from './hook.ts';

export interface ProgramPlace {
  /** Where hooks run. */
  readonly project: string;
  readonly home: string;
  /** The PATH that hooks get. */
  readonly path: string;
}

export interface ProgramProblem {
  readonly kind: 'missing' | 'notExecutable' | 'notOnPath';
  /** A clause: `/p/x.py does not exist`. */
  readonly text: string;
}

export interface Program {
  /** The script or executable that the command names; undefined where it names none, or none that can be told. */
  readonly file: string | undefined;
  /** The system starts the file itself, so that its exec bit and its first line count. */
  readonly isStartedItself: boolean;
  readonly problem?: ProgramProblem;
}

const UNKNOWN: Program = { file: undefined, isStartedItself: false };
const INTERPRETER =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|sh|bash|dash|ksh|zsh)$/;
/** Words after which the real command comes. */
const PREFIX = /^(?:exec|command|env|nohup|time)$/;
/** What a shell knows without a file. */
const OF_THE_SHELL =
  /^(?:[.:[{(!]|\[\[|alias|bg|break|builtin|case|cd|command|continue|declare|do|done|echo|elif|else|esac|eval|exec|exit|export|false|fi|for|function|getopts|hash|if|jobs|kill|let|local|mapfile|popd|printf|pushd|pwd|read|readarray|readonly|return|select|set|shift|shopt|source|test|then|time|times|trap|true|type|typeset|ulimit|umask|unalias|unset|until|wait|while)$/;

export function programOf(handler: Handler, place: ProgramPlace): Program {
  if (handler.type !== 'command') return UNKNOWN;
  const { command, args } = handler;
  const fill = (text: string) => text.replace(/\$\{(?:CLAUDE|HOOKD)_PROJECT_DIR\}/g, () => place.project);
  const words = args === undefined ? firstWords(command, place) : [command, ...args].map(fill);
  let start = 0;
  if (args === undefined) while (isPrefix(words[start])) start += 1;
  const [name, ...rest] = words.slice(start);
  // Another user's home, an option of a prefix: not to be told.
  if (name === undefined || name === '' || /^[-~]/.test(name)) return UNKNOWN;
  if (args === undefined && OF_THE_SHELL.test(name)) return UNKNOWN;
  const itself = executable(name, place);
  if (itself.problem !== undefined || !INTERPRETER.test(basename(name))) return itself;
  return scriptOf(basename(name), rest, place);
}

function isPrefix(word: string | undefined): boolean {
  return word !== undefined && (PREFIX.test(word) || /^[A-Za-z_]\w*=/.test(word));
}

function executable(name: string, { project, path }: ProgramPlace): Program {
  if (!name.includes('/')) {
    if (isOnPath(name, path)) return UNKNOWN;
    return { ...UNKNOWN, problem: { kind: 'notOnPath', text: `there is no ${name} on the PATH` } };
  }
  const file = resolve(project, name);
  const problem = whyNoFile(file) ?? (isExecutable(file) ? undefined : notExecutable(file));
  return { file, isStartedItself: true, ...(problem === undefined ? {} : { problem }) };
}

/** `python3 -u x.py`: the first word that is no option, unless it may be the value of one. */
function scriptOf(interpreter: string, words: readonly string[], { project }: ProgramPlace): Program {
  const code = /sh$/.test(interpreter) ? /^-[a-z]*c$/ : /^(?:-[a-z]*[cem]|--eval|-p|--print)$/;
  const at = words.findIndex((word) => !word.startsWith('-') && word !== 'run');
  const name = words[at];
  const options = words.slice(0, at);
  if (name === undefined || options.some((word) => code.test(word))) return UNKNOWN;
  const file = resolve(project, name);
  const problem = whyNoFile(file);
  if (problem === undefined) return { file, isStartedItself: false };
  const mayTakeValue = options.some((word) => /^-\w*[IMOWXor]$|^--[^=]*$/.test(word));
  return mayTakeValue ? UNKNOWN : { file, isStartedItself: false, problem };
}

function whyNoFile(file: string): ProgramProblem | undefined {
  try {
    if (!statSync(file).isDirectory()) return undefined;
    return { kind: 'missing', text: `${file} is a directory` };
  } catch {
    return { kind: 'missing', text: `${file} does not exist` };
  }
}

const notExecutable = (file: string): ProgramProblem => ({
  kind: 'notExecutable',
  text: `${file} may not be executed`,
});

export const isOnPath = (name: string, path: string): boolean => fileOnPath(name, path) !== undefined;

/** Only in directories that are the same wherever one is. */
export function fileOnPath(name: string, path: string): string | undefined {
  return path
    .split(':')
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The words of the first simple command, up to the first that only a shell could tell. */
function firstWords(command: string, { project, home }: ProgramPlace): readonly string[] {
  const known: Readonly<Record<string, string>> = {
    CLAUDE_PROJECT_DIR: project,
    HOOKD_PROJECT_DIR: project,
    HOME: home,
  };
  const pieces =
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([^\n])|(\$\{?([A-Za-z_]\w*)\}?)|([;&|<>()\n])|([ \t]+)|([^'"\\$;&|<>()\s]+)|./gs;
  const words: string[] = [];
  let word: string | undefined;
  for (const [whole, single, double, escaped, , variable, operator, blank, plain] of command
    .trim()
    .matchAll(pieces)) {
    if (operator !== undefined) break;
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text =
      single ??
      (double === undefined ? undefined : filledIn(double, known)) ??
      escaped ??
      (variable === undefined ? undefined : known[variable]) ??
      (plain === undefined || /[*?[`]/.test(plain) ? undefined : plain);
    // A comment, a substitution, a pattern, a variable that we do not know.
    if (text === undefined || (word === undefined && whole.startsWith('#'))) return words;
    word = word === undefined && plain !== undefined ? text.replace(/^~(?=\/|$)/, home) : (word ?? '') + text;
  }
  return word === undefined ? words : [...words, word];
}

function filledIn(text: string, known: Readonly<Record<string, string>>): string | undefined {
  let isKnown = !/`|\$\(/.test(text);
  const filled = text
    .replace(/\$\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => {
      const value = known[name];
      if (value === undefined) isKnown = false;
      return value ?? '';
    })
    .replace(/\\(["\\$`])/g, '$1');
  return isKnown ? filled : undefined;
}
