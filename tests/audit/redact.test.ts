import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  beginningOf,
  forRecord,
  idForRecord,
  MAX_STRING_BYTES,
  maskSecrets,
  maskTokens,
} from '../../src/audit/redact.ts';

// Made-up values of the right shape, put together here so that no scanner takes this file for a leak.
const FAKE = {
  'anthropic-key': `sk-ant-${'api03-Ab1_'.repeat(4)}`,
  'openai-key': `sk-${'aB3xYz09'.repeat(6)}`,
  'github-token': `ghp_${'aB3'.repeat(12)}`,
  'aws-key-id': `AKIA${'ABCD1234'.repeat(2)}`,
  'slack-token': `xoxb-${'1234567890-'.repeat(3)}`,
  jwt: `eyJ${'hbGciOi'.repeat(3)}.eyJ${'zdWIiOi'.repeat(3)}.${'c2lnbmF0dXJl'.repeat(2)}`,
};

const masked = (name: string, value: string) =>
  `[REDACTED:${name}:${createHash('sha256').update(value).digest('hex').slice(0, 8)}]`;
const TOKEN = FAKE['github-token'];
const MASKED = masked('github-token', TOKEN);

describe('redaction', () => {
  it.each(Object.entries(FAKE))('masks a %s wherever it stands', (name, token) => {
    const shown = masked(name, token);
    expect(maskTokens(`curl -H "Authorization: Bearer ${token}" x && echo ${token}`)).toBe(
      `curl -H "Authorization: Bearer ${shown}" x && echo ${shown}`,
    );
  });

  it('leaves everything around a token readable: blanks and shell metacharacters end it', () => {
    expect(maskTokens(`X=${TOKEN};rm -rf build|cat>y`)).toBe(`X=${MASKED};rm -rf build|cat>y`);
  });

  it.each([
    ['a flag', `curl -u${TOKEN}:x https://h`, `curl -u${MASKED}:x https://h`],
    ['an escaped equals sign', `https://h/?x%3D${TOKEN}`, `https://h/?x%3D${MASKED}`],
    ['an escaped line end', `{"k":"line\\n${TOKEN}"}`, `{"k":"line\\n${MASKED}"}`],
    ['a letter', `X${TOKEN}`, `X${MASKED}`],
  ])('masks a token right behind %s', (_, text, shown) => {
    expect(maskTokens(text)).toBe(shown);
  });

  it('tells two tokens apart, and one from itself', () => {
    const other = `ghp_${'bC4'.repeat(12)}`;
    expect(maskTokens(TOKEN)).toBe(maskTokens(TOKEN));
    expect(maskTokens(TOKEN)).not.toBe(maskTokens(other));
  });

  it.each([
    'git commit -m "sk-ant is a prefix"',
    'task-anthropic-something-long-enough-to-look-odd',
    './sk-very-long-kebab-case-file-name-for-a-component.tsx',
    '/sk-learn-some-very-long-directory-name-here/x',
    'disk-Backup2024-of-the-old-server-in-the-cellar-room',
    'echo PASSWORD=hunter2',
    'AKIAsomething',
    'a.eyJ.b',
  ])('leaves %j alone', (text) => {
    expect(maskTokens(text)).toBe(text);
  });

  it.each(['eyJ', 'eyJ-', '.eyJ', '.eyJabcdefghi', 'sk-', 'sk-ant-', 'ghp_', 'github_pat_'])(
    'takes no longer than a moment for many times %j',
    (text) => {
      const started = performance.now();
      maskTokens(text.repeat(MAX_STRING_BYTES / text.length));
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );

  it('masks inside keys, lists and nested objects', () => {
    expect(forRecord({ [TOKEN]: [{ a: TOKEN }] })).toEqual({ [MASKED]: [{ a: MASKED }] });
  });

  it('masks configured credentials as these very values, the longer of two first', () => {
    const mask = maskSecrets(['correct-horse-$1', 'correct-horse-$1-battery', 'short', 'with a blank']);
    expect(mask('a correct-horse-$1-battery b correct-horse-$1 c short with a blank')).toBe(
      `a ${masked('credential', 'correct-horse-$1-battery')} b ${masked('credential', 'correct-horse-$1')} c short with a blank`,
    );
    expect(mask(TOKEN)).toBe(MASKED);
  });

  it('keeps size, digest and head of a large text, and no half token at the cut', () => {
    const text = `${'x'.repeat(4080)} ${FAKE['anthropic-key']}${'y'.repeat(MAX_STRING_BYTES)}`;
    const large = forRecord(text) as { bytes: number; sha256: string; head: string };
    expect(large.bytes).toBe(text.length);
    expect(large.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(large.head).not.toContain('sk-ant-');
    expect(forRecord('x'.repeat(MAX_STRING_BYTES))).toBe('x'.repeat(MAX_STRING_BYTES));
  });

  it('shows no half token where a masked one has made the head shorter', () => {
    const long = `sk-ant-${'a'.repeat(6000)}`;
    const text = `${long} ${'z '.repeat(1080)}${TOKEN} ${'y'.repeat(MAX_STRING_BYTES)}`;
    expect(text.indexOf(TOKEN)).toBeLessThan(8192);
    expect(text.indexOf(TOKEN) + TOKEN.length).toBeGreaterThan(8192);
    const { head } = forRecord(text) as { head: string };
    expect(head).toContain('z z z');
    expect(head).not.toContain('ghp_');
  });

  it('keeps an id short, and two long ids apart', () => {
    const [one, two] = ['1', '2'].map((last) => idForRecord(`${'i'.repeat(100_000)}${last}`, maskTokens));
    expect(one?.length).toBeLessThanOrEqual(256);
    expect(one).not.toBe(two);
    expect(idForRecord(`toolu_${TOKEN}`, maskTokens)).toBe(`toolu_${MASKED}`);
  });

  it('hides what a field holds whose name says that it is a credential, and keeps the rest', () => {
    const given = {
      ...{
        password: 'hunter2',
        'API-Key': 'k',
        Authorization: ['Bearer x'],
        nested: { client_secret: { a: 'b' } },
      },
      ...{ command: 'echo password', file_path: '/etc/password', token: null, secret: true, pin: 1234 },
    };
    const hidden = '[REDACTED:field]';
    expect(forRecord(given)).toEqual({
      ...{ password: hidden, 'API-Key': hidden, Authorization: hidden, nested: { client_secret: hidden } },
      ...{ command: 'echo password', file_path: '/etc/password', token: null, secret: true, pin: 1234 },
    });
  });

  it('claims nothing of a token that is split over fields or encoded', () => {
    const [start, rest] = [TOKEN.slice(0, 20), TOKEN.slice(20)];
    expect(forRecord({ start, rest })).toEqual({ start, rest });
    const encoded = Buffer.from(TOKEN).toString('base64');
    expect(maskTokens(encoded)).toBe(encoded);
  });

  it('finds a token inside of JSON in a string', () => {
    const text = JSON.stringify({ a: `x\n${TOKEN}"`, b: [TOKEN] });
    expect(maskTokens(text)).not.toContain(TOKEN);
    expect(JSON.parse(maskTokens(text))).toEqual({ a: `x\n${MASKED}"`, b: [MASKED] });
  });

  it('cuts the beginning of an output before a word, which may be half a token', () => {
    const text = `${'x '.repeat(990)}${TOKEN} more`;
    expect(text.slice(0, 2000)).toContain('ghp_');
    expect(beginningOf(text, 2000)).toBe('x '.repeat(990));
    expect(beginningOf('short', 2000)).toBe('short');
  });
});
