/** `hookd` on a terminal: opens a session, or comes back to one, and converses until the person leaves. */
import type { PromptFlags } from '../agent/system-prompt.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import type { SessionClient } from '../core/protocol.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { playCommand } from './chat-commands.ts';
import { COLUMNS } from './columns.ts';
import { Conversation, type Left } from './conversation.ts';
import { shortlyBefore } from './follow-session.ts';
import { PromptHistory } from './history.ts';
import { LineInput } from './line-input.ts';
import { type Output, oneLine, printable } from './output.ts';
import { Screen } from './screen.ts';
import { closeQuietly, hostHere, type SessionHost } from './session-host.ts';
import { interruptSignal } from './signals.ts';
import { readTyped } from './slash-command.ts';
import { startDirectory } from './start-directory.ts';
import { offerTrust } from './trust-offer.ts';

/** A path may be long, and may hold line ends. */
const GREETING_CHARACTERS = 4000;

export interface ChatOptions {
  readonly firstPrompt: string | undefined;
  readonly flags: CommandLine;
  readonly modelScript: string | undefined;
  readonly promptFlags: PromptFlags;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the exit code. Throws HookdError before the session has started. */
export async function chatCommand(options: ChatOptions, output: Output): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new HookdError('USAGE', 'A conversation needs a terminal. Without one use: hookd run "PROMPT".');
  }
  const start = startDirectory();
  // Ctrl-C is a key here; these two mean that the terminal goes away.
  const leave = interruptSignal(['SIGTERM', 'SIGHUP']);
  const host = await hostHere(options.env);
  const history = new PromptHistory(hookdHomeOf(options.env));
  const input = new LineInput({ input: process.stdin, output: process.stdout, history: history.read() });
  try {
    await offerTrust(input.readline, options.flags, options.env, start, output);
    const client = await host.open({
      startDirectory: start,
      flags: options.flags,
      modelScript: options.modelScript,
      promptFlags: options.promptFlags,
      someoneAnswers: true,
      watchesSettings: true,
    });
    output.result(greeting(client, output));
    const left = await converse({ options, host, client, input, history, leave, output });
    if (left.failure === undefined) await host.close('left');
    else await closeQuietly(host, left.failure.code);
    return left.failure?.exitCode ?? EXIT.done;
  } catch (error) {
    await closeQuietly(host, messageOf(error));
    throw error;
  } finally {
    input.close();
  }
}

function greeting({ info }: SessionClient, { colours }: Output): string {
  const where = oneLine(`hookd in ${info.cwd} with ${info.model}.`, GREETING_CHARACTERS);
  const record = oneLine(`Everything is recorded in ${info.auditFile}`, GREETING_CHARACTERS);
  return colours.dim(`${where} "q" leaves, Ctrl-C interrupts, /help lists commands.\n${record}`);
}

interface Stage {
  readonly options: ChatOptions;
  readonly host: SessionHost;
  readonly client: SessionClient;
  readonly input: LineInput;
  readonly history: PromptHistory;
  readonly leave: AbortSignal;
  readonly output: Output;
}

async function converse(stage: Stage): Promise<Left> {
  const { options, client, input, leave, output } = stage;
  const columns = () => process.stdout.columns || COLUMNS;
  const screen = new Screen(output, columns, options.env['TERM'] === 'dumb' ? undefined : process.stdout);
  const { flags, env } = options;
  const { colours } = output;
  const conversation = new Conversation({
    client,
    after: shortlyBefore(client.info.turns === 0 ? 0 : client.info.lastEventId),
    input,
    screen,
    asking: {
      input,
      say: output.result,
      colours,
      columns,
      explain: async (approval) => {
        const { explainApproval } = await import('./explain-approval.ts');
        return explainApproval({ approval, info: client.info, flags, env, colours });
      },
    },
    leave,
  });
  const given = options.firstPrompt === undefined ? [] : [options.firstPrompt];
  return conversation.play((signal) => nextPrompt(stage, given, columns, signal));
}

/** Plays commands until there is a prompt; undefined when the person leaves. */
async function nextPrompt(
  { options, host, client, input, history, output }: Stage,
  given: string[],
  columns: () => number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { flags, env } = options;
  const hookdHome = hookdHomeOf(env);
  for (;;) {
    const isAhead = given.length === 0 && input.hasPromptAhead;
    const text = given.shift() ?? (await input.prompt(signal));
    if (text === undefined) return undefined;
    if (text.trim() === '') continue;
    if (isAhead) output.result(`> ${printable(text).replaceAll('\n', '\n… ')}`);
    const typed = readTyped(text);
    history.add(text);
    if (typed.kind === 'prompt') return typed.text;
    if (typed.kind === 'unknown') {
      output.result(output.colours.yellow(printable(typed.problem)));
      continue;
    }
    const parts = { client, host, hookdHome, flags, env, output, columns };
    const after = await playCommand(typed.name, typed.argument, parts);
    if (after.kind === 'leave') return undefined;
  }
}
