/** The quick check of a line never says yes where the whole one would say no. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_PREVIOUS, openLine, sealLine } from '../../src/audit/chain.ts';
import { quickCheck } from '../../src/audit/quick-check.ts';

const sealed = (content: string) =>
  Buffer.from(`${content},"hash":"${createHash('sha256').update(content).digest('hex')}"}`);
const start = `{"v":1,"seq":1,"prev":"${NO_PREVIOUS}"`;
/** As the line stands in a file, behind the hash of the record before it. */
const quick = (line: Buffer) => {
  const bytes = Buffer.concat([Buffer.from(NO_PREVIOUS), line]);
  return quickCheck(bytes, NO_PREVIOUS.length, bytes.length, 1, 0);
};

/** What the whole check makes of a line at this place. */
function whole(line: Buffer): string | undefined {
  const opened = openLine(line);
  if (!opened.ok) return undefined;
  const { seq, prev, hash } = opened.record;
  return seq === 1 && prev === NO_PREVIOUS ? hash : undefined;
}

const VALUES: readonly unknown[] = [
  'text with "quotes", \\ and \n\t\u0000\u001f\u007f ü 日本 \u{1f600} \ud800',
  ...[0, -1, 1.5, 1e21, 1e-7, -0.5, 123456789012345, true, false, null],
  ...[[], {}, [[]], [{}], { a: {} }, [1, [2, [3, { four: 4 }]], 'five'], { '': '', 'a"b': [null] }],
];

describe('the quick check', () => {
  it.each(VALUES.map((value) => [JSON.stringify(value), value]))(
    'knows a record that holds %s',
    (_, value) => {
      const body = JSON.stringify({ time: 't', kind: 'k', value, after: 1, list: [value, value] });
      const { line, hash } = sealLine(1, NO_PREVIOUS, body);
      expect(quick(Buffer.from(line))).toBe(hash);
      expect(whole(Buffer.from(line))).toBe(hash);
    },
  );

  it.each([
    ['another number', sealed(`{"v":1,"seq":2,"prev":"${NO_PREVIOUS}","time":"t","kind":"k"`)],
    ['another record before it', sealed(`{"v":1,"seq":1,"prev":"${'1'.repeat(64)}","time":"t","kind":"k"`)],
    ['a number with a zero in front', sealed(`${start},"time":"t","kind":"k","x":01`)],
    ['no value', sealed(`${start},"time":"t","kind":"k","x":`)],
    ['half a string', sealed(`${start},"time":"t","kind":"k","x":"`)],
    ['a control character in a string', sealed(`${start},"time":"t","kind":"k","x":"\u0001"`)],
    ['an escape that there is not', sealed(`${start},"time":"t","kind":"k","x":"\\x"`)],
    ['half an escape', sealed(`${start},"time":"t","kind":"k","x":"\\u12"`)],
    ['a list that does not end', sealed(`${start},"time":"t","kind":"k","x":[1`)],
    ['an object closed as a list', sealed(`${start},"time":"t","kind":"k","x":{"a":1]`)],
    ['an object that ends early', sealed(`${start},"time":"t","kind":"k"},{"a":1`)],
    ['a comma too many', sealed(`${start},"time":"t","kind":"k","x":[1,]`)],
    ['a key without quotes', sealed(`${start},"time":"t","kind":"k",x:1`)],
    ['a word that is no value', sealed(`${start},"time":"t","kind":"k","x":nul`)],
    ['a second number', sealed(`${start},"time":"t","kind":"k","seq":7`)],
    ['a second number in disguise', sealed(`${start},"time":"t","kind":"k","s\\u0065q":7`)],
    ['a second kind that is none', sealed(`${start},"time":"t","kind":"k","kind":7`)],
    ['no kind', sealed(`${start},"time":"t"`)],
  ])('has no opinion on a line with %s', (_, line) => {
    expect(quick(line)).toBeUndefined();
    expect(whole(line)).toBeUndefined();
  });

  it('agrees with the whole check wherever one byte of a sound line is another, its hash made to fit or not', () => {
    const body = JSON.stringify({ time: 't', kind: 'k', a: { b: [1, -2.5, 'x\\"y', null, true] }, c: 'é' });
    const original = Buffer.from(sealLine(1, NO_PREVIOUS, body).line);
    let agreed = 0;
    for (let at = 0; at < original.length; at++) {
      for (const byte of Buffer.from('"\\,:{}[]019eE.-+ tnuax\u0000\n')) {
        const changed = Buffer.from(original);
        changed[at] = byte;
        const fitting = Buffer.from(changed);
        const content = changed.subarray(0, -75);
        fitting.write(createHash('sha256').update(content).digest('hex'), fitting.length - 66, 'latin1');
        for (const line of [changed, fitting]) {
          const [one, other] = [quick(line), whole(line)];
          if (one === other) agreed += 1;
          // No opinion is no yes: then the whole check decides.
          else expect([at, byte, one]).toEqual([at, byte, undefined]);
        }
      }
    }
    expect(agreed).toBeGreaterThan(original.length * 40);
  });
});
