/** One session on this terminal, from its first line to the moment its person leaves it. */
import type { SessionInfo } from '../core/protocol.ts';
import type { ApprovalRequest } from '../core/vocabulary.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { playCommand } from './chat-commands.ts';
import { COLUMNS } from './columns.ts';
import { Conversation, type Left } from './conversation.ts';
import { shortlyBefore } from './follow-session.ts';
import type { PromptHistory } from './history.ts';
import type { LineInput } from './line-input.ts';
import { type Output, oneLine, printable } from './output.ts';
import { Screen } from './screen.ts';
import type { OpenedSession, SessionHost } from './session-host.ts';
import { readTyped } from './slash-command.ts';

/** A path may be long, and may hold line ends. */
const GREETING_CHARACTERS = 4000;

export interface ChatStage {
  readonly host: SessionHost;
  readonly opened: OpenedSession;
  /** Of the command line, for what explains the settings in force. */
  readonly flags: CommandLine;
  readonly env: NodeJS.ProcessEnv;
  readonly input: LineInput;
  readonly history: PromptHistory;
  /** Prompts that were given before the first is typed; taken from here. */
  readonly given: string[];
  readonly leave: AbortSignal;
  readonly output: Output;
}

export interface ChatEnd extends Left {
  /** The session that the person wants to go on with instead. */
  readonly next: string | undefined;
}

export async function converse(stage: ChatStage): Promise<ChatEnd> {
  const { opened, flags, env, input, leave, output } = stage;
  const { client, after } = opened;
  const { colours } = output;
  const columns = () => process.stdout.columns || COLUMNS;
  const screen = new Screen(output, columns, env['TERM'] === 'dumb' ? undefined : process.stdout);
  const explain = async (approval: ApprovalRequest) => {
    const { explainApproval } = await import('./explain-approval.ts');
    return explainApproval({ approval, info: client.info, flags, env, colours });
  };
  for (const line of greeting(client.info)) output.result(colours.dim(line));
  const conversation = new Conversation({
    client,
    after: shortlyBefore(after),
    input,
    screen,
    asking: { input, say: output.result, colours, columns, explain },
    leave,
  });
  let next: string | undefined;
  const left = await conversation.play(async (signal) => {
    const typed = await nextPrompt(stage, columns, signal);
    if (typed.kind === 'resume') next = typed.id;
    return typed.kind === 'prompt' ? typed.text : undefined;
  });
  return { ...left, next };
}

function greeting(info: SessionInfo): readonly string[] {
  const where = oneLine(`hookd in ${info.cwd} with ${info.model}.`, GREETING_CHARACTERS);
  const record = oneLine(`Everything is recorded in ${info.auditFile}`, GREETING_CHARACTERS);
  return [where, record, '"q" leaves, Ctrl-C interrupts, /help lists commands.'];
}

type Next =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'resume'; readonly id: string }
  | { readonly kind: 'leave' };

/** Plays commands until there is a prompt, or the person leaves. */
async function nextPrompt(
  { host, opened, flags, env, input, history, given, output }: ChatStage,
  columns: () => number,
  signal: AbortSignal,
): Promise<Next> {
  const { client } = opened;
  const hookdHome = hookdHomeOf(env);
  for (;;) {
    const isAhead = given.length === 0 && input.hasPromptAhead;
    const text = given.shift() ?? (await input.prompt(signal));
    if (text === undefined) return { kind: 'leave' };
    if (text.trim() === '') continue;
    if (isAhead) output.result(`> ${printable(text).replaceAll('\n', '\n… ')}`);
    const typed = readTyped(text);
    history.add(text);
    if (typed.kind === 'prompt') return typed;
    if (typed.kind === 'unknown') {
      output.result(output.colours.yellow(printable(typed.problem)));
      continue;
    }
    const parts = { client, host, hookdHome, flags, env, output, columns };
    const after = await playCommand(typed.name, typed.argument, parts);
    if (after.kind !== 'on') return after;
  }
}
