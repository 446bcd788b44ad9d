/** Where a shell may stop to read a text that it sources: what stands behind `return`, `exit` and `exec` is not run. */
import { type Command, forEachChild, type Statement, type SyntaxNode } from 'unbash';
import { staticValue } from '../permissions/shell/word.ts';

/** They run later, or in a shell of their own, which is all that ends. */
const ELSEWHERE = /^(?:Function|Subshell|Coproc|CommandExpansion|ProcessSubstitution|Word)$/;

/** Also where it depends: `[ -n "$X" ] || return`. */
export function mayEndReading({ background, command }: Statement): boolean {
  return !background && mayEnd(command);
}

function mayEnd(node: SyntaxNode): boolean {
  if (node.type === 'Command') return ends(node);
  if (node.type === 'Statement') return mayEndReading(node);
  if (ELSEWHERE.test(node.type) || (node.type === 'Pipeline' && node.commands.length > 1)) return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= mayEnd(child);
  });
  return found;
}

function ends({ name, args }: Command): boolean {
  if (name === undefined) return false;
  const words = [name, ...args].map((word) => (word.type === 'Word' ? staticValue(word) : undefined));
  const at = words.findIndex((word) => word === undefined || !/^(?:command|builtin|-p|--)$/.test(word));
  const first = words[at];
  // With nothing but redirections `exec` goes on.
  return first === 'return' || first === 'exit' || (first === 'exec' && at + 1 < words.length);
}
