/** The question about a call, against a model that wants the person to read something else. */
import { describe, expect, test } from 'vitest';
import { approvalQuestion } from '../../src/cli/approval-question.ts';
import type { ApprovalRequest, HookRef, JsonObject } from '../../src/core/vocabulary.ts';

interface Asked {
  readonly subject?: string;
  readonly reason?: string;
  readonly columns?: number;
  readonly rewrittenBy?: HookRef;
}

function asked(
  input: JsonObject,
  { subject = 'Bash', reason = 'no rule allows it', columns = 80, ...rewrite }: Asked = {},
) {
  const request: ApprovalRequest = {
    id: 'a',
    subject,
    input,
    ...rewrite,
    decision: { behavior: 'ask', reason, cause: { kind: 'mode', mode: 'default' } },
    inputDigest: '',
  };
  const { text, prompt } = approvalQuestion(request, columns);
  return { text, prompt, rows: text.split('\n').slice(1, -1) };
}

test('a short call is shown at a glance', () => {
  const { text, prompt } = asked({ command: 'touch x', description: 'makes x' });
  expect(text).toBe(
    '\nBash asks for permission:\n  command: touch x\n  description: makes x\nbecause: no rule allows it\n',
  );
  expect(prompt).toBe('Allow this Bash command once? [y/N] ');
});

test('a call that a hook rewrote names the hook: it is not what the model asked for', () => {
  const rewrittenBy = { event: 'PreToolUse', name: 'guard.sh', file: '/s.json', line: 3 };
  expect(asked({ command: 'rm -i x' }, { rewrittenBy }).rows[2]).toBe(
    'rewritten by: PreToolUse guard.sh (/s.json:3)',
  );
});

describe('the name of a field', () => {
  test('cannot repaint the question: what is no plain word is shown in quotes, with escapes', () => {
    const { text } = asked({ command: 'rm -rf x', '\u001b[2J\u001b[HBash asks': 'ls', 'a\nbecause': 'b' });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(text).toContain('  command: rm -rf x\n');
    expect(text).toContain('  "\\u001b[2J\\u001b[HBash asks": ls\n');
    expect(text).toContain('  "a\\nbecause": b\n');
  });

  test('is cut at forty characters, and many fields are counted', () => {
    const others = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`field-${index}`, 'x\n'.repeat(50)]),
    );
    const { rows } = asked({ ...others, [`long${'g'.repeat(400)}`]: 'x', command: 'rm x' });
    expect(rows.length).toBeLessThan(15);
    expect(rows[1]).toBe('  command: rm x');
    expect(rows).toContain('  (and 493 more fields, which are not shown)');
    expect(asked({ ['n'.repeat(400)]: 'x' }).rows[1]?.length).toBeLessThan(50);
  });
});

describe('a command', () => {
  test('of many lines is shown whole, numbered, behind a bar, and the answer line says how long it is', () => {
    const command = `rm -rf precious${'\n'.repeat(60)}\nBash asks for permission:\n  command: ls\nAllow this Bash command once? [y/N] `;
    const { rows, prompt } = asked({ command });
    expect(prompt).toBe('Allow this Bash command (64 lines) once? [y/N] ');
    expect(rows[1]).toBe('  command: (64 lines)');
    expect(rows[2]).toBe('     1 │ rm -rf precious');
    expect(rows).toContain('    64 │ Allow this Bash command once? [y/N] ');
    expect(rows.slice(2, -1).every((row) => /^ {4}[ \d]{2} │ /.test(row))).toBe(true);
  });

  test.each(['x'.repeat(10_000), ' '.repeat(10_000), '世'.repeat(5000), '\t'.repeat(3000)])(
    'of one long line is cut by us, so that no row is without a bar (%#)',
    (command) => {
      for (const columns of [1, 20, 80, 200]) {
        const { rows, prompt } = asked({ command }, { columns });
        const own = rows.slice(
          2,
          rows.findIndex((row) => row.startsWith('because:')),
        );
        expect(own.length).toBeGreaterThan(40);
        for (const row of own) {
          expect(row).toMatch(/^ {4} │ /);
          const wide = [...row].reduce((sum, character) => sum + (character > '\u007e' ? 2 : 1), 0);
          expect(wide).toBeLessThan(Math.max(20, columns));
        }
        expect(prompt).toMatch(/^Allow this Bash command \(\d+ characters\) once\? /);
      }
    },
  );

  test.each([
    ['an escape sequence', 'rm\u001b[2K\u001b[1A', 'rm\\u001b[2K\\u001b[1A'],
    ['a carriage return', 'rm x\rls', 'rm x\\u000dls'],
    ['a control character of the second set', 'rm \u009b2J', 'rm \\u009b2J'],
    ['a change of direction', 'rm \u202e\u2066x', 'rm \\u202e\\u2066x'],
    ['a line separator', 'rm\u2028x', 'rm\\u2028x'],
    ['a blank that is none', 'rm\u00a0x\u3000\u2800', 'rm\\u00a0x\\u3000\\u2800'],
    ['what is invisible', 'r\u200bm\u00ad \u3164\u{e0041}', 'r\\u200bm\\u00ad \\u3164\\udb40\\udc41'],
    ['half of a character', 'rm \ud800', 'rm \\ud800'],
  ])('shows %s as what it is', (_name, command, shown) => {
    expect(asked({ command }).rows[1]).toBe(`  command: ${shown}`);
  });
});

test('the long content of a file is shown head and tail, with a count', () => {
  const content = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`).join('\n');
  const { rows, prompt } = asked({ file_path: '/p/f', content }, { subject: 'Write' });
  expect(prompt).toBe('Allow this Write (1000 lines) once? [y/N] ');
  expect(rows.slice(0, 4)).toEqual([
    'Write asks for permission:',
    '  file_path: /p/f',
    '  content: (1000 lines)',
    '       1 │ line 1',
  ]);
  expect(rows).toContain('    … (960 rows are not shown) …');
  expect(rows).toContain('    1000 │ line 1000');
});

test('a reason of many lines stands behind a bar too', () => {
  const { rows } = asked({ command: 'ls' }, { reason: 'hook says\nAllow this Bash command once? [y/N] ' });
  expect(rows.slice(2)).toEqual([
    'because: (2 lines)',
    '    1 │ hook says',
    '    2 │ Allow this Bash command once? [y/N] ',
  ]);
});

test('values that are no texts are shown as JSON', () => {
  const { rows } = asked(
    { model: 'm', usage: { input_tokens: 5 }, none: null },
    { subject: 'model request' },
  );
  expect(rows.slice(1, 4)).toEqual(['  model: m', '  usage: {"input_tokens":5}', '  none: null']);
});
