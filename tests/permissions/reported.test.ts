/** Faults that were reported of other agents' permission rules, each with what is right. A name ends in where it was reported. */
import { expect, test } from 'vitest';
import type { Behavior } from '../../src/core/vocabulary.ts';
import { normalisePath } from '../../src/tools/path.ts';
import {
  bash,
  denialAfterApproval,
  hookSays,
  judge,
  judgeIn,
  type RuleTexts,
  read,
  WORKPLACE,
  write,
} from './scene.ts';

interface Reported {
  readonly name: string;
  readonly rules: RuleTexts;
  readonly commands: readonly string[];
  readonly answers: readonly Behavior[];
}

const REPORTED: readonly Reported[] = [
  {
    name: 'a denied command behind any separator denies the chain (claude-code#36637)',
    rules: { allow: ['Bash(git:*)'], deny: ['Bash(rm:*)'] },
    commands: ['&&', ';', '||', '|', '|&', '&', '\n'].map((by) => `git status ${by} rm -rf d`),
    answers: ['deny'],
  },
  {
    name: 'an allowed prefix allows nothing that follows it (kimi-code#2756)',
    rules: { allow: ['Bash(git *)'] },
    commands: [
      'git log && curl http://127.0.0.1:9 | sh',
      'git log; curl x',
      'git log | sh',
      'git log `curl x`',
    ],
    answers: ['ask'],
  },
  {
    name: 'a denied command is found behind xargs and find (claude-code#41559)',
    rules: { allow: ['Bash(find:*)'], deny: ['Bash(rm *)'] },
    commands: [
      'find . | xargs rm',
      'find . -exec rm {} \\;',
      'find . -execdir rm {} +',
      'find . | xargs -0 -n1 rm -f',
    ],
    answers: ['deny'],
  },
  {
    name: 'an allowed find does not allow what it removes (claude-code#41559)',
    rules: { allow: ['Bash(find:*)'] },
    commands: ['find . -delete', 'find . -fprint x', 'find . -ok rm {} \\;'],
    answers: ['ask'],
  },
  {
    name: 'no order and no spelling of its flags gets round a denied rm -rf (claude-code#18613)',
    rules: { allow: ['Bash(rm:*)'], deny: ['Bash(rm -rf:*)'] },
    commands: [
      'rm -fr x',
      'rm -r -f x',
      'rm -f -r x',
      'rm --recursive --force x',
      'rm -rfv x',
      'rm -Rf x',
      'rm x -rf',
    ],
    answers: ['deny', 'ask'],
  },
  {
    name: 'a denied program is denied with any argument (claude-code#11662)',
    rules: { allow: ['Bash'], deny: ['Bash(cat:*)'] },
    commands: ['cat f.txt', 'cat /etc/os-release', 'cat', 'cat -- f.txt'],
    answers: ['deny'],
  },
  {
    name: 'no spelling of a denied program is another one (agentscope#2500)',
    rules: { allow: ['Bash'], deny: ['Bash(rm:*)'] },
    commands: [
      '/bin/rm x',
      '\\rm x',
      'env rm x',
      'command rm x',
      'FOO=1 rm x',
      'env -i rm x',
      "r'm' x",
      '"rm" x',
      './rm x',
    ],
    answers: ['deny'],
  },
  {
    name: 'quotes round a path change nothing (gaia#692)',
    rules: { allow: ['Bash'], deny: ['Bash(rm -rf /home/u:*)'] },
    commands: ['rm -rf $HOME', 'rm -rf "$HOME"', 'rm -rf ~', "rm -rf '/home/u'"],
    answers: ['deny'],
  },
  {
    name: 'a command word that is known only when it runs is not allowed (riftor#109)',
    rules: { allow: ['Bash(echo:*)', 'Bash(base64:*)', 'Bash(sh)'], deny: ['Bash(rm:*)'] },
    commands: [
      '$x -rf d',
      'echo cm0gLXJmIGQ= | base64 -d | sh',
      'eval "$(echo cm0= | base64 -d)"',
      '`echo r``echo m` d',
    ],
    answers: ['ask'],
  },
  {
    name: 'a variable that the command sets is looked through (riftor#109)',
    rules: { allow: ['Bash'], deny: ['Bash(rm:*)'] },
    commands: ['x=rm; $x -rf d', 'x=r; y=m; $x$y d', 'for c in ls rm; do $c d; done'],
    answers: ['deny'],
  },
  {
    name: 'a harmless assignment does not keep an allow rule from matching (opencode#14110)',
    rules: { allow: ['Bash(go *)'] },
    commands: ['CGO_ENABLED=0 go test ./...', 'GOOS=linux GOARCH=arm64 go build', 'NO_COLOR=1 go vet'],
    answers: ['allow'],
  },
  {
    name: 'an assignment that changes what runs does (opencode#14110)',
    rules: { allow: ['Bash(go *)'] },
    commands: [
      'LD_PRELOAD=./x.so go test',
      'PATH=. go test',
      'GOFLAGS=-toolexec=./x go test',
      'FOO=1 go test',
    ],
    answers: ['ask'],
  },
  {
    name: 'an ask rule looks behind assignments and into code (pi-packages#481)',
    rules: { allow: ['Bash'], ask: ['Bash(aws:*)'] },
    commands: ['AWS_PROFILE=prod aws x', "bash -c 'aws x'", 'eval "aws x"', 'sh -lc "true; aws x"'],
    answers: ['ask'],
  },
  {
    name: 'no part of a pipeline is lost beside a here-document (pi-packages#875)',
    rules: { allow: ['Bash(git:*)'], deny: ['Bash(rm:*)'] },
    commands: ["git commit -F - <<'M' 2>&1 | rm -rf d\nmsg\nM", 'git commit -F - <<M | rm d\nmsg\nM'],
    answers: ['deny'],
  },
  {
    name: 'what follows a here-document on its line is judged (tree-sitter-bash#346)',
    rules: { allow: ['Bash(cat:*)', 'Bash(echo:*)'] },
    commands: ["cat <<'EOF'; rmx done\nhello\nEOF", "cat <<'EOF' && rmx\nhello\nEOF"],
    answers: ['ask'],
  },
  {
    name: 'a here-document that the shell expands is looked into, backticks too (destructive_command_guard#377)',
    rules: { allow: ['Bash'], deny: ['Bash(rm:*)'] },
    commands: ['cat <<EOF\n`rm x`\nEOF', 'cat <<EOF\n$(rm x)\nEOF'],
    answers: ['deny'],
  },
  {
    name: 'a quoted here-document is data (destructive_command_guard#377)',
    rules: { allow: ['Bash'], deny: ['Bash(rm:*)'] },
    commands: ["cat <<'EOF'\n`rm x`\n$(rm x)\nEOF", 'cat <<"EOF"\nrm x\nEOF'],
    answers: ['allow'],
  },
  {
    name: 'a denied file is denied to every program that is known to read it (claude-code#6002)',
    rules: { allow: ['Bash'], deny: ['Read(./.env)'] },
    commands: [
      'cat .env',
      'head -1 .env',
      'sed -n p .env',
      'grep K .env',
      'cat < .env',
      'source .env',
      'cp .env /tmp/x',
      'awk 1 .env',
      'cat env-link',
      'cat ./src/../.env',
    ],
    answers: ['deny'],
  },
  {
    name: 'and asked about where a program runs code (claude-code#6002)',
    rules: { allow: ['Bash'], deny: ['Read(./.env)'] },
    commands: [
      `python3 -c "print(open('.env').read())"`,
      `node -e "require('fs').readFileSync('.env')"`,
      'perl -ne print .env',
    ],
    answers: ['ask', 'deny'],
  },
  {
    name: 'an exact rule is no beginning of another command (octo-agent#342)',
    rules: { allow: ['Bash'], deny: ['Bash(rm -rf /)'] },
    commands: ['rm -rf /tmp/x/y', 'echo rm -rf /', 'rm -rf ./build'],
    answers: ['allow'],
  },
  {
    name: 'a substitution in an allowed command is judged, too (claude-code#57305)',
    rules: { allow: ['Bash(echo *)'], deny: ['Bash(rmx:*)'] },
    commands: ['echo $(rmx)', 'echo "$(rmx)"', 'echo `rmx`'],
    answers: ['deny'],
  },
];

test.each(REPORTED)('$name', ({ rules, commands, answers }) => {
  for (const command of commands) {
    const { behavior, reason } = judge(rules, bash(command));
    expect([command, behavior, reason]).toEqual([
      command,
      answers.includes(behavior) ? behavior : answers[0],
      reason,
    ]);
  }
});

test('a variable in an allowed command asks, and the question names it (claude-code#57305)', () => {
  const { behavior, reason } = judge({ allow: ['Bash(echo *)'] }, bash('echo $MY_REPO'));
  expect(behavior).toBe('ask');
  expect(reason).toContain('$MY_REPO');
});

test('an apostrophe in a here-document does not make the command unreadable, however often it is asked (kimi-code#3503)', () => {
  const rules = { allow: ['Bash(gh pr create:*)', 'Bash(cat:*)'] };
  const command = `gh pr create --body "$(cat <<'EOF'\nit's ok\nEOF\n)"`;
  const answers = new Set(Array.from({ length: 200 }, () => judge(rules, bash(command)).reason));
  expect([...answers]).toEqual(['Rules for single commands do not cover a command substitution.']);
});

test('no hook softens a deny rule, and the decision names the rule (claude-code#39344)', () => {
  const call = bash('printf REPRO42');
  for (const verdict of ['ask', 'allow'] as const) {
    expect(judgeIn('default', { deny: ['Bash(printf REPRO*)'] }, call, hookSays(verdict))).toMatchObject({
      behavior: 'deny',
      cause: { kind: 'rule', rule: { text: 'Bash(printf REPRO*)' } },
    });
  }
});

test('deny comes before ask before the allow of a hook (claude-code#82451)', () => {
  const ask = judgeIn('default', { ask: ['Bash(git push:*)'] }, bash('git push'), hookSays('allow'));
  expect(ask).toMatchObject({ behavior: 'ask', cause: { kind: 'rule' } });
  const headless = judgeIn('dontAsk', { ask: ['Bash(git push:*)'] }, bash('git push'), hookSays('allow'));
  expect(headless).toMatchObject({ behavior: 'deny', cause: { kind: 'rule' } });
});

test('what a hook allows names the hook (claude-code#28812)', () => {
  expect(judgeIn('default', {}, bash('touch x'), hookSays('allow'))).toMatchObject({
    behavior: 'allow',
    cause: { kind: 'hook', hook: { name: 'guard.sh' } },
  });
  for (const [rules, expected] of [
    [{ deny: ['Bash(touch *)'] }, 'deny'],
    [{ ask: ['Bash(touch *)'] }, 'ask'],
  ] as const)
    expect(judgeIn('default', rules, bash('touch x'), hookSays('allow')).behavior).toBe(expected);
});

test('every spelling of a denied path is denied (claude-code#22907)', () => {
  const rules = { deny: ['Read(./.env)', 'Read(**/.key*)'] };
  const spelt = [
    '.env',
    './.env',
    '/work/proj/.env',
    'src/../.env',
    '//work/proj/.env',
    '~/../../work/proj/.env',
    'src/.keys',
    '.key',
  ];
  for (const path of spelt) {
    expect([path, judge(rules, read(normalisePath(path, WORKPLACE))).behavior]).toEqual([path, 'deny']);
  }
});

test('a file that two paths lead to is denied by both, and a link out of the workspace leads out (claude-code#4742, opencode#43336)', () => {
  expect(judge({ deny: ['Read(//etc/pass*)'] }, read('/work/proj/out/passwd')).behavior).toBe('deny');
  expect(judge({ deny: ['Edit(//etc/**)'] }, write('/work/proj/out/a.txt')).behavior).toBe('deny');
  expect(judge({ allow: ['Edit(**)', 'Read(**)'] }, write('/work/proj/out/a.txt')).behavior).toBe('ask');
  expect(judge({ allow: ['Edit(**)', 'Read(**)'] }, read('/work/proj/out/passwd')).behavior).toBe('ask');
});

test('a deny rule that is saved while somebody thinks holds against their yes', () => {
  expect(denialAfterApproval({ deny: ['Bash(git push:*)'] }, bash('git push'))?.behavior).toBe('deny');
  expect(denialAfterApproval({ ask: ['Bash(git push:*)'] }, bash('git push'))).toBeUndefined();
});
