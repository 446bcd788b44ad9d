/**
 * A transcript file → the conversation in it, exactly as the model was shown it. Whole lines only: what a crash left of
 * a last line is not read. A line that does not fit is never skipped: the model must not go on from a conversation with
 * a hole in it.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { HookdError, messageOf, systemCode } from '../core/errors.ts';
import type { CutOutput, TextBlock, ToolUseBlock, Usage } from '../core/vocabulary.ts';
import { allTokens } from '../model/message.ts';
import { Conversation, type ConversationState } from './conversation.ts';
import { readTranscriptLine, type TranscriptEntry, TranscriptFault } from './transcript-line.ts';

export interface StoredTranscript extends ConversationState {
  readonly path: string;
  /** Of its whole lines; the digest is over these bytes. */
  readonly bytes: number;
  readonly sha256: string;
  /** What a crash left behind the last whole line. */
  readonly tornBytes: number;
  /** The start directory of its last line. */
  readonly cwd: string;
  /** The chain of lines goes on after this one. */
  readonly lastUuid: string | null;
  readonly prompts: number;
  /** Of the last response. */
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly respondedAt: string | undefined;
  /** Of all responses. */
  readonly tokens: number;
}

const NEWLINE = 0x0a;
/** A file of this size is no conversation: it is not read into memory. */
const LONGEST_BYTES = 1024 ** 3;

/** Throws SESSION_NOT_RESUMABLE. */
export function readTranscript(path: string): StoredTranscript {
  const bytes = bytesOf(path);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const reader = new Reader();
  let number = 0;
  for (const line of wholeLines(bytes.subarray(0, end))) {
    number += 1;
    try {
      reader.take(line);
    } catch (error) {
      throw unusable(
        `${path}:${number}: ${messageOf(error)}. The session cannot go on from a conversation with a hole in it.`,
      );
    }
  }
  const found = reader.end();
  if (found.messages.length === 0)
    throw unusable(`${path} holds no conversation: there is nothing to go on with.`);
  return {
    ...found,
    path,
    bytes: end,
    sha256: createHash('sha256').update(bytes.subarray(0, end)).digest('hex'),
    tornBytes: bytes.length - end,
  };
}

/** Without their newlines. */
export function* wholeLines(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline === -1) return;
    yield bytes.subarray(start, newline);
    start = newline + 1;
  }
}

function bytesOf(path: string): Buffer {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw unusable(`There is no transcript ${path}.`);
    throw unusable(`The transcript cannot be read: ${messageOf(error)}.`);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unusable(`${path} is not a regular file.`);
    const user = process.getuid?.();
    if (user !== undefined && stats.uid !== user)
      throw unusable(`${path} belongs to another user (${stats.uid}); this is user ${user}.`);
    if (stats.size > LONGEST_BYTES)
      throw unusable(`${path} has ${stats.size} bytes; at most ${LONGEST_BYTES} are read.`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function unusable(message: string): HookdError {
  return new HookdError('SESSION_NOT_RESUMABLE', message);
}

type Facts = Omit<StoredTranscript, 'path' | 'bytes' | 'sha256' | 'tornBytes'>;

class Reader {
  #conversation = new Conversation();
  #response:
    | { readonly key: string; readonly content: (TextBlock | ToolUseBlock)[]; usage: Usage }
    | undefined;
  #cwd = '';
  #lastUuid: string | null = null;
  #prompts = 0;
  #model: string | undefined;
  #usage: Usage | undefined;
  #respondedAt: string | undefined;
  #tokens = 0;
  /** Of a compaction whose summary is still to come. */
  #kept: number | undefined;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });

  take(bytes: Buffer): void {
    const { entry, uuid, parentUuid, cwd, timestamp } = readTranscriptLine(this.#utf8.decode(bytes));
    const before = this.#lastUuid;
    if (parentUuid !== undefined && parentUuid !== before)
      throw new TranscriptFault(
        before === null ? 'a first line' : `the line after ${before}`,
        `that after ${parentUuid}`,
      );
    this.#lastUuid = uuid ?? this.#lastUuid;
    this.#cwd = cwd ?? this.#cwd;
    if (entry.kind === 'block') {
      this.#takeBlock(entry);
      this.#model = entry.model;
      this.#respondedAt = timestamp;
    } else if (entry.kind !== 'none') {
      this.#finishResponse();
      this.#takeEntry(entry);
    }
  }

  end(): Facts {
    this.#finishResponse();
    return {
      ...this.#conversation.state,
      cwd: this.#cwd,
      lastUuid: this.#lastUuid,
      prompts: this.#prompts,
      model: this.#model,
      usage: this.#usage,
      respondedAt: this.#respondedAt,
      tokens: this.#tokens,
    };
  }

  #takeBlock({ key, block, usage }: Extract<TranscriptEntry, { kind: 'block' }>): void {
    if (this.#response?.key !== key) {
      this.#finishResponse();
      this.#response = { key, content: [], usage };
    }
    this.#response.content.push(block);
  }

  #finishResponse(): void {
    const response = this.#response;
    if (response === undefined) return;
    this.#response = undefined;
    this.#conversation.response(response.content);
    this.#usage = response.usage;
    this.#tokens += allTokens(response.usage);
  }

  #takeEntry(entry: Exclude<TranscriptEntry, { kind: 'block' | 'none' }>): void {
    if (entry.kind === 'prompt') {
      this.#prompts += 1;
      this.#conversation.prompt(entry.text);
    } else if (entry.kind === 'words') this.#conversation.add(entry.text);
    else if (entry.kind === 'results') this.#conversation.results(entry.results);
    else if (entry.kind === 'boundary') this.#kept = entry.kept;
    else if (entry.kind === 'summary') this.#putSummary(entry.text);
    else this.#conversation.shorten({ how: 'outputs', outputs: this.#outputsOf(entry.ids) });
  }

  /** As `transcript-file.ts` writes it: a boundary without a summary changes nothing, a summary without a boundary stands for all. */
  #putSummary(summary: string): void {
    const { messages } = this.#conversation;
    const replaced = messages.length - (this.#kept ?? 0);
    this.#kept = undefined;
    if (messages.length === 0) this.#conversation.add(summary);
    else if (replaced < 1)
      throw new TranscriptFault('a boundary that keeps fewer messages than there are', 'more');
    else this.#conversation.shorten({ how: 'summary', replaced, summary });
  }

  #outputsOf(ids: readonly string[]): readonly CutOutput[] {
    const cut = new Set(ids);
    return this.#conversation.messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((block) =>
            block.type === 'tool_result' && cut.has(block.tool_use_id)
              ? [{ tool_use_id: block.tool_use_id, characters: block.content.length }]
              : [],
          ),
    );
  }
}
