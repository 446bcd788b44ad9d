/** The answers of nobody: where a rule asks and no terminal is attached, and where the session is over. */
import type { Approvals } from '../agent/ask-human.ts';
import type { ApprovalAnswer } from '../core/vocabulary.ts';

/** Nobody can be asked: every question is a denial, and says what would help. */
export const nobody: Approvals = {
  ask: async () => ({
    answer: 'unanswered',
    why: 'nobody can be asked here: there is no terminal. An allow rule would permit it',
  }),
};

/** Of a session that no process runs, when it is ended. */
export const NOBODY_ANSWERED: ApprovalAnswer = Object.freeze({
  answer: 'unanswered',
  why: 'the session was ended before anybody answered',
});
