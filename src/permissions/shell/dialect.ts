/** Where shells other than bash read a text otherwise than bash: what is written so is not understood. */
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash';

/** `posix`: sh and its kin, dash as well as bash. `foreign`: a grammar of its own. */
export type Dialect = 'bash' | 'posix' | 'zsh' | 'foreign';

const FOREIGN = new Set('fish pwsh nu elvish xonsh rc csh tcsh'.split(' '));

/** Of a shell by its name. */
export function dialectOf(program: string): Dialect {
  if (program === 'bash' || program === 'rbash') return 'bash';
  if (program === 'zsh') return 'zsh';
  return FOREIGN.has(program) ? 'foreign' : 'posix';
}

export function unlikeBash(dialect: Dialect, code: string): string | undefined {
  if (dialect === 'bash' || !isUnlike(dialect, code)) return undefined;
  return 'it is code for a shell that may read it otherwise than bash';
}

function isUnlike(dialect: Exclude<Dialect, 'bash'>, code: string): boolean {
  switch (dialect) {
    case 'posix':
      return MAY_BE_UNLIKE.test(code) && hasNode(parsed(code), isUnlikePosix);
    case 'zsh':
      return UNLIKE_ZSH.test(code.replace(PLAIN_QUOTES, 'q'));
    case 'foreign':
      return !PLAIN.test(code);
  }
}

const MAY_BE_UNLIKE = /\(\(|\$['[]|\[\[|[<>]\(|\$\{/;
/** `((…))` is a subshell in a subshell, `[[` a program whose `<`, `>`, `&&` are those of the shell, `$'…'` a dollar and a quoted text. */
function isUnlikePosix(node: SyntaxNode, code: string): boolean {
  switch (node.type) {
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'AnsiCQuoted':
    case 'ProcessSubstitution':
      return true;
    case 'ArithmeticExpansion':
      return node.text.startsWith('$[');
    case 'TestCommand':
      return /[<>&|();\n]/.test(code.slice(node.pos, node.end));
    case 'ParameterExpansion':
      return hasQuote(node) || /^\$\{[\s|]/.test(node.text);
    default:
      return false;
  }
}

/** `"${x:-'}"`: by the standard the quote is a character like any other there, for bash it opens a quoted text. */
const hasQuote = (node: SyntaxNode): boolean => node.type === 'ParameterExpansion' && node.text.includes("'");

/** Bash itself may be told to keep to the standard: `set -o posix`, also put together by an expansion. */
const MAY_TURN_POSIX = /posix|\bset\b[^;&|\n]*[$`{*?[]/i;
const QUOTE_IN_BRACES = /\$\{[^}]*'/;

export const turnsPosix = (text: string, script: ParsedScript): boolean =>
  QUOTE_IN_BRACES.test(text) &&
  (MAY_TURN_POSIX.test(text) || MAY_TURN_POSIX.test(text.replace(/["'\\]/g, ''))) &&
  hasNode({ script, text }, hasQuote);

interface Parsed {
  readonly script: ParsedScript;
  readonly text: string;
}

/** Texts that are too long are not taken apart by anybody. */
const LONGEST = 20_000;

function parsed(text: string): Parsed | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    return { script: parse(text), text };
  } catch {
    return undefined;
  }
}

/** True also where it cannot be told. */
function hasNode(tree: Parsed | undefined, isMeant: (node: SyntaxNode, text: string) => boolean): boolean {
  if (tree === undefined) return true;
  const pending: { node: SyntaxNode; text: string }[] = [{ node: tree.script, text: tree.text }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    const text = node.type === 'Script' && node.source !== undefined ? node.source : next.text;
    if (isMeant(node, text)) return true;
    forEachChild(node, (child) => {
      pending.push({ node: child as SyntaxNode, text });
    });
  }
  return false;
}

const PLAIN_QUOTES = /\\.|\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\$`]|\\.)*"/gs;
/**
 * Expansions with flags or within each other, `=program`, `>!`, a comment that an interactive zsh takes for words, the
 * modifier `-`, code behind a pattern (`*(e:…:)`), and builtins that run text or name programs anew.
 */
const UNLIKE_ZSH = new RegExp(
  [
    '\\$\\{(?!#?\\w+(?:[:%#/+?=^,@-][^}(){$`\'"]*)?\\})',
    '\\$[~=^+]',
    '(?:^|[\\s;&|(){}`])(?:=[\\w(]|-\\s)',
    '>[>&|]*!',
    '(?:^|\\s)#',
    '[^\\s$<>=(;&|]\\((?!\\))',
    '\\b(?:emulate|zmodload|sched|functions|aliases|galiases|saliases|foreach|zle|zf_\\w+)\\b',
  ].join('|'),
);

/** The same in every shell: words, texts in plain quotes, and what separates commands. */
const PLAIN = /^(?:[\w./,+@\t\n ;&|-]|(?<=[\w-])=|'[\w ./,:+@%=-]*'|"[\w ./,:+@%=-]*")*$/;
