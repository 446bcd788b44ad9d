/** A daemon in this process, with a scripted model: the real gate, tools and audit, without a child process in between. */
import type { Approvals } from '../../src/agent/ask-human.ts';
import type { SessionLimits } from '../../src/agent/session-options.ts';
import type { PromptFlags } from '../../src/agent/system-prompt.ts';
import type { StoredRecord } from '../../src/audit/chain.ts';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { Message, Tool, TurnEnd } from '../../src/core/vocabulary.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { ModelAccess } from '../../src/daemon/model-access.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import type { CommandLine } from '../../src/settings/command-line.ts';
import type { ManagedPlace } from '../../src/settings/managed.ts';
import { auditRecords, makeWorkspace, type Workspace, type WorkspaceOptions } from './hookd.ts';

export interface PlayOptions extends WorkspaceOptions {
  readonly workspace?: Workspace;
  /** Instead of one that plays the turns. */
  readonly model?: ModelAccess;
  readonly approvals?: Approvals;
  readonly flags?: CommandLine;
  readonly watchesSettings?: boolean;
  /** Instead of the system's. */
  readonly managed?: ManagedPlace;
  readonly moreTools?: readonly Tool[];
  readonly limits?: Partial<SessionLimits>;
  readonly promptFlags?: PromptFlags;
  readonly onEvent?: (event: SessionEvent) => void;
  readonly signal?: AbortSignal;
}

export interface Played {
  readonly workspace: Workspace;
  readonly end: TurnEnd;
  readonly records: readonly StoredRecord[];
  /** What the model was shown last. */
  readonly messages: readonly Message[];
  /** Outcome and text of each result, in order. */
  readonly results: readonly { readonly outcome: string; readonly text: string }[];
}

/** Plays one prompt and closes everything. */
export async function play(turns: readonly ScriptedTurn[], options: PlayOptions = {}): Promise<Played> {
  const workspace = options.workspace ?? makeWorkspace(options);
  const daemon = await Daemon.open({
    env: workspace.env,
    ...(options.managed === undefined ? {} : { managed: options.managed }),
  });
  const results: { outcome: string; text: string }[] = [];
  const session = await daemon.startSession({
    startDirectory: workspace.project,
    flags: options.flags ?? {},
    approvals: options.approvals ?? nobody,
    model: options.model ?? { model: createScriptedModel(turns), name: 'scripted' },
    moreTools: options.moreTools ?? [],
    limits: options.limits ?? {},
    watchesSettings: options.watchesSettings ?? false,
    promptFlags: options.promptFlags ?? {},
    onEvent: (event) => {
      if (event.kind === 'tool_result')
        results.push({ outcome: event.result.outcome, text: event.result.text });
      options.onEvent?.(event);
    },
  });
  const end = await session.prompt('do it', options.signal ?? new AbortController().signal);
  await daemon.close('test');
  return {
    workspace,
    end,
    records: auditRecords(workspace),
    messages: session.transcript.messages(),
    results,
  };
}

interface ToolUseWords {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: Record<string, unknown>;
}

export function toolUse(name: string, input: Record<string, unknown>): ToolUseWords;
export function toolUse(
  name: string,
  input: Record<string, unknown>,
  id: string,
): ToolUseWords & { readonly id: string };
export function toolUse(name: string, input: Record<string, unknown>, id?: string): ToolUseWords {
  return { type: 'tool_use', name, input, ...(id === undefined ? {} : { id }) };
}

export function text(words: string) {
  return { type: 'text' as const, text: words };
}
