/** The terminal of a single run: questions of its session are put to the person in front of it. */
import type { SessionClient, SessionEvent } from '../core/protocol.ts';
import { askPerson } from './ask-person.ts';
import { COLUMNS } from './columns.ts';
import { LineInput } from './line-input.ts';
import { type Output, printableButColours } from './output.ts';
import { answerLine } from './render.ts';

export interface RunTerminal {
  readonly watch: (event: SessionEvent, client: SessionClient) => void;
  readonly close: () => void;
}

/** undefined where no person can read a question and type the answer. */
export function openTerminal(env: NodeJS.ProcessEnv, output: Output): RunTerminal | undefined {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  const { colours } = output;
  const columns = () => stderr.columns || COLUMNS;
  const say = (line: string) => void stderr.write(`${printableButColours(line)}\n`);
  const input = new LineInput({ input: stdin, output: stderr });
  input.hide();
  // In raw mode Ctrl-C is a key.
  input.onInterrupt = () => void process.kill(process.pid, 'SIGINT');
  const asked = new Map<string, AbortController>();
  const ended = new AbortController();

  async function ask(event: Extract<SessionEvent, { kind: 'approval_requested' }>, client: SessionClient) {
    const { approval } = event;
    const gone = new AbortController();
    asked.set(approval.id, gone);
    const explain = async () => {
      const { explainApproval } = await import('./explain-approval.ts');
      return explainApproval({ approval, info: client.info, flags: {}, env, colours });
    };
    const signal = AbortSignal.any([gone.signal, ended.signal]);
    const reply = await askPerson(approval, { input, say, colours, columns, explain }, signal);
    if (reply === undefined) return;
    asked.delete(approval.id);
    await client.answer(approval.id, reply);
  }

  return {
    watch(event, client) {
      if (event.kind === 'approval_requested')
        ask(event, client).catch((error: unknown) => output.note(`hookd: ${String(error)}`));
      if (event.kind !== 'approval_resolved') return;
      const waiting = asked.get(event.id);
      if (waiting === undefined) return;
      waiting.abort();
      if (event.answer.answer !== 'unanswered')
        say(answerLine(event.answer, { colours, columns: columns() }));
    },
    close() {
      ended.abort();
      input.close();
    },
  };
}
