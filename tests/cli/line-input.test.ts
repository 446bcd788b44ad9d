/** What a person types becomes prompts and answers: whole, in order, and none of it twice. */
import { describe, expect, test } from 'vitest';
import { CTRL_C, ENTER, PASTE, UP } from '../support/keys.ts';
import { typedLines } from '../support/typed-lines.ts';

const never = new AbortController().signal;

describe('a prompt', () => {
  test('is one line, or goes on after a line that ends with a backslash', async () => {
    const { input, type } = typedLines();
    const first = input.prompt(never);
    type(`one${ENTER}`);
    expect(await first).toBe('one');
    const second = input.prompt(never);
    type(`two \\${ENTER}three\\\\${ENTER}`);
    expect(await second).toBe('two \nthree\\\\');
    input.close();
  });

  test('keeps the lines of a paste together, until Enter is typed', async () => {
    const { input, type, drawn, settle } = typedLines();
    const prompt = input.prompt(never);
    type(`see: ${PASTE.begin}a\\\rb\r\rc${PASTE.end}`);
    await settle();
    expect(drawn()).toContain('> see: a\\\n… b\n… \n… c');
    type(` end${ENTER}`);
    expect(await prompt).toBe('see: a\\\nb\n\nc end');
    input.close();
  });

  test('is cleared by Ctrl-C with all of its lines; on an empty line Ctrl-C leaves', async () => {
    const { input, type, settle } = typedLines();
    const prompt = input.prompt(never);
    type(`one\\${ENTER}two${CTRL_C}`);
    await settle();
    type(`three${ENTER}`);
    expect(await prompt).toBe('three');
    const second = input.prompt(never);
    type(CTRL_C);
    expect(await second).toBeUndefined();
    input.close();
  });

  test('of several lines comes back from the history as it was, and only prompts are in it', async () => {
    const { input, type, settle } = typedLines({ history: ['older'] });
    const first = input.prompt(never);
    type(`a\\${ENTER}  b${ENTER}`);
    await first;
    const answer = input.answer('sure? ', never);
    type(`yes${ENTER}`);
    expect(await answer).toBe('yes');
    const again = input.prompt(never);
    type(UP);
    await settle();
    type(ENTER);
    expect(await again).toBe('a\n  b');
    const older = input.prompt(never);
    type(`${UP}${UP}${ENTER}`);
    expect(await older).toBe('older');
    input.close();
  });
});

describe('what is typed while nobody asks', () => {
  test('is not drawn, and is the next prompt', async () => {
    const { input, type, drawn, settle } = typedLines();
    const first = input.prompt(never);
    type(`one${ENTER}`);
    await first;
    const before = drawn();
    type(`two${ENTER}thr`);
    await settle();
    expect(drawn()).toBe(before);
    expect(input.hasPromptAhead).toBe(true);
    expect(await input.prompt(never)).toBe('two');
    const third = input.prompt(never);
    expect(drawn().endsWith('> thr')).toBe(true);
    type(`ee${ENTER}`);
    expect(await third).toBe('three');
    input.close();
  });
});

describe('a question', () => {
  test('is not answered by what was typed before it, which is kept', async () => {
    const { input, type, settle } = typedLines();
    type('y');
    await settle();
    const answer = input.answer('allow? ', never);
    type(`n${ENTER}`);
    expect(await answer).toBe('n');
    const prompt = input.prompt(never);
    type(`es${ENTER}`);
    expect(await prompt).toBe('yes');
    input.close();
  });

  test('is not answered by a paste', async () => {
    const { input, type, settle } = typedLines();
    const answer = input.answer('allow? ', never);
    type(`${PASTE.begin}y\r${PASTE.end}`);
    await settle();
    type(`n${ENTER}`);
    expect(await answer).toBe('n');
    input.close();
  });

  test('that is withdrawn is gone from the screen, and the prompt behind it is back', async () => {
    const { input, type, drawn, settle } = typedLines();
    const prompt = input.prompt(never);
    const gone = new AbortController();
    const answer = input.answer('allow? ', gone.signal);
    type('ye');
    await settle();
    gone.abort();
    expect(await answer).toBeUndefined();
    expect(drawn().endsWith('> ')).toBe(true);
    type(`ok${ENTER}`);
    expect(await prompt).toContain('ok');
    input.close();
  });

  test('gets Ctrl-C as an interrupt, not as an end', async () => {
    const { input, type, settle } = typedLines();
    let interrupts = 0;
    input.onInterrupt = () => {
      interrupts += 1;
    };
    void input.answer('allow? ', never);
    type(CTRL_C);
    await settle();
    expect(interrupts).toBe(1);
    input.close();
  });
});

test('what comes up while somebody types goes above it', async () => {
  const { input, type, drawn, settle } = typedLines();
  const prompt = input.prompt(never);
  type('hal');
  await settle();
  let above = '';
  input.above(() => {
    above = drawn();
  });
  expect(above.endsWith('> hal')).toBe(true);
  expect(drawn().endsWith('> hal')).toBe(true);
  expect(drawn().length).toBeGreaterThan(above.length);
  type(`f${ENTER}`);
  expect(await prompt).toBe('half');
  input.close();
});

test('the end of the input ends whoever waits', async () => {
  const { input } = typedLines();
  const prompt = input.prompt(never);
  const answer = input.answer('allow? ', never);
  input.close();
  expect(await prompt).toBeUndefined();
  expect(await answer).toBeUndefined();
  expect(await input.prompt(never)).toBeUndefined();
});
