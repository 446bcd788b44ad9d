/** Who answers when a rule asks and no terminal is attached. */
import type { Approvals } from '../agent/ask-human.ts';

/** Nobody can be asked: every question is a denial, and says what would help. */
export const nobody: Approvals = {
  ask: async () => ({
    answer: 'unanswered',
    why: 'nobody can be asked here: there is no terminal. An allow rule would permit it',
  }),
};
