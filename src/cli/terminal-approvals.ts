/** Puts the gate's questions to the person at the terminal. What is not a clear yes is a no. */
import type { Interface } from 'node:readline/promises';
import type { Approvals } from '../agent/authorize.ts';
import type { ApprovalRequest } from '../core/vocabulary.ts';
import { printable } from './output.ts';

const CLIENT = 'terminal';
/** Of a long text (the content of a file) this much is shown; of a command always all. */
const SHOWN_CHARACTERS = 2000;

/** `write` shows the question, `readline` takes the answer. */
export function terminalApprovals(readline: Interface, write: (text: string) => void): Approvals {
  return {
    async ask(request, signal) {
      // What was typed before the question was there is no answer to it.
      clearLine(readline);
      write(question(request.value));
      let answer: string;
      try {
        answer = await readline.question('Allow this once? [y/N] ', { signal });
      } catch {
        // The turn was interrupted, or the input has ended: nobody said yes.
        write('\n');
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

function question({ call, decision }: ApprovalRequest): string {
  const fields = Object.entries(call.input).map(([name, value]) => {
    const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
    const shown =
      name === 'command' || text.length <= SHOWN_CHARACTERS
        ? text
        : `${text.slice(0, SHOWN_CHARACTERS)}\n… (${text.length - SHOWN_CHARACTERS} more characters)`;
    return `  ${name}: ${shown.replaceAll('\n', `\n  ${' '.repeat(name.length + 2)}`)}`;
  });
  return `\n${call.tool.name} asks for permission:\n${fields.join('\n')}\n  because: ${printable(decision.reason)}\n`;
}
