/** The short way to a record's text gives the same as the long one, and never lets a secret through. */
import { expect, it } from 'vitest';
import { sealBytes, sealLine } from '../../src/audit/chain.ts';
import { bodyOf, scopeText, timeText } from '../../src/audit/record-body.ts';
import { type Mask, maskSecrets, maskTokens } from '../../src/audit/redact.ts';
import { parseTokenPattern } from '../../src/audit/token-pattern.ts';
import { Random } from '../support/random.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const scope = { session: 'session-1', turn: 3, policy: 'f'.repeat(64) };

function textOf(fields: Record<string, unknown>, mask: Mask, given: object = scope): string {
  return bodyOf({
    time: 't',
    kind: 'tool_use',
    scope: given,
    scopeText: scopeText(given, mask),
    fields,
    mask,
  });
}

const suspectsAll = Object.assign((text: string) => maskTokens(text), { suspects: () => true });

it.each([
  { tool_use_id: 'toolu_1', input: { command: 'echo "ä\n\u2028 \ud800"', list: [undefined, null, 1.5] } },
  { tool_use_id: undefined, reason: undefined, text: 'x' },
  { text: 'x'.repeat(10_000), more: { deep: [{ deeper: true }] } },
  { tool_use_id: 'i'.repeat(300), text: 'x' },
  { key: { ['k'.repeat(5000)]: 1 } },
  {},
])('%#', (fields) => {
  for (const given of [scope, { session: undefined, turn: undefined, policy: undefined }])
    expect(textOf(fields, maskTokens, given)).toBe(textOf(fields, suspectsAll, given));
});

it('a token or a credential is masked wherever it stands, also one that JSON writes differently', () => {
  const secret = 'hunter2"\\päss';
  const mask = maskSecrets([secret]);
  for (const hidden of [TOKEN, secret])
    for (const fields of [
      { tool_use_id: hidden },
      { text: `a ${hidden} b` },
      { [hidden]: 1 },
      { deep: [{ er: hidden }] },
    ]) {
      const body = textOf(fields, mask);
      expect(body).toContain('[REDACTED:');
      expect(body).not.toContain(JSON.stringify(hidden).slice(1, -1));
    }
  expect(textOf({}, mask, { ...scope, session: TOKEN })).not.toContain(TOKEN);
});

it('no record of random names and texts is written as it is where the long way would mask something', () => {
  const random = new Random(7);
  const words = [
    'password',
    'API',
    'Key',
    'client',
    'secret',
    'set',
    'cookie',
    'token',
    'monkey',
    TOKEN,
  ] as const;
  const joints = ['', '-', '_ ', ' ', '"', '":', '\\', 'x', '\n', 'ä'] as const;
  const name = () =>
    random.several(1, 2, () => random.pick(joints) + random.pick(words)).join('') + random.pick(joints);
  const value = (depth: number): unknown =>
    depth === 0 || random.chance(0.5)
      ? random.pick<unknown>([name(), 5, null, true])
      : random.chance(0.3)
        ? [value(depth - 1)]
        : Object.fromEntries(random.several(1, 3, () => [name(), value(depth - 1)]));
  let masked = 0;
  for (let n = 0; n < 1000; n++) {
    const fields = { input: value(3) };
    const text = textOf(fields, maskTokens);
    expect(text).toBe(textOf(fields, suspectsAll));
    if (text.includes('[REDACTED:field]')) masked += 1;
  }
  expect(masked).toBeGreaterThan(30);
});

it('a line is the same bytes in the buffer that is used again as by itself', () => {
  for (const text of ['short', 'ä\u2028😀', 'x'.repeat(100_000), 'after the long one'])
    for (let n = 0; n < 2; n++) {
      const body = JSON.stringify({ text });
      const { line, hash } = sealLine(7, 'a'.repeat(64), body);
      const sealed = sealBytes(7, 'a'.repeat(64), body);
      expect({ text: sealed.bytes.toString('utf8'), hash: sealed.hash }).toEqual({ text: `${line}\n`, hash });
    }
});

it('a token of a shape that the user named, and a field that is a credential by its name, are masked in a short record, too', () => {
  const parsed = parseTokenPattern('internal', 'itk_[a-z0-9]{8}');
  if (!parsed.ok) throw new Error(parsed.problem);
  const mask = maskSecrets([], [parsed.pattern]);
  expect(textOf({ text: 'x itk_abcd1234 y' }, mask)).toMatch(/"x \[REDACTED:internal:[0-9a-f]{8}\] y"/);
  for (const name of ['password', 'API-Key', 'client_secret', 'pass word'])
    expect(textOf({ input: { [name]: 'hunter2' } }, maskTokens)).not.toContain('hunter2');
});

it('each record bears its own time, however many there are in a millisecond', () => {
  const times = [5, 5, 6, 5, 1_790_000_000_123, 1_790_000_000_123, 0].map((ms) => new Date(ms));
  expect(times.map(timeText)).toEqual(times.map((time) => time.toISOString()));
  const moved = new Date(7);
  expect(timeText(moved)).toBe('1970-01-01T00:00:00.007Z');
  moved.setTime(8);
  expect(timeText(moved)).toBe('1970-01-01T00:00:00.008Z');
  expect(() => timeText(new Date(Number.NaN))).toThrow(RangeError);
});
