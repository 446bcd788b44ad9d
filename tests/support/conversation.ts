/** A session of several prompts in this process, with a model whose answers a function makes of the requests. */
import { rmSync } from 'node:fs';
import type { Session } from '../../src/agent/session.ts';
import type { SessionLimits } from '../../src/agent/session-options.ts';
import type { StoredRecord } from '../../src/audit/chain.ts';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { ModelRequest, ModelResponse, Tool, ToolUseBlock, TurnEnd } from '../../src/core/vocabulary.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { modelFailed } from '../../src/model/failure.ts';
import type { Model } from '../../src/model/model.ts';
import { requestBody } from '../../src/model/request-body.ts';
import { auditRecords, makeWorkspace, type Workspace } from './hookd.ts';
import { requestFault } from './messages-api-rules.ts';

export interface Answer {
  readonly content: readonly ({ readonly type: 'text'; readonly text: string } | ToolUseBlock)[];
  readonly stopReason?: string;
}

/** Throws to fail as an endpoint does. */
export type Answering = (request: ModelRequest, number: number) => Answer;

export interface Conversation {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly requests: readonly ModelRequest[];
  readonly events: readonly SessionEvent[];
  readonly warnings: () => readonly string[];
  readonly prompt: (text: string) => Promise<TurnEnd>;
  /** Ends the session; removes everything. */
  readonly end: () => Promise<readonly StoredRecord[]>;
}

export interface ConversationOptions {
  readonly settings?: object;
  readonly limits?: Partial<SessionLimits>;
  readonly moreTools?: readonly Tool[];
  readonly workspace?: Workspace;
}

/** What a request of this size costs here; it refuses what no API takes, and what does not fit into its window. */
export const tokensOf = (request: ModelRequest): number =>
  Math.ceil(JSON.stringify([request.system, request.tools, request.messages]).length / 4);

export async function converse(
  answer: Answering,
  { settings = {}, limits = {}, moreTools = [], ...given }: ConversationOptions = {},
): Promise<Conversation> {
  const workspace = given.workspace ?? makeWorkspace({ settings });
  const requests: ModelRequest[] = [];
  const events: SessionEvent[] = [];
  const model: Model = {
    async *respond({ value: request }) {
      requests.push(request);
      const fault = requestFault(JSON.parse(Buffer.from(requestBody(request)).toString()));
      if (fault !== undefined) throw modelFailed(fault);
      const { content, stopReason } = answer(request, requests.length);
      const calls = content.some((block) => block.type === 'tool_use');
      const usage = {
        input_tokens: tokensOf(request),
        output_tokens: Math.ceil(JSON.stringify(content).length / 4),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      };
      const response: ModelResponse = {
        ...{ id: `msg_${requests.length}`, model: 'fake', content, usage },
        stopReason: stopReason ?? (calls ? 'tool_use' : 'end_turn'),
      };
      yield { kind: 'response', response };
    },
  };
  const daemon = await Daemon.open({ env: workspace.env });
  const session = await daemon.startSession({
    ...{ startDirectory: workspace.project, flags: {}, approvals: nobody, moreTools, limits },
    model: { model, name: 'fake' },
    onEvent: (event) => events.push(event),
  });
  return {
    ...{ session, workspace, requests, events },
    warnings: () => events.flatMap((event) => (event.kind === 'warning' ? [event.text] : [])),
    prompt: (text) => session.prompt(text, new AbortController().signal),
    async end() {
      await daemon.close('test');
      const records = auditRecords(workspace);
      rmSync(workspace.root, { recursive: true, force: true });
      return records;
    },
  };
}
