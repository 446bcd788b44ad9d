/**
 * Arithmetic, subscripts and indirect names evaluate what a variable holds, substitutions in it included. Whatever stands in
 * a command as data may come to be held by a variable, in more ways than can be followed: both together are a doubt.
 */
import { type Command, forEachChild, type ParsedScript, type SyntaxNode, type Word } from 'unbash';

export interface Evaluated {
  /** Something in it evaluates what a variable holds. */
  readonly evaluates: boolean;
  /** Texts in it that are data and hold a substitution; `\0` stands for what is known only when it runs. */
  readonly data: readonly string[];
}

export const NOTHING_EVALUATED: Evaluated = { evaluates: false, data: [] };

const SUBSTITUTION = /\$\(|\$\{[\s|]|`|\\+(?:0*44|x24|u0*24|0*140|x60|u0*60)/;
/** The same, where several texts may be put together. */
const PART_OF_ONE = /[$`]/;
const HOLE = '\0';

export function evaluatedBy(text: string, script: ParsedScript): Evaluated {
  if (!text.includes('$') && !text.includes('`') && !text.includes('((')) return NOTHING_EVALUATED;
  let evaluates = false;
  const data: string[] = [];
  /** `fills`: what stands there becomes the value of a variable. */
  const visit = (node: SyntaxNode, fills: boolean): void => {
    evaluates ||= evaluatesVariable(node);
    if (node.type === 'Word') {
      if (!MAY_HOLD.test(node.text)) return;
      const held = literalOf(node);
      if ((fills ? PART_OF_ONE : SUBSTITUTION).test(held)) data.push(held);
    } else if (node.type === 'HereDoc') {
      const { body, delimiter } = node;
      if (delimiter?.quoted ? SUBSTITUTION.test(body.text) : /\\[$`]/.test(body.text)) data.push(body.text);
    }
    const isCode = node.type === 'Script' || node.type === 'CompoundList';
    const inside = !isCode && (fills || fillsVariables(node));
    forEachChild(node, (child) => visit(child, inside));
  };
  visit(script, false);
  return { evaluates, data };
}

/** What all texts together hold: those in the command, and those that it runs as code. */
export class HeldTexts {
  #evaluates = false;
  readonly #data: string[] = [];
  readonly #ran: string[] = [];

  take({ evaluates, data }: Evaluated): void {
    this.#evaluates ||= evaluates;
    if (data.length > 0) this.#data.push(...data);
  }

  ran(code: string): void {
    this.#ran.push(code);
  }

  /** What was looked at as code is no data; each code stands for one text. */
  doubt(): readonly string[] {
    if (!this.#evaluates || this.#data.length === 0) return [];
    const codes = [...this.#ran];
    const isLeft = this.#data.some((text) => {
      const at = codes.findIndex((code) => text.split(HOLE).every((piece) => code.includes(piece)));
      if (at >= 0) codes.splice(at, 1);
      return at < 0;
    });
    return isLeft ? ['it evaluates variables, which may hold a substitution that stands in it as text'] : [];
  }
}

const MAY_HOLD = /[$`\\]/;

/** What of a word is text. */
function literalOf({ value, parts }: Word): string {
  if (parts === undefined) return value;
  const piece = (part: { type: string; value?: string; text: string; parts?: unknown }): string => {
    if (part.type === 'ParameterExpansion' || /Expansion$|Substitution$/.test(part.type))
      return part.type === 'BraceExpansion' ? part.text.replaceAll('\\', '') : HOLE;
    if (Array.isArray(part.parts)) return part.parts.map(piece).join('');
    return part.value ?? part.text;
  };
  return parts.map(piece).join('');
}

const FILLS = new Set(
  'set read mapfile readarray export declare typeset local readonly printf env let'.split(' '),
);
const NAMES = new Set(
  'read mapfile readarray declare typeset local export readonly unset printf let getopts test ['.split(' '),
);
const DECLARES = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);
const USES_NAME = /[A-Za-z_$]/;

function fillsVariables(node: SyntaxNode): boolean {
  if (node.type === 'Assignment') return true;
  return node.type === 'Command' && FILLS.has(node.name?.text ?? '') && !isPrinted(node);
}

/** `printf` sets no variable without `-v`. */
const isPrinted = ({ name, args }: Command): boolean =>
  name?.text === 'printf' && !args.some(({ text }) => text.startsWith('-v'));

function evaluatesVariable(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ArithmeticFor':
      return true;
    case 'ArithmeticCommand':
      return USES_NAME.test(node.body);
    case 'ArithmeticExpansion':
      return USES_NAME.test(node.text.slice(1));
    case 'ParameterExpansion': {
      const { text, prefix, index } = node;
      if (prefix === '!' && !/^\$\{!\w+(?:[@*]|\[[@*]\])\}$/.test(text)) return true;
      if (index !== undefined && USES_NAME.test(index.text)) return true;
      return /^\$\{[!#]?\w+(?:\[[^\]]*\])?:[^-+=?}]*[A-Za-z_$]/.test(text);
    }
    case 'Assignment':
      return node.index !== undefined && USES_NAME.test(node.index.text);
    case 'TestBinary':
      return (
        /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator) && USES_NAME.test(node.left.text + node.right.text)
      );
    case 'Command': {
      const name = node.name?.text ?? '';
      if (name === 'let') return true;
      if (!NAMES.has(name)) return false;
      // Numbers and references to names evaluate what they are given.
      return node.args.some(
        ({ text }) => text.includes('[') || (DECLARES.has(name) && /^-[a-zA-Z]*[in]/.test(text)),
      );
    }
    default:
      return false;
  }
}
