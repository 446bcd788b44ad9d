/** What SessionStart hooks leave in CLAUDE_ENV_FILE: read as a shell reads it, and nothing run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EnvFile } from '../../src/hooks/env-file.ts';
import { childEnvironment } from '../../src/lib/child-env.ts';

const root = mkdtempSync(join(tmpdir(), 'hookd-env-file-'));
afterAll(() => rmSync(root, { recursive: true }));

const GIVEN = { HOME: '/home/u', PATH: '/usr/bin:/bin', OLD: 'old value', B: 'b' };

const made = (all: Readonly<Record<string, string>>) => childEnvironment(all, { projectDir: '/p' });

let count = 0;
function read(text: string, given: Readonly<Record<string, string>> = GIVEN) {
  const path = join(root, `${count++}`);
  writeFileSync(path, text);
  const told: string[] = [];
  return { path, told, env: new EnvFile(path, (line) => told.push(line)).changed(given, made) };
}

/** `declare -x` lines are bash's own, so that is asked what it makes of the text: it sets variables, and nothing else. */
function asBashReads(path: string): Record<string, string> {
  const printed = execFileSync('bash', ['-c', 'set -a; . "$1"; /usr/bin/env -0', 'bash', path], {
    env: { ...GIVEN, SHLVL: '1' },
    encoding: 'utf8',
  });
  const all = printed
    .split('\0')
    .filter((one) => one.includes('='))
    .map((one): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
  return Object.fromEntries(all.filter(([name]) => !/^(?:_|SHLVL|PWD|OLDPWD)$/.test(name)));
}

describe('a line is what it is for a shell', () => {
  it.each([
    ['export PATH="$PATH:./node_modules/.bin"', { PATH: '/usr/bin:/bin:./node_modules/.bin' }],
    ['declare -x A="1"\ndeclare -x C="two words"\ndeclare -x OLDPWD', { A: '1', C: 'two words' }],
    ['declare -rx A="1"; typeset -x C=2', { A: '1', C: '2' }],
    ['export A=1 C="x $B" D=\u0024{B}y # a comment', { A: '1', C: 'x b', D: 'by' }],
    ['export A=1; export C=$A$A\nexport A=2; D=$A', { A: '2', C: '11', D: '2' }],
    ['A=plain\n  export   C=indented  ', { A: 'plain', C: 'indented' }],
    ['export A=\'it\'\'s $B\' C="a \\"q\\" \\$B \\\\ \\n"', { A: 'its $B', C: 'a "q" $B \\ \\n' }],
    ["export A=$'a\\tb\\ncaf\\303\\251 \\'q\\''", { A: "a\tb\ncafé 'q'" }],
    ['export A=two\\ words\\$B C=a#b', { A: 'two words$B', C: 'a#b' }],
    ['export A="line one\nline two\n# three" C=1', { A: 'line one\nline two\n# three', C: '1' }],
    ['export A=$OLD C="$NONE"', { A: 'old value', C: '' }],
    ['export A=~/bin:~:/x~ C="~" D=\\~ E=x=~', { A: '/home/u/bin:/home/u:/x~', C: '~', D: '~', E: 'x=~' }],
    ['export A=*.js C=[ab]? D=a{b', { A: '*.js', C: '[ab]?', D: 'a{b' }],
    ['export PATH+=:/opt/bin "A=q $B"', { PATH: '/usr/bin:/bin:/opt/bin', A: 'q b' }],
    ['export -- A=1\nexport B\nexport OLD C=3', { A: '1', C: '3' }],
    ['# nothing but\n\n  # comments\n', {}],
  ])('%j', (text, sets) => {
    const { path, told, env } = read(text);
    expect(env).toEqual({ ...GIVEN, ...sets });
    expect(told).toEqual([]);
    expect(env).toEqual(asBashReads(path));
  });

  it('unset takes a variable away, for later lines, too', () => {
    const { path, told, env } = read('unset OLD; unset -v B NONE\nexport A="<$OLD>"');
    expect(env).toEqual({ HOME: GIVEN.HOME, PATH: GIVEN.PATH, A: '<>' });
    expect(told).toEqual([]);
    expect(env).toEqual(asBashReads(path));
  });

  it('lines that end as on Windows are lines', () => {
    expect(read('export A=1\r\nexport C="2"\r\n').env).toEqual({ ...GIVEN, A: '1', C: '2' });
  });

  it('all that `export -p` prints comes back', () => {
    const env = { A: 'a "q" $B `c` \\ \'s\'', C: 'two\nlines\n', D: '\t\u001b[0m', E: '', F: 'ü ✓' };
    const printed = execFileSync('bash', ['-c', 'export -p'], {
      env: { ...env, SHLVL: '1' },
      encoding: 'utf8',
    });
    expect(read(printed, {}).env).toMatchObject(env);
  });

  it('hundreds of lines are read', () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `declare -x V${index}="value ${index}"`);
    expect(Object.keys(read(lines.join('\n')).env)).toHaveLength(2004);
  });
});

it('the arguments of one export see what was set before it', () => {
  const { env, path } = read('export A=1\nexport A=2 C=$A\nA=3 D=$A\ndeclare -x PATH=/x E=$PATH');
  expect(env).toMatchObject({ A: '3', C: '1', D: '3', PATH: '/x', E: '/usr/bin:/bin' });
  expect(env).toEqual({ ...asBashReads(path) });
});

it('what is appended is appended to what the same export has set', () => {
  const { env, path } = read('export A=1 A+=2 C=$A\nexport OLD+=. D=$OLD');
  expect(env).toEqual({ ...GIVEN, A: '12', C: '', OLD: 'old value.', D: 'old value' });
  expect(env).toEqual(asBashReads(path));
});

describe('a variable that only a running shell has is no text', () => {
  it.each(['UID', 'HOSTNAME', 'RANDOM', 'BASH', 'SHLVL', 'OLDPWD', 'IFS', 'ANTHROPIC_API_KEY', '_'])(
    '%s',
    (name) => {
      const { told, env } = read(`export FIRST=1\nexport A="<$${name}>" C=3`);
      expect(env).toEqual({ ...GIVEN, FIRST: '1', C: '3' });
      expect(told).toEqual([
        `CLAUDE_ENV_FILE of SessionStart hooks: line 2 does not set A, only a shell could tell $${name}.`,
      ]);
    },
  );

  it('one that the file or the environment has set is', () => {
    const { told, env } = read('export HOSTNAME=h; export A=$HOSTNAME$PATH$CLAUDECODE', {
      ...GIVEN,
      CLAUDECODE: '1',
    });
    expect(env).toMatchObject({ A: 'h/usr/bin:/bin1' });
    expect(told).toEqual([]);
  });
});

describe('what only a shell could tell is left out, and told by its line', () => {
  it.each([
    '. ./file',
    'source ~/.nvm/nvm.sh',
    'eval "$(direnv export bash)"',
    'export A=$(touch made)',
    'export A=`touch made`',
    'export A=$((1+1))',
    'export A="x$(touch made)" C=1',
    'export A=\u0024{B:-x}',
    'export A=\u0024{#B}',
    'export A=$1',
    'export A={a,b}',
    'export A=(1 2)',
    'export A[0]=1',
    'export A=~root/x',
    'export $B=1',
    'export "A=1"$OLD',
    'export -n B',
    'declare A=1',
    'declare -ix A=1',
    'unset -f B',
    'unset $B',
    'A=1 true',
    'export A=1 > f',
    'export A=1 &',
    'export A=1 && export C=2',
    'if true; then\nexport A=1\nfi',
    'f() { export A=1; }',
    'set -a',
    'B=x; }',
  ])('%j', (text) => {
    const { told, env } = read(`export FIRST=1\n${text}\n`);
    expect(env).toMatchObject({ ...GIVEN, FIRST: '1' });
    expect(Object.keys(env)).toHaveLength(5);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^CLAUDE_ENV_FILE of SessionStart hooks: (?:from )?line 2/);
  });

  it('the lines around it count', () => {
    const { told, env } = read('export A=1\neval "$(x)"\n\nexport C=3; . y; export D=4');
    expect(env).toEqual({ ...GIVEN, A: '1', C: '3', D: '4' });
    expect(told).toEqual([
      'CLAUDE_ENV_FILE of SessionStart hooks: line 2 (eval "$(x)") is not understood, and was left out.',
      'CLAUDE_ENV_FILE of SessionStart hooks: line 4 (. y) is not understood, and was left out.',
    ]);
  });

  it('nothing counts from a quote on that is never closed', () => {
    const { told, env } = read("export A=1\nexport C='two\nexport D=4\n");
    expect(env).toEqual({ ...GIVEN, A: '1' });
    expect(told).toEqual([
      'CLAUDE_ENV_FILE of SessionStart hooks: from line 2 on it was not read: unterminated single quote.',
    ]);
  });

  it('a value that may be a secret is not shown', () => {
    expect(read('export TOKEN=secret$(x)').told[0]).toContain('line 1 (export TOKEN=…) is');
  });

  it('a file without end is not read', () => {
    const { told, env } = read(`export A=1\n${'# x\n'.repeat(100_000)}`);
    expect(env).toEqual(GIVEN);
    expect(told[0]).toContain('it is longer than 65536 characters');
    expect(read(`cat ${'<<a '.repeat(2000)}`).told[0]).toContain('it is longer than 4096 characters');
  });

  it('a value that doubles with each line comes to an end', () => {
    const doubling = `X=aaaaaaaa\n${'X=$X$X\n'.repeat(40)}${Array.from({ length: 99 }, (_, i) => `V${i}=$X`).join('\n')}`;
    const { told, env } = read(doubling);
    expect(Object.values(env).join('').length).toBeLessThan(1024 * 1024);
    expect(told.join()).toContain('its value is longer than 131072 bytes');
    expect(told.join()).toContain('more');
  });

  it('of many only the first are told', () => {
    const { told } = read('. x\n'.repeat(100));
    expect(told).toHaveLength(6);
    expect(told[5]).toBe('CLAUDE_ENV_FILE of SessionStart hooks: and so with 95 more.');
  });

  it('each is told once, also where the file has grown', () => {
    const path = join(root, 'grows');
    writeFileSync(path, '. x\n');
    const told: string[] = [];
    const file = new EnvFile(path, (line) => told.push(line));
    file.changed(GIVEN, made);
    file.changed(GIVEN, made);
    writeFileSync(path, '. x\n. y\n');
    file.changed(GIVEN, made);
    expect(told).toHaveLength(2);
    expect(told[1]).toContain('line 2 (. y)');
  });
});

describe('what commands must not be given', () => {
  it.each([
    ['LD_PRELOAD=/x.so', 'LD_PRELOAD'],
    ['export BASH_ENV="$PATH"', 'BASH_ENV'],
    ['export ANTHROPIC_API_KEY=x', 'ANTHROPIC_API_KEY'],
    ['export IFS=x', 'IFS'],
    ['export HOME=/elsewhere', 'HOME'],
    ['unset HOME', 'HOME'],
    ['export SHLVL=5', 'SHLVL'],
    ['export CLAUDE_PROJECT_DIR=/elsewhere', 'CLAUDE_PROJECT_DIR'],
    ['export CLAUDECODE=0', 'CLAUDECODE'],
  ])('%j does not count, and is told', (text, name) => {
    const { told, env } = read(text);
    expect(env).toEqual(GIVEN);
    expect(told[0]).toMatch(new RegExp(`line 1 does not count, commands have (?:no|their own) ${name}\\.$`));
  });

  it('what is the same already is not told: all of an environment may be written down', () => {
    expect(read('declare -x HOME="/home/u"\nunset LD_PRELOAD').told).toEqual([]);
  });
});

it('no file is no change', () => {
  expect(new EnvFile(join(root, 'none'), () => undefined).changed(GIVEN, made)).toBe(GIVEN);
});
