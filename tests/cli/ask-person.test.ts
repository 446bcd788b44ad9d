/** A question is answered by a clear word alone; anything else is asked again, and nothing is ever a yes by accident. */
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { askPerson, readAnswer } from '../../src/cli/ask-person.ts';
import type { PendingApproval } from '../../src/core/protocol.ts';
import { pending } from '../support/fake-session.ts';
import { ENTER } from '../support/keys.ts';
import { typedLines } from '../support/typed-lines.ts';

test.each(['y', ' Y ', 'yes', 'YES\t'])('%j is a yes', (line) => {
  expect(readAnswer(line)).toEqual({ kind: 'yes' });
});

test.each([
  ['', undefined],
  ['   ', undefined],
  ['n', undefined],
  ['No', undefined],
  ['no.', undefined],
  ['n use git mv instead', 'use git mv instead'],
  ['no, not there: yes', 'not there: yes'],
])('%j is a no, with the reason %j', (line, reason) => {
  expect(readAnswer(line)).toEqual(reason === undefined ? { kind: 'no' } : { kind: 'no', reason });
});

test.each(['yess', 'y y', 'yes please', 'ye', 'ok', 'ｙ', 'y\u200b', 'allow', '1', 'always y', 'not'])(
  '%j is no answer',
  (line) => {
    expect(readAnswer(line)).toEqual({ kind: 'unclear' });
  },
);

async function ask(
  approval: PendingApproval,
  lines: readonly string[],
  explain?: () => Promise<readonly string[]>,
) {
  const { input, type, drawn, settle } = typedLines();
  const said: string[] = [];
  const asking = {
    input,
    say: (line: string) => void said.push(line),
    colours: picocolors.createColors(false),
    columns: () => 80,
    explain,
  };
  const reply = askPerson(approval, asking, new AbortController().signal);
  for (const line of lines) {
    await settle();
    type(line + ENTER);
  }
  await settle();
  input.close();
  return { reply: await reply, said: said.join('\n'), drawn: drawn() };
}

const alwaysRule = 'Bash(git push origin main)';

describe('a question', () => {
  test('says the reason, the rule behind it, and the keys; y allows once', async () => {
    const rule = {
      text: 'Bash(git push:*)',
      list: 'ask',
      file: '/u/settings.json',
      line: 12,
      column: 5,
    } as const;
    const decision = { behavior: 'ask', reason: 'A rule asks.', cause: { kind: 'rule', rule } } as const;
    const { reply, said, drawn } = await ask(pending({ decision }), ['y']);
    expect(reply).toEqual({ answer: 'allow', inputDigest: 'd1' });
    expect(said).toContain('because: A rule asks.');
    expect(said).toContain('rule: ask rule Bash(git push:*) (/u/settings.json:12)');
    expect(said).toContain('y once · n [why]');
    expect(said).not.toContain('always');
    expect(drawn).toContain('Allow this Bash command once? [y/N] ');
  });

  test('is asked again after what is no answer', async () => {
    const { reply, said } = await ask(pending(), ['yess', 'a', 'n no pushing today']);
    expect(reply).toEqual({ answer: 'deny', inputDigest: 'd1', reason: 'no pushing today' });
    expect(said).toContain('"yess" is no answer');
    expect(said).toContain('"a" is no answer');
  });

  test('is explained, as often as somebody wants', async () => {
    let times = 0;
    const explain = async () => {
      times += 1;
      return [`explained ${times}`];
    };
    const { reply, said } = await ask(pending(), ['e', 'explain', ''], explain);
    expect(reply).toEqual({ answer: 'deny', inputDigest: 'd1' });
    expect(said).toContain('explained 2');
  });

  test('whose explanation fails says so, and still waits', async () => {
    const { reply, said } = await ask(pending(), ['e', 'y'], async () => {
      throw new Error('settings.json:3: no JSON');
    });
    expect(said).toContain('settings.json:3: no JSON');
    expect(reply?.answer).toBe('allow');
  });

  test('shows the rule of "always" to the letter, and writes it only after a yes to that', async () => {
    const no = await ask(pending({ alwaysRule }), ['a', '', 'n']);
    expect(no.said).toContain(`  rule: ${alwaysRule}`);
    expect(no.reply).toEqual({ answer: 'deny', inputDigest: 'd1' });
    const yes = await ask(pending({ alwaysRule }), ['a', 'y']);
    expect(yes.reply).toEqual({ answer: 'allow', inputDigest: 'd1', alwaysRule });
    expect(yes.drawn).toContain('Write this rule, and allow? [y/N] ');
  });

  test('shows nothing in a rule that is invisible or leaves its place', async () => {
    const evil = `Bash(ls)\n\u001b[2K  rule: Bash(echo ${'x'.repeat(300)}\u200b)`;
    const { said } = await ask(pending({ alwaysRule: evil }), ['a', '', '']);
    expect(said).not.toMatch(/[\u001b\u200b]/);
    const rows = said.split('\n');
    const shown = rows.slice(rows.findIndex((row) => row.startsWith('  rule:')) + 1, -1);
    expect(shown.length).toBeGreaterThan(4);
    for (const row of shown.filter((one) => !one.startsWith('"hookd'))) expect(row).toMatch(/^ {4}[ \d] │ /);
  });

  test('of nobody any more is no answer', async () => {
    const { reply } = await ask(pending(), []);
    expect(reply).toBeUndefined();
  });
});
