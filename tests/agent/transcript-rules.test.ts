/**
 * Random lives of a session: answers of every kind, interrupts, crashes at any stage, torn files, resumes, forks. Whatever
 * happens, the API would take the next request, no call runs twice, and of none is said that it did not run when it did.
 */
import { readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { expect, it } from 'vitest';
import type { Approvals } from '../../src/agent/ask-human.ts';
import { readTranscript } from '../../src/agent/read-transcript.ts';
import type { Session } from '../../src/agent/session.ts';
import type { Message, ModelResponse, SessionId } from '../../src/core/vocabulary.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { NO_USAGE } from '../../src/model/message.ts';
import type { Model } from '../../src/model/model.ts';
import { defineTool } from '../../src/tools/tool.ts';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { requestFault } from '../support/messages-api-rules.ts';
import { Random } from '../support/random.ts';

const LIVES = 6;
const STEPS = 12;

/** Where something stops that will never go on in this process. */
type Halt = 'model' | 'tool' | 'question';

class Life {
  readonly faults: string[] = [];
  readonly seen = {
    requests: 0,
    resumes: 0,
    forks: 0,
    halts: new Set<string>(),
    outcomes: new Set<string>(),
  };
  readonly #random: Random;
  readonly #workspace: Workspace;
  readonly #daemon: Daemon;
  readonly #ran = new Map<string, number>();
  #calls = 0;
  #responses = 0;
  /** What the next interrupt or crash waits for. */
  #halted: (halt: Halt) => void = () => undefined;

  constructor(seed: number, workspace: Workspace, daemon: Daemon) {
    this.#random = new Random(seed);
    this.#workspace = workspace;
    this.#daemon = daemon;
  }

  async play(): Promise<void> {
    let session = await this.#open();
    for (let step = 0; step < STEPS; step += 1) {
      const halted = new Promise<Halt>((resolve) => {
        this.#halted = resolve;
      });
      const interrupt = new AbortController();
      const goesOn = session.unfinished === 'question' && this.#random.chance(0.5);
      const turn = goesOn
        ? session.goOn(interrupt.signal)
        : session.prompt(`prompt ${step}`, interrupt.signal);
      const halt = await Promise.race([turn.then(() => undefined), halted]);
      if (halt !== undefined) this.seen.halts.add(halt);
      if (halt !== undefined && this.#random.chance(0.3)) {
        interrupt.abort();
        await turn;
      }
      const isOver = halt === undefined || interrupt.signal.aborted;
      if (isOver) {
        this.#look(session.transcript.messages());
        expect(readTranscript(this.#path(session.id)).messages).toEqual(session.transcript.messages());
      }
      if (!isOver || this.#random.chance(0.3)) session = await this.#another(session);
    }
  }

  /** After a crash, which may have torn the file: the same session again, or a fork of it. */
  async #another(session: Session): Promise<Session> {
    const { id } = session;
    // This process lives on: what the dead one would not have written any more must not come later.
    await new Promise((resolve) => setImmediate(resolve));
    const directory = join(this.#path(id), '..');
    for (const name of readdirSync(directory)) if (name.startsWith('lock.')) rmSync(join(directory, name));
    if (this.#random.chance(0.3)) {
      const { length } = readFileSync(this.#path(id));
      truncateSync(this.#path(id), Math.max(0, length - this.#random.below(2000)));
    }
    const fork = this.#random.chance(0.3);
    try {
      const next = await this.#open(id, fork);
      this.seen[fork ? 'forks' : 'resumes'] += 1;
      return next;
    } catch (error) {
      expect(String(error)).toMatch(/holds no conversation|is no conversation|There is no session/);
      return this.#open();
    }
  }

  #open(resume?: SessionId, fork = false): Promise<Session> {
    return this.#daemon.startSession({
      startDirectory: this.#workspace.project,
      flags: {},
      approvals: this.#approvals,
      model: { model: this.#model, name: 'scripted' },
      moreTools: [this.#tool('Step'), this.#tool('Ask')],
      limits: { maxTurns: 4, maxRetries: 0 },
      onEvent: (event) => {
        if (event.kind === 'tool_result') this.seen.outcomes.add(event.result.outcome);
      },
      resume,
      fork,
    });
  }

  #path(id: SessionId): string {
    return join(this.#workspace.home, 'sessions', id, `${id}.jsonl`);
  }

  get #approvals(): Approvals {
    return {
      ask: (_, signal) => {
        const choice = this.#random.below(3);
        if (choice === 0) return Promise.resolve({ answer: 'allow', client: 'test' });
        if (choice === 1) return Promise.resolve({ answer: 'deny', client: 'test' });
        this.#halted('question');
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ answer: 'unanswered', why: 'interrupted' })),
        );
      },
    };
  }

  /** A rule allows `Step` and asks about `Ask`. */
  #tool(name: string) {
    return defineTool({
      name,
      description: 'Does what its input says.',
      inputSchema: Type.Object({ call: Type.String(), does: Type.String() }),
      readOnly: false,
      specifiers: () => ({ kind: 'none' }),
      run: async ({ call, does }, { signal }) => {
        this.#ran.set(call, (this.#ran.get(call) ?? 0) + 1);
        if (does === 'hang') {
          this.#halted('tool');
          await aborted(signal);
        }
        if (does === 'throw') throw new Error('broken');
        return does === 'fail' ? { ok: false, text: 'failed' } : { ok: true, text: `ran ${call}` };
      },
    });
  }

  get #model(): Model {
    const life = this;
    return {
      async *respond({ value: { messages } }, signal) {
        life.seen.requests += 1;
        life.#look(messages);
        if (life.#random.chance(0.06)) {
          life.#halted('model');
          await aborted(signal);
        }
        if (life.#random.chance(0.04)) throw new Error('the network is gone');
        yield { kind: 'response', response: life.#response() };
      },
    };
  }

  #response(): ModelResponse {
    this.#responses += 1;
    const words = { type: 'text', text: 'words' } as const;
    const uses = () => this.#random.several(1, 3, () => this.#use());
    const content = this.#random.weighted<ModelResponse['content']>([
      [5, () => [words, ...uses()]],
      [4, uses],
      [4, () => [words]],
      [1, () => []],
    ]);
    const asks = content.some(({ type }) => type === 'tool_use');
    const stopReason = this.#random.weighted([
      [8, () => (asks ? 'tool_use' : 'end_turn')],
      [1, () => 'max_tokens'],
      [1, () => 'pause_turn'],
      [0.5, () => 'refusal'],
      [0.5, () => 'end_turn'],
    ]);
    // Some endpoints give every response the same id, or none.
    const id = this.#random.pick([`msg_${this.#responses}`, 'msg', '']);
    return { id, model: 'scripted', content, stopReason, usage: NO_USAGE };
  }

  #use() {
    this.#calls += 1;
    const id = `toolu_${this.#calls}`;
    const does = this.#random.pick(['well', 'well', 'fail', 'throw', 'hang', 'hang']);
    const name = this.#random.pick(['Step', 'Step', 'Step', 'Ask', 'Ask', 'Nothing']);
    return { type: 'tool_use', id, name, input: { call: id, does } } as const;
  }

  #look(messages: readonly Message[]): void {
    const fault = requestFault({ model: 'm', max_tokens: 1, messages });
    // The conversation may end with words of the model while no request is made.
    if (fault !== undefined) this.faults.push(fault);
    for (const { content } of messages) {
      if (typeof content === 'string') continue;
      for (const block of content) {
        if (block.type !== 'tool_result') continue;
        const runs = this.#ran.get(block.tool_use_id) ?? 0;
        if (runs > 1) this.faults.push(`${block.tool_use_id} ran ${runs} times`);
        if (runs > 0 && /did not run|Not run|before this call ran/.test(block.content))
          this.faults.push(`${block.tool_use_id} ran, and: ${block.content}`);
        if (runs === 0 && block.is_error !== true) this.faults.push(`${block.tool_use_id} did not run`);
      }
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

it(`${LIVES} random lives of a session keep to the rules of the API`, async () => {
  const seen = { requests: 0, resumes: 0, forks: 0, halts: new Set<string>(), outcomes: new Set<string>() };
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Step'], ask: ['Ask'] } } });
  const daemon = await Daemon.open({ env: workspace.env });
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const life = new Life(seed, workspace, daemon);
    try {
      await life.play();
      expect(life.faults).toEqual([]);
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    }
    for (const name of ['requests', 'resumes', 'forks'] as const) seen[name] += life.seen[name];
    for (const halt of life.seen.halts) seen.halts.add(halt);
    for (const outcome of life.seen.outcomes) seen.outcomes.add(outcome);
  }
  await daemon.close('test');
  rmSync(workspace.root, { recursive: true, force: true });
  expect(seen.requests).toBeGreaterThan(10 * LIVES);
  expect(Math.min(seen.resumes, seen.forks)).toBeGreaterThan(LIVES);
  expect([...seen.halts].sort()).toEqual(['model', 'question', 'tool']);
  expect([...seen.outcomes].sort()).toEqual(
    ['denied', 'failed', 'interrupted', 'not_run', 'ok', 'unknown_tool'].sort(),
  );
}, 180_000);
