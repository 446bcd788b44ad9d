/** Shapes of tokens that users name: what is taken, what is refused and where, and that no text can hold them up. */
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../src/audit/redact.ts';
import { maskPattern, parseTokenPattern, type TokenPattern } from '../../src/audit/token-pattern.ts';

function shape(source: string): TokenPattern {
  const parsed = parseTokenPattern('test', source);
  if (!parsed.ok) throw new Error(`${parsed.at}: ${parsed.problem}`);
  return parsed.pattern;
}
const masked = (source: string, text: string) => maskPattern(text, shape(source), (_, token) => `<${token}>`);

describe('a shape of tokens', () => {
  it.each([
    ['itk_[A-Za-z0-9]{8}', 'x itk_abcdEFG1 y', 'x <itk_abcdEFG1> y'],
    ['itk_[A-Za-z0-9]{8,}', 'itk_abcdEFG1234;rm', '<itk_abcdEFG1234>;rm'],
    ['itk_[a-z]{4,8}-[0-9]{2}', '=itk_abcdef-12.', '=<itk_abcdef-12>.'],
    ['itk_\\d{4}\\w+', 'itk_12345_z|cat', '<itk_12345_z>|cat'],
    ['corp\\.[a-f0-9]{6}\\.?', 'corp.abc123.', '<corp.abc123.>'],
    ['abc-[a-z]{5}[/+=-]*', 'abc-defgh+/==', '<abc-defgh+/==>'],
    ['aaa[ab]{5}', 'aaaaaaaaaaaa', '<aaaaaaaa>aaaa'],
    ['fixed-value', 'a fixed-value.', 'a <fixed-value>.'],
  ])('%s masks in %j', (source, text, shown) => {
    expect(masked(source, text)).toBe(shown);
  });

  it.each([
    ['', 0, /begins with at least 3/],
    ['it[a-z]{10}', 0, /begins with at least 3/],
    ['.*', 0, /write "\\\\."/],
    ['itk_(a|b)', 4, /"\(" cannot stand here/],
    ['itk_[a-z', 4, /no end/],
    ['itk_[]', 4, /empty/],
    ['itk_[^a]{10}', 4, /names the characters that it has/],
    ['itk_[z-a]{10}', 5, /a range goes/],
    ['itk_[A-z]{10}', 5, /a range goes/],
    ['itk_\\s{10}', 4, /\\s is not known here/],
    ['itk_[ a]{10}', 5, /must not hide what ran/],
    ['itk_;{10}', 4, /must not hide what ran/],
    ['itk_"{10}', 4, /must not hide what ran/],
    ["itk_[$']{10}", 5, /cannot stand here/],
    ['itk_[a-z]{3,1}', 9, /the count fits nothing/],
    ['itk_[a-z]{x}', 9, /a count is/],
    ['itk_a', 5, /at least 8/],
    ['itk_[a-z]+-[0-9]{8}', 4, /only the last part/],
    ['itk_[a-z]{1,9}[a-z]{8}', 4, /cannot be told/],
    ['itk_[a-z]{1,9}-?[a-z]{8}', 4, /cannot be told/],
    ['itk_[a-z]{300}', 14, /more than 256/],
  ])('%j is refused at its character %i', (source, at, problem) => {
    const parsed = parseTokenPattern('test', source);
    expect(parsed).toMatchObject({ ok: false, at });
    expect(parsed.ok ? '' : parsed.problem).toMatch(problem);
  });

  it('cannot be held up, whatever the text', () => {
    const shapes = ['aaa[a]{252}b', 'aaa[a-z]{200,250}-[0-9]{4,}', 'aaa[a-z]{8,}'].map(shape);
    const mask = maskSecrets([], shapes);
    for (const text of ['a', 'aaab', 'aaa-', 'aa']) {
      const began = process.cpuUsage();
      mask(text.repeat(20 * 1024));
      const { user } = process.cpuUsage(began);
      expect(user / 1000).toBeLessThan(4000);
    }
  });

  it('never reaches beyond the word that it begins in', () => {
    const mask = maskSecrets([], [shape('itk_[A-Za-z0-9_.+/=:@%,~-]{4,}')]);
    for (const character of ' \t\n;|&<>()$`"\'\\{}[]*?!#^')
      expect(mask(`itk_abcd${character}rm -r x`)).toMatch(
        new RegExp(`^\\[REDACTED:test:[0-9a-f]{8}\\]\\${character}rm -r x$`),
      );
  });
});
