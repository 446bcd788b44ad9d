import { describe, expect, it } from 'vitest';
import { forRecord, MAX_STRING_BYTES, maskTokens } from '../../src/audit/redact.ts';

// Made-up values of the right shape, put together here so that no scanner takes this file for a leak.
const FAKE = {
  'anthropic-key': `sk-ant-${'api03-Ab1_'.repeat(4)}`,
  'github-token': `ghp_${'aB3'.repeat(12)}`,
  'aws-key-id': `AKIA${'ABCD1234'.repeat(2)}`,
  'slack-token': `xoxb-${'1234567890-'.repeat(3)}`,
  jwt: `eyJ${'hbGciOi'.repeat(3)}.eyJ${'zdWIiOi'.repeat(3)}.${'c2lnbmF0dXJl'.repeat(2)}`,
};

describe('redaction', () => {
  it.each(Object.entries(FAKE))('masks a %s wherever it stands', (name, token) => {
    expect(maskTokens(`curl -H "Authorization: Bearer ${token}" x && echo ${token}`)).toBe(
      `curl -H "Authorization: Bearer [REDACTED:${name}]" x && echo [REDACTED:${name}]`,
    );
  });

  it('leaves everything around a token readable: blanks and shell metacharacters end it', () => {
    const command = `X=${FAKE['github-token']};rm -rf build|cat>y`;
    expect(maskTokens(command)).toBe('X=[REDACTED:github-token];rm -rf build|cat>y');
  });

  it.each([
    'git commit -m "sk-ant is a prefix"',
    'task-anthropic-something-long-enough-to-look-odd',
    'echo PASSWORD=hunter2',
    'AKIAsomething',
  ])('leaves %j alone', (text) => {
    expect(maskTokens(text)).toBe(text);
  });

  it('masks inside keys, lists and nested objects', () => {
    const token = FAKE['aws-key-id'];
    expect(forRecord({ [token]: [{ a: token }] })).toEqual({
      '[REDACTED:aws-key-id]': [{ a: '[REDACTED:aws-key-id]' }],
    });
  });

  it('keeps size, digest and head of a large text, and no half token at the cut', () => {
    const text = `${'x'.repeat(4080)} ${FAKE['anthropic-key']}${'y'.repeat(MAX_STRING_BYTES)}`;
    const large = forRecord(text) as { bytes: number; sha256: string; head: string };
    expect(large.bytes).toBe(text.length);
    expect(large.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(large.head).not.toContain('sk-ant-');
    expect(forRecord('x'.repeat(MAX_STRING_BYTES))).toBe('x'.repeat(MAX_STRING_BYTES));
  });
});
