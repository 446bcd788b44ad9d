/**
 * The transcript as a file, for hooks: JSON Lines in Claude Code's layout. Whole lines only: when a method returns,
 * what it was told is in the file, or the user has been warned and it goes there with the next message.
 * A file that an earlier run left is continued; the chain of `parentUuid` then begins anew.
 * Nothing depends on the file: the audit log is the record, and a disk that is full is no reason to stop a session.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Compacted } from '../audit/record-values.ts';
import { messageOf } from '../core/errors.ts';
import type { JsonObject, ModelResponse, PermissionMode, SessionId, ToolResult } from '../core/vocabulary.ts';
import { WholeAppender } from '../lib/append-whole.ts';
import { gitBranch } from './git-branch.ts';
import { resultBlock, type TranscriptObserver } from './transcript.ts';

export interface TranscriptFileOptions {
  readonly path: string;
  readonly sessionId: SessionId;
  /** The start directory. */
  readonly cwd: string;
  readonly version: string;
  /** The mode as it was last known: asking for it must have no effects. */
  readonly permissionMode: () => PermissionMode;
  /** Tells the user. Must not throw. */
  readonly warn: (text: string) => void;
  /** The line that this one's first follows; none: it begins anew. */
  readonly lastUuid?: string | null;
  readonly now?: () => Date;
}

/** Named after the session, as Claude Code's are: hooks take the name for the session's key. */
export function transcriptPath(hookdHome: string, session: SessionId): string {
  return join(hookdHome, 'sessions', session, `${session}.jsonl`);
}

/** Where it is: earlier versions named every one the same. undefined: the session has none. */
export function storedTranscript(hookdHome: string, session: SessionId): string | undefined {
  const paths = [
    transcriptPath(hookdHome, session),
    join(hookdHome, 'sessions', session, 'transcript.jsonl'),
  ];
  return paths.find((path) => existsSync(path));
}

export class TranscriptFile implements TranscriptObserver {
  readonly path: string;
  readonly #options: TranscriptFileOptions;
  readonly #file: WholeAppender;
  #lastUuid: string | null = null;
  /** Of the last response: where each tool use stands. */
  readonly #lineOfUse = new Map<string, string>();
  /** Lines that a failing disk did not take. */
  #unwritten = '';
  #hasFailed = false;

  /** Makes the file at once: a hook that is told the path before the first prompt finds it, empty. */
  constructor(options: TranscriptFileOptions) {
    this.path = options.path;
    this.#file = new WholeAppender(options.path);
    this.#options = options;
    this.#lastUuid = options.lastUuid ?? null;
    this.#write([]);
  }

  prompt(text: string): void {
    this.#write([() => ({ type: 'user', message: { role: 'user', content: text } })]);
  }

  /** A line a block, all with the same message id. */
  response(response: ModelResponse): void {
    const id = response.id || `msg_${randomUUID()}`;
    const requestId = `req_${randomUUID()}`;
    this.#lineOfUse.clear();
    this.#write(
      response.content.map((block) => (uuid) => {
        if (block.type === 'tool_use') this.#lineOfUse.set(block.id, uuid);
        return { type: 'assistant', message: assistantMessage({ ...response, id }, block), requestId };
      }),
    );
  }

  /** A line a result: each has its own structured response. */
  results(results: readonly ToolResult[]): void {
    this.#write(
      results.map((result) => () => ({
        type: 'user',
        message: { role: 'user', content: [resultBlock(result)] },
        toolUseResult: toolUseResult(result),
        sourceToolAssistantUUID: this.#lineOfUse.get(result.id),
      })),
    );
  }

  /** `isMeta`: a user message that no user wrote. */
  added(kind: 'context' | 'feedback', text: string): void {
    if (kind === 'context') this.notice('hook_additional_context', text);
    else this.#write([() => ({ type: 'user', message: { role: 'user', content: text }, isMeta: true })]);
  }

  /**
   * For a summary the boundary and then the summary: what the model is shown after it is the summary, the last
   * `keptMessages` messages of before, and what follows. For outputs that were cut: whose.
   */
  compacted({ trigger, before, after, change }: Compacted): void {
    const sizes = { trigger, preTokens: before.tokens, postTokens: after.tokens };
    if (change.how === 'outputs') {
      const compactedToolIds = change.outputs.map(({ tool_use_id }) => tool_use_id);
      this.#write([
        () => ({
          type: 'system',
          subtype: 'microcompact_boundary',
          content: 'Old outputs of tools were cut',
          microcompactMetadata: { ...sizes, compactedToolIds },
        }),
      ]);
      return;
    }
    const keptMessages = before.messages - change.replaced;
    this.#write([
      () => ({
        parentUuid: null,
        logicalParentUuid: this.#lastUuid,
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { ...sizes, keptMessages },
      }),
      () => ({
        type: 'user',
        message: { role: 'user', content: change.summary },
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
      }),
    ]);
  }

  /** A `system` line: something that happened beside the conversation. */
  notice(subtype: string, content: string): void {
    this.#write([() => ({ type: 'system', subtype, content })]);
  }

  #write(lines: readonly ((uuid: string) => object)[]): void {
    try {
      const frame = lines.length > 0 ? this.#frame() : {};
      for (const line of lines) {
        const uuid = randomUUID();
        const framed = { parentUuid: this.#lastUuid, isSidechain: false, ...line(uuid), uuid, ...frame };
        this.#unwritten += `${JSON.stringify(framed)}\n`;
        this.#lastUuid = uuid;
      }
      this.#file.append(this.#unwritten);
      this.#unwritten = '';
      this.#hasFailed = false;
    } catch (error) {
      // Once for each time that the disk fails, not for each message.
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#options.warn(
        `The transcript ${this.path} cannot be written (${messageOf(error)}): hooks that read it miss the latest messages until it can.`,
      );
    }
  }

  #frame(): object {
    const { sessionId, cwd, version, permissionMode, now = () => new Date() } = this.#options;
    return {
      timestamp: now().toISOString(),
      sessionId,
      cwd,
      version,
      gitBranch: gitBranch(cwd),
      userType: 'external',
      permissionMode: permissionMode(),
    };
  }
}

/** One block of a response as a message of its own: the form of transcripts and of `stream-json`. */
export function assistantMessage(
  { id, model, stopReason, usage }: ModelResponse,
  block: ModelResponse['content'][number],
): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
}

/** What a tool answered in its own shape; where it has none, and for all that failed, the text. */
export function toolUseResult({ response, text }: ToolResult): JsonObject | string {
  return response ?? text;
}
