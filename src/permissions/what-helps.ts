/** What would let a call run that is asked about: said where nobody is there to answer. */
import type { Decision } from '../core/vocabulary.ts';
import { isSecondLook } from './guards/builtin.ts';

const NO_RULE = 'no allow rule lifts that; a PermissionRequest hook may answer in a person’s place';

/** A sentence without its end. `alwaysRule`: an allow rule that was found to be enough. */
export function whatHelps({ cause }: Decision, alwaysRule: string | undefined): string {
  if (alwaysRule !== undefined) return `An allow rule would permit it: ${alwaysRule}`;
  switch (cause.kind) {
    case 'hook':
      return 'A hook asks, and no allow rule lifts that: it runs once the hook answers otherwise';
    case 'rule':
      return `An ask rule asks, and ${NO_RULE}`;
    case 'mode':
      if (cause.mode === 'plan') return 'Mode plan only reads: another mode may permit it';
      break;
    case 'builtin':
      if (!isSecondLook(cause.name)) return `This is asked about whatever is allowed: ${NO_RULE}`;
  }
  return 'An allow rule that covers it would permit it';
}
