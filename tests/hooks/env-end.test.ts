/** Where the reading of CLAUDE_ENV_FILE stops, as that of a shell does. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readEnvText } from '../../src/hooks/env-text.ts';

function read(text: string) {
  const { steps, problems } = readEnvText(`export FIRST=1\n${text}\nexport LAST=1\n. x\n`);
  return { sets: steps.map(({ name }) => name), problems };
}

/** Of texts that do nothing but end. */
function setByBash(text: string): string[] {
  const script = '. <(printf %s "$1"); echo \u0024{!FIRST*} \u0024{!LAST*}';
  const args = ['-c', script, 'bash', `FIRST=1\n${text}\nLAST=1\n`];
  return execFileSync('bash', args, { encoding: 'utf8' }).trim().split(' ');
}

describe('behind what may end the file nothing counts, and that is told once', () => {
  it.each([
    'return',
    'return 0',
    'exit 1',
    'exec bash -l',
    'command exit',
    '[ -n "$NONE" ] || return',
    'if [ -z "$NONE" ]; then return; fi',
    '{ true; exit; }',
    '! return 1',
    'case x in x) return;; esac',
  ])('%j', (text) => {
    const { sets, problems } = read(text);
    expect(sets).toEqual(['FIRST']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^line 2 \(.*\) may end it, and from there on it was not read$/);
    if (text.includes('return')) expect(setByBash(text)).toEqual(sets);
  });

  it('in the middle of a line, too', () => {
    expect(readEnvText('A=1; return; B=2\nC=3').steps).toMatchObject([{ name: 'A' }]);
  });

  it('a fault behind it is not told', () => {
    expect(readEnvText("A=1\nreturn\nB='").problems).toHaveLength(1);
  });
});

describe('what ends something else ends no file', () => {
  it.each([
    'f() { return 1; }',
    '(exit 1)',
    'x=$(exit 1)',
    'exit | cat',
    'exit &',
    'exec 3> /dev/null',
    'command -v exit > /dev/null',
    'true exit',
  ])('%j', (text) => {
    const { sets } = read(text);
    expect(sets).toEqual(['FIRST', 'LAST']);
    expect(setByBash(text)).toEqual(sets);
  });
});
