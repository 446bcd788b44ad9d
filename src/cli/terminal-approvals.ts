/** Puts the gate's own questions to the person at the terminal, where no session is watched. What is not a clear yes is a no. */
import type { Approvals } from '../agent/ask-human.ts';
import { type Asking, askPerson } from './ask-person.ts';

const CLIENT = 'terminal';

export function terminalApprovals(asking: Asking): Approvals {
  return {
    async ask({ value: { alwaysRule: _, ...request } }, signal) {
      const reply = await askPerson(request, asking, signal);
      if (reply === undefined)
        return { answer: 'unanswered', why: 'the question was closed before it was answered' };
      const { answer, reason } = reply;
      if (answer === 'allow') return { answer, client: CLIENT };
      return { answer, client: CLIENT, ...(reason === undefined ? {} : { reason }) };
    },
  };
}
