/** `hookd sessions attach ID`: looks on and joins in; with a pipe or `--json` it only looks on. */
import { EXIT } from '../core/errors.ts';
import type { SessionClient } from '../core/protocol.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { converse } from './chat-session.ts';
import { COLUMNS } from './columns.ts';
import { connect } from './connection.ts';
import { hostInDaemon } from './daemon-host.ts';
import { followSession, shortlyBefore } from './follow-session.ts';
import { PromptHistory } from './history.ts';
import { letGo } from './let-go.ts';
import { LineInput } from './line-input.ts';
import type { Output } from './output.ts';
import { Screen } from './screen.ts';
import { type SessionOptions, sessionNamed } from './sessions-show.ts';
import { interruptSignal } from './signals.ts';

/** Throws SESSION_UNKNOWN, DAEMON_UNREACHABLE. */
export async function attachCommand({ id, json, env }: SessionOptions, output: Output): Promise<number> {
  const connection = await connect(env, 'terminal');
  const client = await sessionNamed(connection, id);
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const isOver = client.info.state === 'ended' || client.info.state === 'resumable';
  if (json || !isTerminal || isOver) {
    const code = await lookOn(client, json, output);
    if (isOver) output.note(`hookd: it does not run. Go on with it: hookd --resume ${client.info.id}`);
    return code;
  }
  const leave = interruptSignal(['SIGTERM', 'SIGHUP']);
  const history = new PromptHistory(hookdHomeOf(env));
  const input = new LineInput({ input: process.stdin, output: process.stdout, history: history.read() });
  try {
    const host = hostInDaemon(connection, env);
    const opened = { client, after: client.info.lastEventId, isJoined: true };
    const leaving = AbortSignal.any([leave, input.closed]);
    const stage = { host, opened, flags: {}, env, input, history, given: [], output };
    const end = await converse({ ...stage, leave: leaving });
    if (end.lost !== undefined) output.note(`hookd: ${end.lost}`);
    else for (const line of await letGo(opened, host)) output.result(output.colours.dim(line));
    return end.failure?.exitCode ?? EXIT.done;
  } finally {
    input.close();
  }
}

/** Everything that is kept, then what comes, until the session ends or somebody interrupts. */
async function lookOn(client: SessionClient, json: boolean, output: Output): Promise<number> {
  const signal = interruptSignal();
  const screen = new Screen(output, () => output.columns ?? COLUMNS);
  const after = json ? 0 : shortlyBefore(client.info.lastEventId);
  for await (const delivery of followSession(client, after, signal)) {
    if (json) output.result(JSON.stringify(delivery));
    else if (delivery.kind === 'event') {
      const { event } = delivery;
      if (event.kind === 'prompt') screen.lines([`> ${event.prompt.text.replaceAll('\n', '\n… ')}`]);
      screen.show(event);
    }
    if (output.isClosed()) break;
  }
  return signal.aborted ? EXIT.interrupted : EXIT.done;
}
