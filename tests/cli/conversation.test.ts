/** A conversation shows what its session tells, sends what is typed, and gives way to what happens elsewhere. */
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { Conversation, type Left } from '../../src/cli/conversation.ts';
import type { Output } from '../../src/cli/output.ts';
import { Screen } from '../../src/cli/screen.ts';
import { HookdError } from '../../src/core/errors.ts';
import { FakeSession, pending } from '../support/fake-session.ts';
import { until } from '../support/hookd.ts';
import { CTRL_C, ENTER } from '../support/keys.ts';
import { typedLines } from '../support/typed-lines.ts';

interface Stage {
  readonly session: FakeSession;
  readonly type: (keys: string) => void;
  readonly drawn: () => string;
  readonly shown: () => string;
  readonly sees: (text: string) => Promise<void>;
  readonly left: Promise<Left>;
  readonly leave: () => void;
}

function open(session = new FakeSession(), after = session.info.lastEventId): Stage {
  const { input, type, drawn } = typedLines();
  const colours = picocolors.createColors(false);
  let shown = '';
  const write = (text: string) => {
    shown += text;
  };
  const output: Output = {
    result: (line) => write(`${line}\n`),
    modelText: write,
    note: () => undefined,
    progress: () => undefined,
    colours,
    isClosed: () => false,
  };
  const columns = () => 80;
  const leaving = new AbortController();
  const conversation = new Conversation({
    client: session,
    after,
    input,
    screen: new Screen(output, columns),
    asking: { input, say: output.result, colours, columns, explain: undefined },
    leave: leaving.signal,
  });
  const left = conversation.play((signal) => input.prompt(signal)).finally(() => input.close());
  return {
    session,
    type,
    drawn,
    shown: () => shown,
    sees: (text) => until(() => shown.includes(text), `${text} in ${JSON.stringify(shown)}`),
    left,
    leave: () => leaving.abort(),
  };
}

test('a prompt is sent, and the next one is asked for when its turn has ended', async () => {
  const { session, type, drawn, sees, left } = open();
  type(`one${ENTER}`);
  await until(() => session.prompts.length === 1, 'the prompt');
  session.tell({ kind: 'prompt', prompt: { text: 'one' } }, { kind: 'text', text: 'Answer.' });
  await sees('Answer.');
  const before = drawn().length;
  session.endTurn();
  await until(() => drawn().length > before, 'the next prompt');
  expect(drawn().endsWith('> ')).toBe(true);
  type(CTRL_C);
  expect(await left).toEqual({ failure: undefined, lost: undefined });
  expect(session.prompts).toEqual(['one']);
});

test('a prompt from another client is shown, and what is being typed is kept meanwhile', async () => {
  const { session, type, drawn, sees, left, leave } = open();
  type('half');
  await until(() => drawn().endsWith('> half'), 'what is typed');
  session.tell({ kind: 'prompt', prompt: { text: 'theirs' } });
  await sees('(from another client)\n> theirs');
  session.tell({ kind: 'text', text: 'For them.' });
  await sees('For them.');
  session.endTurn();
  await until(() => drawn().endsWith('> half'), 'the prompt with what was typed');
  leave();
  expect((await left).lost).toBeUndefined();
});

describe('a question', () => {
  test('is answered with the digest of what was shown', async () => {
    const { session, type, drawn, left, leave } = open();
    session.tell({ kind: 'prompt', prompt: { text: 'x' } });
    session.tell({ kind: 'approval_requested', approval: pending() });
    await until(() => drawn().includes('[y/N] '), 'the question');
    type(`y${ENTER}`);
    await until(() => session.answers.length === 1, 'the answer');
    expect(session.answers).toEqual([['a1', { answer: 'allow', inputDigest: 'd1' }]]);
    leave();
    await left;
  });

  test('that is answered elsewhere is withdrawn, with who answered', async () => {
    const { session, type, drawn, sees, left, leave } = open();
    session.tell({ kind: 'prompt', prompt: { text: 'x' } });
    session.tell({ kind: 'approval_requested', approval: pending() });
    await until(() => drawn().includes('[y/N] '), 'the question');
    const answer = { answer: 'allow', client: 'phone' } as const;
    session.tell({ kind: 'approval_resolved', id: 'a1', answer });
    await sees('answered by phone: allowed');
    session.endTurn();
    await until(() => drawn().endsWith('> '), 'the prompt');
    type(`y${ENTER}`);
    await until(() => session.prompts.length === 1, 'the prompt that was typed');
    expect(session.answers).toEqual([]);
    leave();
    await left;
  });

  test('to which somebody else was quicker says who', async () => {
    const { session, type, drawn, sees, shown, left, leave } = open();
    session.refusal = new HookdError('APPROVAL_GONE', 'No question waits.');
    session.tell({ kind: 'prompt', prompt: { text: 'x' } });
    session.tell({ kind: 'approval_requested', approval: pending() });
    await until(() => drawn().includes('[y/N] '), 'the question');
    type(`y${ENTER}`);
    await sees('No question waits.');
    session.tell({
      kind: 'approval_resolved',
      id: 'a1',
      answer: { answer: 'deny', client: 'phone', reason: 'no' },
    });
    await sees('answered by phone: denied (no)');
    expect(shown()).not.toContain('allowed');
    leave();
    await left;
  });

  test('of the past is not asked again; one that still waits is', async () => {
    const session = new FakeSession({ state: 'waiting', turns: 2 });
    session.tell(
      { kind: 'prompt', prompt: { text: 'old' } },
      { kind: 'approval_requested', approval: pending({ id: 'old' }) },
      { kind: 'approval_resolved', id: 'old', answer: { answer: 'allow', client: 'phone' } },
      { kind: 'approval_requested', approval: pending({ id: 'new' }) },
    );
    const { type, drawn, shown, left, leave } = open(session, 0);
    await until(() => drawn().includes('[y/N] '), 'the question');
    expect(shown().match(/asks for permission/g)).toHaveLength(1);
    expect(shown()).toContain('> old\n  answered by phone: allowed');
    type(`n later${ENTER}`);
    await until(() => session.answers.length === 1, 'the answer');
    expect(session.answers[0]).toEqual(['new', { answer: 'deny', inputDigest: 'd1', reason: 'later' }]);
    leave();
    await left;
  });
});

test('Ctrl-C interrupts the turn; a second one leaves it to itself', async () => {
  const { session, type, left } = open();
  type(`long${ENTER}`);
  await until(() => session.prompts.length === 1, 'the prompt');
  session.tell({ kind: 'prompt', prompt: { text: 'long' } });
  type(CTRL_C);
  await until(() => session.interrupts === 1, 'the interrupt');
  type(CTRL_C);
  await left;
  expect(session.interrupts).toBe(1);
});

test('a prompt that waits is given up with the turn that was interrupted', async () => {
  const session = new FakeSession({ state: 'running', turns: 1 });
  session.tell({ kind: 'prompt', prompt: { text: 'theirs' } });
  const { type, drawn, sees, left, leave } = open(session, 0);
  await sees('> theirs');
  type(`mine${ENTER}`);
  session.endTurn({ reason: 'interrupted' });
  await sees('[interrupted]');
  // Typed while the other turn ran: it is the next prompt, not part of what was given up.
  await until(() => session.prompts.includes('mine'), 'the prompt');
  session.endTurn({ reason: 'interrupted' });
  await until(() => drawn().endsWith('> '), 'the next prompt');
  leave();
  await left;
});

test('a turn that could not be recorded is told, and is the failure of a conversation that ends with it', async () => {
  const { session, type, sees, left } = open();
  type(`go${ENTER}`);
  await until(() => session.prompts.length === 1, 'the prompt');
  session.tell({
    kind: 'turn_failed',
    code: 'AUDIT_UNAVAILABLE',
    message: 'The disk is full.',
    hint: 'Free it.',
  });
  await sees('[AUDIT_UNAVAILABLE: The disk is full. Free it.]');
  type(CTRL_C);
  expect((await left).failure?.exitCode).toBe(4);
});

test('a reader that was too slow goes on where it was; a session that is gone ends the conversation', async () => {
  const { session, sees, left } = open();
  session.tell({ kind: 'warning', text: 'one' });
  session.deliver({ kind: 'dropped', why: 'too slow' });
  session.tell({ kind: 'warning', text: 'two' });
  await sees('warning: two');
  session.events = () => {
    throw new HookdError('DAEMON_UNREACHABLE', 'It is gone.');
  };
  session.deliver({ kind: 'dropped', why: 'too slow' });
  expect((await left).lost).toBe('It is gone.');
});
