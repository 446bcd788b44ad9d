/** Puts the gate's questions to the person at the terminal. What is not a clear yes is a no. */
import type { Interface } from 'node:readline/promises';
import type { Approvals } from '../agent/ask-human.ts';
import { approvalQuestion } from './approval-question.ts';

const CLIENT = 'terminal';
/** Where the width of the terminal is not known. */
const USUAL_COLUMNS = 80;

/** `screen` shows the question, `readline` takes the answer. */
export function terminalApprovals(readline: Interface, screen: NodeJS.WriteStream): Approvals {
  return {
    async ask(request, signal) {
      // What was typed before the question was there is no answer to it.
      clearLine(readline);
      const { text, prompt } = approvalQuestion(request.value, screen.columns || USUAL_COLUMNS);
      screen.write(text);
      let answer: string;
      try {
        answer = await readline.question(prompt, { signal });
      } catch {
        // The turn was interrupted, or the input has ended: nobody said yes.
        screen.write('\n');
        return { answer: 'unanswered', why: 'the question was closed before it was answered' };
      }
      return /^\s*y(es)?\s*$/i.test(answer)
        ? { answer: 'allow', client: CLIENT }
        : { answer: 'deny', client: CLIENT };
    },
  };
}

/** Empties the line that is being typed, on both sides of the cursor. */
export function clearLine(readline: Interface): void {
  if (readline.line === '') return;
  readline.write(null, { ctrl: true, name: 'e' });
  readline.write(null, { ctrl: true, name: 'u' });
}
