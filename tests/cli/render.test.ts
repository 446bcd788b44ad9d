/** What a person sees of a session: within the width of the terminal, each call with its time, changes as a diff. */
import { PassThrough } from 'node:stream';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { Output } from '../../src/cli/output.ts';
import { patchLines } from '../../src/cli/patch-lines.ts';
import { answerLine, eventLines, rowsOf } from '../../src/cli/render.ts';
import { Screen } from '../../src/cli/screen.ts';
import { contextShare, shortCount, usageLine } from '../../src/cli/usage-line.ts';
import { columnsOf } from '../../src/cli/width.ts';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { ModelResponse, ToolResult, ToolUse, ToolUseId } from '../../src/core/vocabulary.ts';
import { changeFields } from '../../src/tools/structured-patch.ts';

const PLAIN = picocolors.createColors(false);
const LOOK = { colours: PLAIN, columns: 80 };
const id = 'toolu_1' as ToolUseId;

function use(name: string, input: unknown): ToolUse {
  return { id, name, input };
}

function result(fields: Partial<ToolResult>): SessionEvent {
  return {
    kind: 'tool_result',
    use: use('Bash', { command: 'x' }),
    result: { id, outcome: 'ok', text: '', ...fields },
  };
}

describe('a tool call', () => {
  test('is one line with what it is about, and its result with the time', () => {
    expect(eventLines({ kind: 'tool_use', use: use('Bash', { command: 'ls -la' }) }, LOOK)).toEqual([
      '● Bash ls -la',
    ]);
    expect(eventLines(result({ text: 'a\nb\n', durationMs: 212 }), LOOK)).toEqual(['  ⎿ a ⏎ b ⏎  (212 ms)']);
    expect(eventLines(result({ outcome: 'denied', text: 'Denied by rule X.' }), LOOK)).toEqual([
      '  ⎿ denied: Denied by rule X.',
    ]);
  });

  test('that a hook rewrote shows what runs instead, and which hook it was', () => {
    const by = { event: 'PreToolUse', name: 'guard.sh', file: '/s.json', line: 3 };
    const rewritten = (input: object, changed: string[]) =>
      eventLines({ kind: 'input_rewritten', use: use('Bash', input), changed, by }, LOOK);
    expect(rewritten({ command: 'rm -i x' }, ['command'])).toEqual([
      '  rewritten by PreToolUse guard.sh: rm -i x',
    ]);
    expect(rewritten({ file_path: '/a', content: 'new' }, ['content', 'mode'])).toEqual([
      '  rewritten by PreToolUse guard.sh: content: new, mode: none',
    ]);
  });

  test.each(['x'.repeat(3000), '世'.repeat(3000), 'word '.repeat(1000), '\u001b[2J\n'.repeat(500)])(
    'of any text fits the terminal (%#)',
    (text) => {
      for (const columns of [40, 80, 120]) {
        const look = { colours: PLAIN, columns };
        const lines = [
          ...eventLines({ kind: 'tool_use', use: use(text, { command: text }) }, look),
          ...eventLines({ kind: 'tool_use', use: use('Bash', { command: text }) }, look),
          ...eventLines(
            {
              kind: 'input_rewritten',
              use: use('Bash', { command: text }),
              changed: ['command'],
              by: { event: 'PreToolUse', name: text, file: text, line: 1 },
            },
            look,
          ),
          ...eventLines(result({ text, outcome: 'failed', durationMs: 5 }), look),
          ...eventLines({ kind: 'warning', text }, look),
          ...eventLines({ kind: 'settings_changed', added: [text], removed: [text] }, look),
          answerLine({ answer: 'deny', client: text, reason: text }, look),
        ];
        expect(lines.length).toBeGreaterThan(7);
        for (const line of lines) {
          expect(line).not.toMatch(/[\u0000-\u001f]/);
          expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        }
      }
    },
  );
});

test('text of several lines keeps them, and is broken between words', () => {
  expect(rowsOf(`one\n${'word '.repeat(9)}`, { columns: 20 })).toEqual([
    'one',
    'word word word word',
    'word word word word',
    'word ',
  ]);
});

describe('a change of a file', () => {
  const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join('');

  test('is shown as a short diff with the numbers of its lines', () => {
    const after = before.replace('line 20\n', 'line twenty\n\ttabbed\n');
    const lines = patchLines({ ...changeFields(before, after) }, 80, PLAIN);
    expect(lines).toEqual([
      '    +2 -1',
      '    17   line 17',
      '    18   line 18',
      '    19   line 19',
      '    20 - line 20',
      '    20 + line twenty',
      '    21 +     tabbed',
      '    22   line 21',
      '    23   line 22',
      '    24   line 23',
    ]);
  });

  test('is bounded in length and width', () => {
    const lines = patchLines({ ...changeFields('', `${'y'.repeat(500)}\n`.repeat(1000)) }, 80, PLAIN);
    expect(lines).toHaveLength(26);
    expect(lines.at(-1)).toBe('    … 976 more lines');
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(80);
  });

  test('that a tool does not tell is nothing, whatever its response holds', () => {
    for (const response of [undefined, {}, { structuredPatch: 5 }, { structuredPatch: [{}] }])
      expect(patchLines(response, 80, PLAIN)).toEqual([]);
  });
});

test('the cost of a turn is one line, without what is not known', () => {
  const usage = {
    input_tokens: 200,
    output_tokens: 56,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 1000,
  };
  const context = { tokens: 24_000, window: 200_000 };
  expect(usageLine({ usage, requests: 2, durationMs: 4200, context })).toBe(
    '2 requests · 1.2k tokens in (1k cached), 56 out · context 12 % · 4.2 s',
  );
  expect(usageLine({ usage, requests: 1, durationMs: 40 })).toBe(
    '1 request · 1.2k tokens in (1k cached), 56 out · 40 ms',
  );
  const none = { ...usage, input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 };
  expect(usageLine({ usage: none, requests: 1, durationMs: 40 })).toBeUndefined();
  expect([999, 1234, 34_400, 1_500_000].map(shortCount)).toEqual(['999', '1.2k', '34k', '1.5M']);
  expect(contextShare({ tokens: 1, window: 3 })).toBe('33 %');
});

describe('the screen', () => {
  function openScreen({ terminal }: { terminal?: PassThrough } = {}) {
    let shown = '';
    const output: Output = {
      result: (line) => {
        shown += `${line}\n`;
      },
      modelText: (text) => {
        shown += text;
      },
      note: () => undefined,
      progress: () => undefined,
      colours: PLAIN,
      isClosed: () => false,
    };
    return { screen: new Screen(output, () => 80, terminal), shown: () => shown };
  }

  const response = (text: string): SessionEvent => ({
    kind: 'response',
    response: { content: [{ type: 'text', text }], usage: { input_tokens: 1 } } as unknown as ModelResponse,
  });

  test('keeps streamed text and lines apart, and tells no text twice', () => {
    const { screen, shown } = openScreen();
    screen.show({ kind: 'request', messages: 1 });
    screen.show({ kind: 'text', text: 'I will ' });
    screen.show({ kind: 'text', text: 'look.' });
    screen.show(response('I will look.'));
    screen.show({ kind: 'tool_use', use: use('Bash', { command: 'ls' }) });
    expect(shown()).toBe('I will look.\n● Bash ls\n');
  });

  test('gives the whole text to who came while it was streamed, or later', () => {
    const { screen, shown } = openScreen();
    screen.show(response('All of it.'));
    screen.show({ kind: 'request', messages: 1 });
    screen.show({ kind: 'text', text: 'second.' });
    screen.show(response('The second.'));
    expect(shown()).toBe('All of it.\nsecond.\nThe second.\n');
  });

  test('shows the last lines that a command prints, and takes them away for its result', async () => {
    const terminal = new PassThrough();
    const { screen, shown } = openScreen({ terminal });
    const bash = use('Bash', { command: 'make' });
    for (let line = 1; line <= 9; line += 1)
      screen.show({ kind: 'tool_output', use: bash, text: `step ${line}\n` });
    screen.show({ kind: 'tool_output', use: bash, text: '10 %\r\u001b[K20 %\r' });
    const [drawn] = (await new Promise((resolve) => terminal.once('data', (...data) => resolve(data)))) as [
      Buffer,
    ];
    expect(drawn.toString()).toBe('    step 6\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(terminal.read()?.toString() ?? '').not.toContain('10 %');
    screen.show(result({ text: 'done' }));
    expect(shown()).toBe('  ⎿ done\n');
  });

  test('shows nothing of what is forming where there is no terminal', () => {
    const { screen, shown } = openScreen();
    screen.show({ kind: 'tool_output', use: use('Bash', {}), text: 'a\n' });
    screen.show({ kind: 'tool_input', index: 0, name: 'Bash', json: '{"com' });
    expect(shown()).toBe('');
  });
});
