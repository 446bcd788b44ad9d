/** The wait of those who answered a question for their answer to be on record. */
import { HookdError } from '../core/errors.ts';
import type { ApprovalAnswer, Decision } from '../core/vocabulary.ts';

/** What refuses a call that was allowed: a rule that was saved while the question stood. */
export type Denial = Decision | undefined;

export interface Recording {
  /** The answer that is on record. */
  readonly recorded: Promise<{ readonly answer: ApprovalAnswer; readonly refusal: Denial }>;
  /** `undefined`: it could not be recorded. */
  readonly finish: (answer: ApprovalAnswer | undefined, refusal: Denial) => void;
}

export function recording(): Recording {
  let finish: Recording['finish'] = () => undefined;
  const recorded: Recording['recorded'] = new Promise((resolve, reject) => {
    finish = (answer, refusal) => {
      if (answer !== undefined) resolve({ answer, refusal });
      else
        reject(
          new HookdError('AUDIT_UNAVAILABLE', 'The answer could not be recorded, so it does not count.'),
        );
    };
  });
  // Often nobody waits for it.
  recorded.catch(() => undefined);
  return { recorded, finish };
}
