/** An id that a person has typed: its beginning is enough where it is the only one that begins so. */
import { type ErrorCode, HookdError } from '../core/errors.ts';

/** Throws `unknown` where nothing begins so, USAGE where several do. */
export function byPrefix<One extends { readonly id: string }>(
  typed: string,
  all: readonly One[],
  what: string,
  unknown: ErrorCode,
): One {
  const found = all.filter(({ id }) => typed !== '' && id.startsWith(typed));
  const exact = found.find(({ id }) => id === typed);
  const [one, other] = found;
  if (exact !== undefined) return exact;
  if (one === undefined) throw new HookdError(unknown, `There is no ${what} ${JSON.stringify(typed)}.`);
  if (other !== undefined)
    throw new HookdError(
      'USAGE',
      `${found.length} ${what}s begin with ${JSON.stringify(typed)}: ${found
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}. Give more of it.`,
    );
  return one;
}
