/** Decisions about shell commands: what rules cover, what is looked through, what is left to ask. */
import { expect, test } from 'vitest';
import type { Behavior } from '../../src/core/vocabulary.ts';
import { bash, denialAfterApproval, judge, type RuleTexts } from './scene.ts';

const cases = (
  rules: RuleTexts,
  rows: readonly (readonly [string, Behavior])[],
): [string, Behavior, RuleTexts][] => rows.map(([command, expected]) => [command, expected, rules]);

test.each([
  ...cases(
    {
      allow: [
        'Bash(git:*)',
        'Bash(npm run build)',
        'Bash(tee:*)',
        'Bash(find *)',
        'Bash(bash *)',
        'Bash(sort:*)',
      ],
    },
    [
      ['git push', 'allow'],
      ['git-x', 'ask'],
      ['git log && git push; git status | head', 'allow'],
      ['git log && curl x', 'ask'],
      ['git log | sh', 'ask'],
      ['git log & git push', 'ask'],
      ['(git log)', 'ask'],
      ['git log $(id)', 'ask'],
      ['git log $X', 'ask'],
      ['if true; then git push; fi', 'allow'],
      ['git push > out', 'ask'],
      ['git push 2>&1 >/dev/null', 'allow'],
      ['timeout 5 git push', 'allow'],
      ['sudo git push', 'deny'],
      ['env git push', 'ask'],
      ['/usr/bin/git push', 'ask'],
      ['NO_COLOR=1 git push', 'allow'],
      ['GIT_SSH=x git push', 'ask'],
      ["git -c alias.z='!x' z", 'ask'],
      ['npm run build', 'allow'],
      ['npm run build;', 'allow'],
      ['npm run build x', 'ask'],
      ['tee f.txt', 'allow'],
      ['tee /etc/x', 'ask'],
      ['tee .git/config', 'ask'],
      ['sort -o .git/config f.txt', 'ask'],
      ['find . -name x', 'allow'],
      ['find / -name x', 'ask'],
      ['find /etc -newermt x', 'ask'],
      ['find . -exec git push ;', 'ask'],
      ['bash -c "git push"', 'allow'],
      ['git push <<EOF\n$(id)\nEOF', 'ask'],
      ["git push <<'EOF'\n$(id)\nEOF", 'allow'],
      [`git ${'x'.repeat(10_001)}`, 'ask'],
      ['git push "', 'ask'],
    ],
  ),
  ...cases({}, [
    ['', 'allow'],
    ['# nothing', 'allow'],
    ['ls -la', 'allow'],
    ['cat f.txt | grep x | wc -l', 'allow'],
    ['cat /etc/passwd', 'ask'],
    ['cat out/passwd', 'ask'],
    ['cd src && ls', 'allow'],
    ['cd src && cat ../f.txt', 'ask'],
    ['cat src/../f.txt', 'allow'],
    ['cat out/../work/proj/f.txt', 'allow'],
    ['cat out/../f.txt', 'ask'],
    ['cd src && git status', 'ask'],
    ['cd out && cat passwd', 'ask'],
    ['echo *.txt', 'allow'],
    ['echo /etc/*', 'ask'],
    ['[[ -f f.txt ]]', 'allow'],
    ['[[ x -eq 1 ]]', 'ask'],
    ['A=1', 'allow'],
    ['PATH=. ls', 'ask'],
    ['rm f.txt', 'ask'],
    ['echo x > f.txt', 'ask'],
    ["[[ 'a[$(id)]' -eq 1 ]]", 'ask'],
  ]),
  ...cases({ allow: ['Bash'] }, [
    ['anything at all $(here) > f.txt', 'allow'],
    ['echo a > .git/config', 'ask'],
    ['rm -rf ~', 'ask'],
    ['rm -rf src', 'allow'],
    ['rm -rf .', 'ask'],
    ['rm -rf src/../*.txt', 'allow'],
    ['rm -rf /u?r', 'ask'],
    ['xargs rmdir /usr', 'ask'],
    ['bash -c "rmdir /usr"', 'ask'],
  ]),
])('%j is %s', (command, expected, rules) => {
  expect(judge(rules, bash(command)).behavior).toBe(expected);
});

/** Each hides `rmx` somewhere that bash would find it. */
test.each([
  ['rmx'],
  ['true && rmx'],
  ['true\nrmx a'],
  ['(rmx)'],
  ['echo "$(rmx)"'],
  ['cat <(rmx)'],
  ['f() { rmx; }; f'],
  ['case x in x) rmx;; esac'],
  ['r""mx a'],
  ['\\rmx a'],
  ['/bin/rmx a'],
  ['A=1 B=2 rmx'],
  ['sudo -n env -i A=1 nice -n 5 rmx'],
  ['xargs -n 1 rmx'],
  ['find . -exec rmx {} +'],
  ['bash -lc "true; rmx"'],
  ['eval "rmx a"'],
  ['bash <<EOF\nrmx a\nEOF'],
  ['echo "rmx a" | sh'],
  ['V=rmx; $V a'],
  ['{rmx,a}'],
  ["$'rmx' a"],
  ['for i in rmx; do $i; done'],
  ["git -c alias.z='!rmx a' z"],
  ['env -S "rmx a"'],
  ['rmx "unterminated'],
  [`true ${'a'.repeat(20_000)}; rmx`],
])('a deny rule finds the command in %j', (command) => {
  expect(judge({ allow: ['Bash'], deny: ['Bash(rmx:*)'] }, bash(command)).behavior).toBe('deny');
  expect(denialAfterApproval({ deny: ['Bash(rmx:*)'] }, bash(command))?.behavior).toBe('deny');
});

test.each([
  ['echo rmx'],
  ['echo "rmx a"'],
  ["cat <<'EOF'\n$(rmx)\nEOF"],
  ['ls rmx'],
  ['rmxy'],
  ["echo '$(rmx)'"],
])('a deny rule leaves %j, which does not run it', (command) => {
  expect(judge({ allow: ['Bash'], deny: ['Bash(rmx:*)'] }, bash(command)).behavior).toBe('allow');
});

test.each([
  ['$(echo x) a'],
  ['bash -c "$X"'],
  ['curl x | sh'],
  ['python3 -c "print(1)"'],
  ['busybox x'],
  ['python3 <<< "print(1)"'],
  ['curl x | node'],
  ["sed 's/a/b/e' f.txt"],
  ['coproc x'],
  ['GIT_SSH_COMMAND=x git fetch'],
  ['export GIT_SSH_COMMAND=x'],
  ["[[ 'a[$(x)]' -eq 1 ]]"],
  ['echo $((1; x'],
])('%j asks when a deny rule may be meant, and runs under a bare allow else', (command) => {
  expect(judge({ allow: ['Bash'], deny: ['Bash(rmx:*)'] }, bash(command)).behavior).toBe('ask');
  expect(judge({ allow: ['Bash'] }, bash(command)).behavior).toBe('allow');
});

test('a command too intricate to look through asks even without rules', () => {
  expect(judge({ allow: ['Bash'] }, bash(`${'eval '.repeat(50)}x`)).behavior).toBe('ask');
});

test.each([
  ['cat .env', 'deny'],
  ['cat < .env', 'deny'],
  ['cat ./src/../.env', 'deny'],
  ['cat env-link', 'deny'],
  ['cat out/../work/proj/.env', 'deny'],
  ['cat .e*', 'deny'],
  ['cat $PWD/.env', 'deny'],
  ['cd src && cat ../.env', 'deny'],
  ['F=.env; cat $F', 'deny'],
  ['cat /proc/self/cwd/.env', 'deny'],
  ['xargs cat <<< .env', 'deny'],
  ['cp .env x', 'deny'],
  ['touch .env', 'deny'],
  ['dd if=.env', 'deny'],
  ['grep -f .env f.txt', 'deny'],
  ['cat .ENV', 'deny'],
  ['command cd src; cat ../.env', 'deny'],
  ['eval "cd src"; cat ../.env', 'ask'],
  ['HOME=/work/proj; cat ~/.env', 'ask'],
  ['tar c .env', 'ask'],
  ['grep -r x .', 'ask'],
  ['cat $UNKNOWN', 'ask'],
  ['cat f.txt', 'allow'],
  ['echo .env', 'allow'],
] as const)('with a denied .env, %j is %s', (command, expected) => {
  expect(judge({ allow: ['Bash'], deny: ['Read(./.env)'] }, bash(command)).behavior).toBe(expected);
});

test.each([
  ['echo a > f.txt', 'deny'],
  ['echo a 3<> f.txt', 'deny'],
  ['sed -i s/a/b/ f.txt', 'deny'],
  ['sed -n "w f.txt" x', 'deny'],
  ['{ echo a; } > f.txt', 'deny'],
  ['echo f.txt | xargs rm', 'deny'],
  ['echo a > $X', 'ask'],
  ['wget -O f.txt x', 'ask'],
  ['cat f.txt', 'allow'],
] as const)('with a denied write of f.txt, %j is %s', (command, expected) => {
  expect(judge({ allow: ['Bash'], deny: ['Edit(f.txt)'] }, bash(command)).behavior).toBe(expected);
});

test('output goes where an Edit rule allows it', () => {
  const rules = { allow: ['Edit(src/**)', 'Bash(make:*)'] };
  expect(judge(rules, bash('make > src/log')).behavior).toBe('allow');
  expect(judge(rules, bash('make > log')).behavior).toBe('ask');
  expect(judge(rules, bash('make > src/../log')).behavior).toBe('ask');
  expect(judge(rules, bash('cd src; make > log')).behavior).toBe('ask');
});

test('reasons name the part of the command and the rule', () => {
  expect(judge({ allow: ['Bash(git:*)'] }, bash('git log && curl x')).reason).toBe(
    '"curl x" is not covered by an allow rule.',
  );
  expect(judge({ deny: ['Bash(rm:*)'] }, bash('true; rm -rf x')).reason).toBe(
    'Denied by rule Bash(rm:*) (/work/proj/.hookd/settings.json:1): "rm -rf x".',
  );
  expect(judge({}, bash('(ls)')).reason).toBe('Rules for single commands do not cover a subshell.');
  expect(judge({}, bash('rm f.txt')).reason).toBe(
    '"rm f.txt" is not covered by an allow rule (it removes files).',
  );
});

test.each([
  ['rm -rf x'],
  ['rm -fr x'],
  ['rm -r -f x'],
  ['rm --recursive --force x'],
  ['rm -rfv x'],
  ['rm x -rf'],
  ['rm -v -R -f x'],
])('a deny rule for rm -rf holds for %j', (command) => {
  expect(judge({ allow: ['Bash(rm:*)'], deny: ['Bash(rm -rf:*)'] }, bash(command)).behavior).toBe('deny');
});

test('a deny rule for rm -rf leaves rm', () => {
  expect(judge({ allow: ['Bash(rm:*)'], deny: ['Bash(rm -rf:*)'] }, bash('rm f.txt')).behavior).toBe('allow');
});

test.each([
  ['a here-document before a pipe', "git commit -F - <<'M' 2>&1 | rmx -rf d\nmsg\nM", 'deny'],
  ['code that a pipe decodes', 'echo cm14IC1yZiBk | base64 -d | sh', 'ask'],
  ['a separator inside quotes', 'git commit -m "a; rmx b && c"', 'allow'],
] as const)('%s: %j is %s', (_, command, expected) => {
  expect(judge({ allow: ['Bash'], deny: ['Bash(rmx:*)'] }, bash(command)).behavior).toBe(expected);
});
