/**
 * THE ONE EXCEPTION to the guard of hookd's own directory: Read, and no other tool, may read the whole outputs of this
 * session's own commands. The name must be one that hookd gives, spelled as hookd spells it, with no link on the way;
 * what is opened is compared with it once more. Deny rules, hooks and ask rules still count.
 */
import { basename, dirname } from 'node:path';
import type { Context } from './context.ts';

/** The names that hookd gives. */
export const OUTPUT_NAME = /^[A-Za-z0-9_-]{1,120}\.txt$/;

export function isKeptOutput(
  { permissions, call, place }: Context,
  { access, path }: { readonly access: 'read' | 'write'; readonly path: string },
): boolean {
  return (
    permissions.keptOutputs !== undefined &&
    call.tool.name === 'Read' &&
    access === 'read' &&
    dirname(path) === permissions.keptOutputs &&
    OUTPUT_NAME.test(basename(path)) &&
    place.realPath(path) === path
  );
}
