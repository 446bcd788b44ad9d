/** The answers of nobody: where something asks and no terminal is attached, and where the session is over. */
import type { Approvals } from '../agent/ask-human.ts';
import type { ApprovalAnswer } from '../core/vocabulary.ts';
import { whatHelps } from '../permissions/what-helps.ts';

/** Nobody can be asked: every question is a denial, and says what would help. */
export const nobody: Approvals = {
  ask: async ({ value: { decision, alwaysRule } }) => ({
    answer: 'unanswered',
    why: `nobody can be asked here: there is no terminal. ${whatHelps(decision, alwaysRule)}`,
  }),
};

/** Of a session that no process runs, when it is ended. */
export const NOBODY_ANSWERED: ApprovalAnswer = Object.freeze({
  answer: 'unanswered',
  why: 'the session was ended before anybody answered',
});
