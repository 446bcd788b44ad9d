import { expect, test } from 'vitest';
import type { Behavior } from '../../src/core/vocabulary.ts';
import { conditionProblem } from '../../src/permissions/condition.ts';
import { parseRule } from '../../src/permissions/rule.ts';

function warningOf(text: string, list: Behavior): string | undefined {
  const parsed = parseRule(text, { text, list, file: '/p/settings.json', line: 1, column: 1 }, '/p');
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.warning;
}

const REGEX = 'a regular expression is';
const LIST = 'a rule holds one';

test.each([
  ['Bash(^git push)', REGEX, 'write Bash(git push *)'],
  ['Bash(^git push$)', REGEX, 'write Bash(git push)'],
  ['Bash(git push$)', REGEX, 'write Bash(git push)'],
  ['Bash(git push.*)', REGEX, 'write Bash(git push *)'],
  ['Bash(git push .*)', REGEX, 'write Bash(git push *)'],
  ['Bash(git .*--force)', REGEX, 'write Bash(git *--force *)'],
  ['Bash(rm.*-rf)', REGEX, 'write Bash(rm*-rf *)'],
  ['Bash(rm .*-rf.*)', REGEX, 'write Bash(rm *-rf*)'],
  ['Bash(.*rm -rf.*)', REGEX, 'write Bash(*rm -rf*)'],
  ['Bash(/rm -rf/)', REGEX, 'write Bash(*rm -rf*)'],
  ['Bash(/git push/i)', REGEX, 'write Bash(*git push*)'],
  ['Bash(curl .*)', REGEX, 'write Bash(curl *)'],
  ['Bash(git\\s+push)', REGEX, 'write Bash(git push *)'],
  ['Bash(\\bsudo\\b)', REGEX, 'write Bash(sudo *)'],
  ['Bash(git (push|fetch))', REGEX, 'write Bash(git push *) and Bash(git fetch *)'],
  ['Bash((rm|mv) .*)', REGEX, 'write Bash(rm *) and Bash(mv *)'],
  ['Bash((rm|mv))', REGEX, 'write Bash(rm *) and Bash(mv *)'],
  ['Bash(git push( --force)?$)', REGEX, 'a rule of its own.'],
  ['Bash(git push, git fetch)', LIST, 'write Bash(git push) and Bash(git fetch)'],
  ['Bash(rm *, mv *)', LIST, 'write Bash(rm *) and Bash(mv *)'],
  ['Bash(rm *,mv *)', LIST, 'write Bash(rm *) and Bash(mv *)'],
  ['Bash(rm,mv)', LIST, 'write Bash(rm) and Bash(mv)'],
  ['Bash(npm publish:*, git push:*)', LIST, 'write Bash(npm publish:*) and Bash(git push:*)'],
  ['Bash(git push :*)', '"git push" is not met', 'write Bash(git push:*)'],
  ['Read($HOME/.ssh/**)', 'variable', 'write Read(~/.ssh/**)'],
  ['Edit(//\u0024{HOME}/.ssh/**)', 'variable', 'write Edit(~/.ssh/**)'],
  ['Read(\u0024{PWD}/.env)', 'variable', 'write Read(.env)'],
  ['Read($CLAUDE_PROJECT_DIR/.env)', 'variable', 'write Read(.env)'],
  ['Read(\u0024{SECRETS}/**)', 'variable', 'p below the project).'],
  ['Read(%USERPROFILE%\\.ssh\\**)', 'variable', 'write Read(~/.ssh/**)'],
  ['Read(~\\.ssh\\**)', 'backslash', 'write Read(~/.ssh/**)'],
  ['Read(src\\secrets\\**)', 'backslash', 'write Read(src/secrets/**)'],
  ['Edit(secrets\\**)', 'backslash', 'write Edit(secrets/**)'],
  ['Read(.env,secrets/**)', LIST, 'write Read(.env) and Read(secrets/**)'],
  ['Read(.env, .npmrc, *.pem)', LIST, 'write Read(.env) and Read(.npmrc) and Read(*.pem)'],
  ['Read(.env|.npmrc)', LIST, 'write Read(.env) and Read(.npmrc)'],
  ['Read(secrets|keys)', LIST, 'write Read(secrets) and Read(keys)'],
  ['Read({.env,.npmrc})', LIST, 'write Read(.env) and Read(.npmrc)'],
  ['Edit(src/*.{ts,js})', LIST, 'write Edit(src/*.ts) and Edit(src/*.js)'],
  ['Write({a,b}/x)', LIST, 'write Write(a/x) and Write(b/x)'],
  ['Read(.*\\.env$)', REGEX, 'write Read(*.env)'],
  ['Read(^secrets/.*)', REGEX, 'write Read(secrets/**)'],
  ['Read(.*\\.(pem|key)$)', REGEX, 'write Read(*.pem) and Read(*.key)'],
  ['Read(/\\.env$/)', REGEX, 'write Read(.env)'],
  ['Read(file:///etc/passwd)', 'address', 'write Read(//etc/passwd)'],
])('%s means something else than it says, and is told in a deny and an ask list', (text, why, instead) => {
  for (const list of ['deny', 'ask'] as const) {
    expect(warningOf(text, list)).toContain(`${text}: `);
    expect(warningOf(text, list)).toContain(why);
    expect(warningOf(text, list)).toContain(instead);
  }
  expect(conditionProblem(text)).toContain(why);
});

test.each([
  'Bash(curl * | bash)',
  'Bash(curl *|bash)',
  'Bash(rm * || mv *)',
  'Bash(git push; git fetch)',
  'Bash(grep "a$" *)',
  'Bash(grep foo$)',
  'Bash(* | grep -E ^a(b|c)$)',
  'Bash(sed s/a.*b$/c/ *)',
  'Bash((cat x | grep y))',
  'Bash(if (a|b))',
  'Bash(echo "git (push|fetch), git x" *)',
  "Bash(psql -c 'select a, b from c')",
  'Bash(echo $HOME)',
  'Bash(echo $$)',
  'Bash(x && (a | b))',
  'Bash(mkfs.*)',
  'Bash(python3.* -c *)',
  'Bash(rm -rf .*)',
  'Bash(cat .*)',
  'Bash(git add .*)',
  'Bash(cp a.* b.*)',
  'Bash(docker build .*)',
  'Bash(/usr/bin/env *)',
  'Bash(/bin/su)',
  'Bash(./x/)',
  'Bash(/bin/rm -rf /)',
  'Bash(ps -o pid,stat,comm)',
  'Bash(cut -f 1, 2)',
  'Bash(echo hello, world)',
  'Bash(chmod u+x,g+w *)',
  'Bash(find . -name *.ts$)',
  'Bash(git push origin +*)',
  'Bash(git push origin:*)',
  'Bash(docker run *:latest)',
  'Bash(kill -9 *)',
  'Bash(description: foo, bar)',
  'Read([ab].txt)',
  'Read(st\\*r.txt)',
  'Read(\\#x#)',
  'Read(tr.txt\\ )',
  'Read(pa\\(r\\).txt)',
  'Read(config\\.json)',
  'Read(.*)',
  'Read(src/.*)',
  'Read(.env.*)',
  'Read(**/.*/**)',
  'Read(*,v)',
  'Read(Smith, John.pdf)',
  'Read(app/routes/$postId.tsx)',
  'Read(app/routes/$.tsx)',
  'Read(~$*)',
  'Read($RECYCLE.BIN/**)',
  'Read(100%/x)',
  'Read(%C3%A9.txt)',
  'Read(lib/c++/**)',
  'Read(src/+page.ts)',
  'Read(a (copy).txt)',
  'Read(notes!.md)',
  'Edit(new_string:a|b)',
  'Edit({a}.txt)',
])('%s may be meant as it stands', (text) => {
  for (const list of ['deny', 'ask'] as const) expect(warningOf(text, list)).toBeUndefined();
});

test('an allow rule in another grammar allows nothing more, and is left alone', () => {
  for (const text of ['Bash(^git push)', 'Read(.env|.npmrc)', 'Bash(rm *, mv *)'])
    expect(warningOf(text, 'allow')).toBeUndefined();
});

test('rules of thousands of alternatives are told at once', () => {
  const begun = performance.now();
  for (const part of ['{a,b}', '(a|b)', 'x(', 'a,', '.*', '\\b', '"', '$A/', '%'])
    for (const tool of ['Bash', 'Read']) warningOf(`${tool}(${part.repeat(4000 / part.length)})`, 'deny');
  expect(performance.now() - begun).toBeLessThan(1000);
});
