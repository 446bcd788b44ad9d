/** The pieces of one command besides its plain words: assignments, also as arguments, and redirections. */
import {
  type Assignment,
  type Command,
  forEachChild,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import type { SimpleCommand } from './commands.ts';
import { tailOfClosing } from './guard.ts';
import { literalWord, type ShellState, type ShellWord, shellWord, staticValue } from './word.ts';

export interface ShellRedirect {
  /** `<`, `>`, `>>`, `<>`, `>|`, `&>`, `&>>`, `>&`. Duplications of a descriptor and here-texts are not listed. */
  readonly operator: string;
  readonly target: ShellWord;
}

export interface ShellAssignment {
  readonly name: string;
  readonly text: string;
  /** `undefined` where bash may make something else of it. */
  readonly value: string | undefined;
}

export interface Redirections {
  readonly redirects: readonly ShellRedirect[];
  /** The text of a here-document or here-string. */
  readonly stdin: string | undefined;
  readonly stdinSure: boolean;
  /** Why rules for parts cannot allow the command. */
  readonly obstacle: string | undefined;
  /** Its stdin is a copy of another descriptor, `<&3`. */
  readonly isCopied: boolean;
}

/** A word after the command's name; `dd of=x`, `export A=1` come as assignments. */
function readArgument(word: Word | Assignment, state: ShellState): ShellWord {
  if (word.type === 'Word') return shellWord(word, state);
  const { text, value, index } = word;
  if (value.type === 'ArrayValue')
    return { text, kind: 'dynamic', value: text, guesses: [text], produced: undefined };
  const inner = shellWord(value, state);
  const name = text.slice(0, text.indexOf('=') + 1);
  return {
    text,
    kind: inner.kind === 'static' && index === undefined ? 'static' : 'dynamic',
    value: name + inner.value,
    guesses: inner.guesses.map((guess) => name + guess),
    produced: undefined,
  };
}

/** The words, with what follows the `-` of `<&-` among them: for bash that is a word. */
export function readWords({ name, args, redirects }: Command, state: ShellState): readonly ShellWord[] {
  const tails = redirects.flatMap((redirect) => {
    const tail = redirect.type === 'Redirect' ? tailOfClosing(redirect) : undefined;
    return tail === undefined ? [] : [{ pos: redirect.pos, word: literalWord(tail.replace(/["'\\]/g, '')) }];
  });
  const written = [...(name ? [name] : []), ...args].map((word) => ({
    pos: word.pos,
    word: readArgument(word, state),
  }));
  if (tails.length === 0) return written.map(({ word }) => word);
  return [...written, ...tails].sort((a, b) => a.pos - b.pos).map(({ word }) => word);
}

/** `[[ … ]]` as a command of that name with its operators and operands. */
export function readTest(node: SyntaxNode, state: ShellState): readonly ShellWord[] {
  const words = [literalWord('[[')];
  const collect = (inner: SyntaxNode): void => {
    if (inner.type === 'TestUnary' || inner.type === 'TestBinary') words.push(literalWord(inner.operator));
    if (inner.type === 'Word') words.push(shellWord(inner, state));
    else forEachChild(inner, collect);
  };
  collect(node);
  return words;
}

export function readAssignment({ name, text, value, index, append }: Assignment): ShellAssignment {
  const exact = value.type === 'Word' && index === undefined && !append ? staticValue(value) : undefined;
  return { name, text, value: exact };
}

export function readRedirections(redirections: readonly Redirection[], state: ShellState): Redirections {
  const redirects: ShellRedirect[] = [];
  let stdin: string | undefined;
  let stdinSure = true;
  let obstacle: string | undefined;
  let isCopied = false;
  const hereDocs = redirections.filter(({ type }) => type === 'HereDoc').length;
  if (hereDocs > 0 && redirections.length > hereDocs) obstacle = 'a here-document beside a redirection';
  for (const redirection of redirections) {
    if (redirection.type === 'HereDoc') {
      stdin = redirection.body.text;
      stdinSure = redirection.delimiter?.quoted === true || !/[$`\\]/.test(stdin);
      continue;
    }
    if (redirection.target === undefined) {
      obstacle = 'a redirection without a target';
      continue;
    }
    if (redirection.type === 'Redirect' && tailOfClosing(redirection) !== undefined) {
      obstacle = 'a descriptor that is closed';
      continue;
    }
    const target = shellWord(redirection.target, state);
    if (redirection.type === 'HereString') {
      stdin = target.guesses.join(' ');
      stdinSure = target.kind === 'static';
      if (target.kind === 'dynamic') obstacle = `the here-string ${target.text}`;
      continue;
    }
    if (redirection.operator === '<&') isCopied = true;
    if (redirection.descriptor?.type === 'FileDescriptorVariable')
      obstacle = 'a descriptor kept in a variable';
    if (redirection.operator === '<>') obstacle = 'a file opened to be read and written';
    if (!/^[<>]&$/.test(redirection.operator) || !/^(?:\d+-?|-)$/.test(target.text)) {
      redirects.push({ operator: redirection.operator, target });
    } else if (target.text.endsWith('-')) {
      obstacle = 'a descriptor that is closed';
    } else if (!isCopyOfOutput(redirection, target.text)) {
      obstacle = 'a copy of a descriptor';
    }
  }
  return { redirects, stdin, stdinSure, obstacle, isCopied };
}

/** `2>&1`, `>&2`: of standard output and the errors alone. */
function isCopyOfOutput({ operator, descriptor }: Redirection, target: string): boolean {
  const from = descriptor?.type === 'FileDescriptor' ? descriptor.value : 1;
  return operator === '>&' && (from === 1 || from === 2) && /^[12]$/.test(target);
}

export type EmittedCommand = Pick<SimpleCommand, 'words' | 'assignments' | 'redirects' | 'isPart'> &
  Partial<SimpleCommand>;

/** With what most commands have. Written out: spreading it costs as much as the parse. */
export function simpleCommand(command: EmittedCommand, cwds: readonly string[]): SimpleCommand {
  const { words, assignments, redirects, isPart, obstacle, stdin } = command;
  const { timed = false, stdinSure = true, piped = false } = command;
  return { words, assignments, redirects, obstacle, timed, stdin, stdinSure, piped, cwds, isPart };
}
