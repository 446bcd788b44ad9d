/**
 * The fail-closed guard around the parser: each rule names a shape of text where the tree may not be what bash runs.
 * Measured against bash itself; a text that passes has every command, word and redirection in the tree.
 */
import {
  type ArithmeticCommandExpansion,
  type Assignment,
  type Command,
  type CommandExpansionPart,
  forEachChild,
  type HereDoc,
  type ParsedScript,
  type ProcessSubstitutionPart,
  type Redirect,
  type SyntaxNode,
} from 'unbash';
import { staticValue } from './word.ts';

/** A script's own text with a mark on each character that cannot open an expansion unseen. */
interface Region {
  readonly text: string;
  readonly covered: Uint8Array;
  /** The whole text, not that of something nested. */
  readonly isRoot: boolean;
}

const regionOf = (text: string, isRoot: boolean): Region => ({
  text,
  covered: new Uint8Array(text.length + 1),
  isRoot,
});

/** Why the tree cannot be trusted, or nothing. */
export function problemOfScript(text: string, script: ParsedScript): string | undefined {
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return 'it holds a control character';
  const root = regionOf(text, true);
  const regions = [root];
  const pending: { node: SyntaxNode; region: Region }[] = [{ node: script, region: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    let { region } = next;
    if (node.type === 'Word' && !MAY_HOLD_MORE.test(node.text)) continue;
    if (node.type === 'Script' && node.source !== undefined && node.source !== region.text) {
      region = regionOf(node.source, false);
      regions.push(region);
    }
    const problem = problemOfNode(node, region);
    if (problem !== undefined) return problem;
    forEachChild(node, (child) => {
      if (child.type !== 'Literal') pending.push({ node: child, region });
    });
  }
  return regions.some(hasUnseenOpener) ? 'it opens a substitution that the parser did not see' : undefined;
}

/** A word without one of these has no part that a rule here is about. */
const MAY_HOLD_MORE = /[$`'(<>]/;

function problemOfNode(node: SyntaxNode, region: Region): string | undefined {
  switch (node.type) {
    case 'Script':
      return 'errors' in node && node.errors?.length
        ? `it is not valid bash (${node.errors[0]?.message})`
        : undefined;
    case 'Command':
      return isEmpty(node) ? 'a command is missing' : splitWord(node, region);
    case 'Pipeline':
      return node.commands.length === 0 ? 'a command is missing' : undefined;
    case 'Redirect':
      return wordAfterClosing(node) ?? quotedDuplication(node);
    case 'Assignment':
      return gluedAssignment(node, region);
    case 'HereDoc':
      return unclearHereDoc(node, region);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      region.covered.fill(1, node.pos, node.end);
      return undefined;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return unparsedSubstitution(node, region) ?? printedAnew(node, region);
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return complexArithmetic(node, region);
    case 'Coproc':
      return 'it starts a coprocess';
    default:
      return undefined;
  }
}

const isEmpty = ({ name, prefix, suffix }: Command): boolean =>
  name === undefined && prefix.length + suffix.length === 0;

/** Words of a command must have a blank between them: `<(x)z` is one word for bash and two for the parser. */
function splitWord(command: Command, { text }: Region): string | undefined {
  const children = [...command.prefix, ...(command.name ? [command.name] : []), ...command.suffix];
  if (!children.every((child, index) => index === 0 || child.pos >= (children[index - 1]?.pos ?? 0)))
    children.sort((a, b) => a.pos - b.pos);
  for (const [index, child] of children.entries()) {
    const previous = children[index - 1];
    if (previous === undefined) continue;
    const gap = text.slice(previous.end, child.pos);
    if (gap === ' ') continue;
    const isWord = child.type === 'Word' || child.type === 'Assignment';
    if (!(isWord ? BLANKS : MAYBE_BLANKS).test(gap)) return 'words without a blank between them';
  }
  return undefined;
}

const BLANKS = /^(?:[ \t]|\\\n)+$/;
const MAYBE_BLANKS = /^(?:[ \t]|\\\n)*$/;

/** `<&-x`: bash ends the redirection at the `-`, and `x` is a word of the command. */
function wordAfterClosing(redirect: Redirect): string | undefined {
  return tailOfClosing(redirect) === undefined ? undefined : 'a word is glued to a descriptor that is closed';
}

/** What bash reads as the next word after `<&-`. */
export function tailOfClosing({ operator, target }: Redirect): string | undefined {
  if (!/^[<>]&$/.test(operator)) return undefined;
  const text = target?.text.replace(/^(?:\\\n)+/, '') ?? '';
  return /^-./s.test(text) ? text.slice(1) : undefined;
}

/** `>& "2"` is a file or a descriptor, depending on how bash reads the quotes. */
function quotedDuplication(redirect: Redirect): string | undefined {
  const { target } = redirect;
  if (redirect.operator !== '>&' || target === undefined || /^[\w./-]+$/.test(target.text)) return undefined;
  return staticValue(target) === undefined ? undefined : 'the target of ">&" is quoted';
}

/** `a=(1 $(x))z`: what is glued to an array literal hides what is in it. */
function gluedAssignment(assignment: Assignment, { text }: Region): string | undefined {
  const { value } = assignment;
  if (value.end !== assignment.end) return 'an assignment that the parser read only in part';
  if (value.type === 'Word') return value.text.startsWith('(') ? 'text glued to an array' : undefined;
  const after = text[assignment.end];
  return after === undefined || /[ \t\n;&|)<>`]/.test(after) ? undefined : 'text glued to an array';
}

function unclearHereDoc(hereDoc: HereDoc, region: Region): string | undefined {
  if (!PLAIN_DELIMITER.test(hereDoc.delimiter?.text ?? ''))
    return 'the delimiter of a here-document is not plain';
  // Plain text to the end of it all is what bash takes it for; inside a substitution it reads on elsewhere.
  const isRest = region.isRoot && hereDoc.body.end >= region.text.length && !/[$`\\]/.test(hereDoc.body.text);
  if (hereDoc.closing === undefined && !isRest) return 'a here-document is not closed';
  if (hereDoc.delimiter?.quoted) region.covered.fill(1, hereDoc.body.pos, hereDoc.body.end);
  return undefined;
}

const PLAIN_DELIMITER = /^(?:\\?[A-Za-z0-9_.]+|'[^'"\\$`\n]*'|"[^'"\\$`\n]*")$/;

function unparsedSubstitution(
  node: CommandExpansionPart | ProcessSubstitutionPart | ArithmeticCommandExpansion,
  { text, covered }: Region,
): string | undefined {
  covered[node.pos] = 1;
  if (text[node.pos] === '`') covered.fill(1, node.pos, node.end);
  return node.script === undefined ? 'a substitution could not be parsed' : undefined;
}

/**
 * Bash prints what is in `$(…)` and `<(…)` anew before it runs it, and loses a `;` behind a here-document: of
 * `$(cat <<E` … `E`, `git;push)` it runs `git push` (5.2). Backticks are run as they are written.
 */
function printedAnew(
  { pos, script }: CommandExpansionPart | ProcessSubstitutionPart | ArithmeticCommandExpansion,
  { text }: Region,
): string | undefined {
  if (script === undefined || text[pos] === '`') return undefined;
  let holdsHereDoc = false;
  let holdsList = false;
  const pending: SyntaxNode[] = [script];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // A substitution within a word is printed by itself.
    if (node.type === 'Word' || node.type === 'Assignment') continue;
    if (node.type === 'HereDoc') holdsHereDoc = true;
    else {
      if ((node.type === 'Script' || node.type === 'CompoundList') && node.commands.length > 1)
        holdsList = true;
      forEachChild(node, (child) => pending.push(child as SyntaxNode));
    }
  }
  return holdsHereDoc && holdsList
    ? 'a here-document stands beside other commands in a substitution'
    : undefined;
}

/** Arithmetic that bash may read again as commands, or that holds any. */
function complexArithmetic(
  node: { pos: number; end: number },
  { text, covered }: Region,
): string | undefined {
  covered[node.pos] = 1;
  return PLAIN_ARITHMETIC.test(text.slice(node.pos, node.end)) ? undefined : 'its arithmetic is not plain';
}

const PLAIN_ARITHMETIC = /^\$?(?:\(\(|\[)(?:(?!\$\()[\w \t+\-*/%<>=!&|^~?:,()$[\]{}])*(?:\)\)|\])$/;

const OPENERS = ['`', '$(', '$\\\n', '<(', '>('];

/** Every opener outside single quotes must belong to a node of the tree. */
function hasUnseenOpener({ text, covered }: Region): boolean {
  if (!OPENERS.some((opener) => text.includes(opener))) return false;
  for (let i = 0; i < text.length; i++) {
    if (covered[i]) continue;
    const char = text[i];
    if (char === '\\') {
      i++;
    } else if (char === '#' && (i === 0 || /[\s;&|()]/.test(text[i - 1] ?? ''))) {
      while (i < text.length && text[i] !== '\n') i++;
    } else if (char === '`' || (char === '$' && (text[i + 1] === '(' || text.startsWith('\\\n', i + 1)))) {
      return true;
    } else if ((char === '<' || char === '>') && text[i + 1] === '(') {
      return true;
    }
  }
  return false;
}
