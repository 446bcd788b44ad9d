/** Kinds of record that somebody names on the command line. */
import { HookdError } from '../core/errors.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { KINDS } from './render-record.ts';

/** Throws USAGE for one that there is not: it would select nothing, and look as if nothing had happened. */
export function checkedKinds(kinds: readonly string[]): readonly string[] {
  const unknown = kinds.find((kind) => !KINDS.includes(kind));
  if (unknown === undefined) return kinds;
  const meant = nearMiss(unknown, KINDS);
  const hint = meant === undefined ? `There are: ${KINDS.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new HookdError('USAGE', `--kind: there is no kind of record ${JSON.stringify(unknown)}. ${hint}`);
}
