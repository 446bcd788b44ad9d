/**
 * A model that plays a script: for the demonstration and for tests, without a key or a network. It never reads the
 * tools or the messages of a request, so what it asks for depends on the script alone.
 */
import { readFile } from 'node:fs/promises';
import { assertRecorded } from '../audit/trail.ts';
import { HookdError, messageOf } from '../core/errors.ts';
import type { ModelResponse, TextBlock, ToolUseBlock } from '../core/vocabulary.ts';
import { refused } from './failure.ts';
import { NO_USAGE } from './message.ts';
import { MOST_SHOWN_INPUT, type Model, type ModelEvent } from './model.ts';
import { parseScript, type ScriptedBlock, type ScriptedTurn } from './script.ts';

const AFTER_THE_LAST: ScriptedTurn = [{ type: 'text', text: 'done' }];

/** Returns MODEL_SCRIPT_INVALID for a file that cannot be read or is no script: a line for each fault, with its place. */
export async function readScript(path: string): Promise<readonly ScriptedTurn[] | HookdError> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return new HookdError('MODEL_SCRIPT_INVALID', `The script cannot be read: ${messageOf(error)}`);
  }
  const script = parseScript(text);
  if (script.ok) return script.turns;
  const faults = script.faults.map((fault) => `${path}:${fault}`).join('\n');
  return new HookdError('MODEL_SCRIPT_INVALID', faults);
}

/** One player: each request takes the next turn, whoever sends it. After the last turn it says "done". */
export function createScriptedModel(turns: readonly ScriptedTurn[]): Model {
  const given = new Set(turns.flatMap(blocksOf).flatMap((block) => ('id' in block ? [block.id] : [])));
  let played = 0;
  let numbered = 0;

  const nextId = (): string => {
    let id: string;
    do {
      numbered += 1;
      id = `toolu_s${String(numbered).padStart(2, '0')}`;
    } while (given.has(id));
    return id;
  };

  return {
    async *respond(request, signal) {
      assertRecorded(request, 'model_request');
      signal.throwIfAborted();
      const turn = turns[played] ?? AFTER_THE_LAST;
      played += 1;
      const { model } = request.value;
      if ('error' in turn) throw refused('The script', model, turn.error);
      const content = blocksOf(turn).map((block): TextBlock | ToolUseBlock =>
        block.type === 'text' ? block : { ...block, id: block.id ?? nextId() },
      );
      const response: ModelResponse = {
        id: `msg_s${String(played).padStart(2, '0')}`,
        model,
        content,
        stopReason: stopReason(turn),
        usage: NO_USAGE,
      };
      for (const [index, block] of content.entries()) {
        for (const event of shown(block, index)) {
          yield event;
          signal.throwIfAborted();
        }
      }
      yield { kind: 'response', response };
    },
  };
}

function blocksOf(turn: ScriptedTurn): readonly ScriptedBlock[] {
  if ('error' in turn) return [];
  return 'content' in turn ? turn.content : turn;
}

function stopReason(turn: ScriptedTurn): string {
  if ('content' in turn && turn.stop_reason !== undefined) return turn.stop_reason;
  return blocksOf(turn).some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
}

/** A block as it forms, as an endpoint streams it. */
function shown(block: TextBlock | ToolUseBlock, index: number): ModelEvent[] {
  if (block.type === 'text') return inPieces(block.text).map((text) => ({ kind: 'text', text }));
  const json = (JSON.stringify(block.input) ?? '').slice(0, MOST_SHOWN_INPUT);
  return inPieces(json).map((piece) => ({ kind: 'tool_input', index, name: block.name, json: piece }));
}

/** At most four pieces, cut between characters. */
function inPieces(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / 4));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
