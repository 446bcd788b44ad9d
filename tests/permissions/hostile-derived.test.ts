/** Files that a program writes under a name made of others, in another place, or by an option. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { all, none } from './answers.ts';
import { bash, filesOf, permissionsOf, type RuleTexts } from './scene.ts';

const rule = (text: string): RuleTexts => ({ allow: ['Bash'], deny: [text] });
const SRC = rule('Edit(src/**)');
const LOCK = rule('Edit(*.lock)');

const FILES = filesOf(['/work/proj/p.txt', '/work/proj/prot/q.txt', '/work/proj/.env', '/tmp/.env']);

const answersOf = (rules: RuleTexts, commands: readonly string[]): readonly string[] =>
  commands.map(
    (command) =>
      `${decide({ permissions: permissionsOf(rules), call: bash(command), files: FILES }).behavior} ${command}`,
  );

const denied = (commands: readonly string[]): readonly string[] =>
  commands.map((command) => `deny ${command}`);

test('what find hands to a command or removes is what it finds where it begins', () => {
  const of = {
    'Read(p.txt)': [
      'find p.txt -exec rm {} +',
      'find ./p.txt -exec cat {} \\;',
      'find . -delete',
      'find . -type f -delete',
      "find . -path './p*' -delete",
      "find . -name '*.txt' -delete",
    ],
    'Edit(prot/**)': ['find prot -type f -exec rm -f {} +', 'find prot/q.txt -exec truncate -s0 {} \\;'],
  };
  for (const [text, commands] of Object.entries(of))
    expect(answersOf(rule(text), commands)).toEqual(denied(commands));
  expect(answersOf(rule('Edit(other/**)'), ['find p.txt -exec rm {} +'])).toEqual([
    'ask find p.txt -exec rm {} +',
  ]);
  all({ allow: ['Bash'] }, 'allow', [
    "find . -name '*.pyc' -exec rm {} +",
    'find src -type f -exec chmod 644 {} +',
    'find . -newer f.txt -exec ls {} +',
  ]);
});

test('the standard input counts as the file that it stands for', () => {
  all(SRC, 'deny', ['echo x | uniq - src/a.ts', 'xxd - src/a.ts', 'split - src/x', 'uniq -- - src/a.ts']);
  all(rule('Read(.env)'), 'deny', ['grep -- - .env', 'grep - .env', 'rg -- -- .env']);
  all(SRC, 'allow', ['uniq src/a.ts -', 'echo x | uniq - out.txt', 'xxd - < src/a.ts']);
});

test('which files a patch changes stands in the patch', () => {
  none(SRC, [
    'patch -p1 -i p.patch',
    'patch -p1 --input p.patch',
    'patch -bi p.patch',
    'patch -p 1 < p.patch',
    'patch -d src < p.patch',
  ]);
  all(SRC, 'allow', ['patch f.txt p.patch', 'patch f.txt < p.patch']);
});

test('an option of a program that reads makes it write', () => {
  all(SRC, 'deny', [
    "yq -i '.a=1' src/a.ts",
    "yq --inplace '.a=1' src/a.ts",
    "yq eval -iP '.a=1' src/a.ts",
    'less -o src/a.ts f.txt',
    "gawk -osrc/a.ts 'BEGIN{}'",
    "gawk --dump-variables=src/a.ts 'BEGIN{}'",
    'base64 -d -o src/a.ts f.txt',
  ]);
  all({ allow: ['Bash'] }, 'ask', ["yq -i '.a=1' .claude/settings.json"]);
  all(SRC, 'allow', [
    "yq '.a' src/a.ts",
    "awk -F, '{print $1}' src/a.ts",
    'base64 src/a.ts',
    'less src/a.ts',
  ]);
});

test('a name that is made of another is written, too', () => {
  all(LOCK, 'deny', [
    'cp -b -S .lock f yarn',
    'mv -bS .lock f yarn',
    'ln -b --suffix=.lock f yarn',
    'install --backup --suf=.lock f yarn',
    'unpigz yarn.lock.gz',
    'pbzip2 -d yarn.lock.bz2',
    'lz4 -d yarn.lock.lz4',
    'brotli -d yarn.lock.br',
    'unlzma yarn.lock.lzma',
    'gunzip -S .x yarn.lock.x',
  ]);
  none(LOCK, [
    'split --additional-suffix=.lock f y',
    "csplit -b '%d.lock' f 1",
    "curl -O 'http://h/yarn.{lock,txt}'",
    'gunzip -N x.gz',
  ]);
  all(LOCK, 'allow', ['cp f yarn', 'gunzip x.gz', 'split f y', 'curl -O http://h/x.txt']);
});

test('what works on all that is in a directory changes or reads it', () => {
  all(SRC, 'deny', [
    'gzip -r .',
    'gunzip -r .',
    'zstd -r --rm .',
    'tar cf x --remove-files .',
    'zip -rm x.zip .',
    '7z a -sdel x.7z .',
  ]);
  none(rule('Read(.env)'), ['python3 -m zipapp .', 'rgrep S .', 'docker build .', 'diff -N . /tmp/empty']);
  expect(answersOf(rule('Read(.env)'), ['diff /tmp/.env .'])).toEqual(['deny diff /tmp/.env .']);
  all(SRC, 'allow', ['gzip -r dist', 'zip -r x.zip docs', 'diff f.txt g.txt', 'tar cf x.tar dist']);
});
