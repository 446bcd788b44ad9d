/** Recorded requests for models under test, from a real trail on a chain of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Recorded, Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { ModelRequest, ModelResponse } from '../../src/core/vocabulary.ts';
import type { Model } from '../../src/model/model.ts';

const REQUEST: ModelRequest = {
  model: 'claude-test-1',
  maxTokens: 1024,
  system: 'Be brief.',
  tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', content: 'go' }],
};

export interface Requests {
  readonly record: (changes?: Partial<ModelRequest>) => Recorded<ModelRequest>;
  readonly remove: () => Promise<void>;
}

export function openRequests(): Requests {
  const directory = mkdtempSync(join(tmpdir(), 'hookd-model-'));
  const trail = new Trail(AuditWriter.create(join(directory, 'chain')));
  return {
    record: (changes = {}) => trail.record('model_request', { ...REQUEST, ...changes }),
    remove: async () => {
      await trail.close();
      rmSync(directory, { recursive: true });
    },
  };
}

export interface Answer {
  readonly texts: readonly string[];
  /** Of each input, by the index of its block: the pieces in which it was shown. */
  readonly inputs: Readonly<Record<number, readonly string[]>>;
  readonly response: ModelResponse;
}

/** All that a model says to one request; throws when the response is not the one last event. */
export async function answerOf(
  model: Model,
  request: Recorded<ModelRequest>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer> {
  const texts: string[] = [];
  const inputs: Record<number, string[]> = {};
  const responses: ModelResponse[] = [];
  for await (const event of model.respond(request, signal)) {
    if (responses.length > 0) throw new Error('an event after the response');
    if (event.kind === 'text') texts.push(event.text);
    else if (event.kind === 'tool_input') inputs[event.index] = [...(inputs[event.index] ?? []), event.json];
    else responses.push(event.response);
  }
  const [response] = responses;
  if (response === undefined) throw new Error('no response');
  return { texts, inputs, response };
}
