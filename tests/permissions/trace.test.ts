/** An explanation is what the decision looked at, not a second opinion. */
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/vocabulary.ts';
import { decide, explain } from '../../src/permissions/decide.ts';
import {
  bash,
  edit,
  FILES,
  filesOf,
  glob,
  hookSays,
  permissionsOf,
  type RuleTexts,
  read,
  write,
} from './scene.ts';

const RULES: RuleTexts = {
  deny: ['Bash(git push --force *)', 'Read(.env)'],
  ask: ['Bash(git push *)', 'Edit(src/**)'],
  allow: ['Bash(git status *)', 'Bash(npm test *)', 'Edit(f.txt)'],
};

const explained = (call: ToolCall, texts = RULES) =>
  explain({ permissions: permissionsOf(texts), call, files: FILES });

const CALLS = [
  ...[
    bash('git status && npm test'),
    bash('git push --force origin'),
    bash('ls; git push'),
    bash('cat .env'),
  ],
  ...[bash('x=$(date); echo $x'), bash('rm -rf /'), bash('(git status)'), bash('echo hi > f.txt'), bash('')],
  ...[read('/work/proj/.env'), read('/work/proj/f.txt'), read('/etc/passwd'), read('/work/proj/out/passwd')],
  ...[write('/work/proj/f.txt'), edit('/work/proj/src/a.ts'), edit('/work/proj/.git/config'), glob('/work')],
  ...[write('/work/proj/env-link'), read('/home/u/.hookd/settings.json')],
];

test.each(CALLS.map((call) => [JSON.stringify(call.input), call] as const))(
  'what is explained of %s is what is decided, and its last check decided it',
  (_, call) => {
    for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
      for (const hook of [undefined, hookSays('ask'), hookSays('allow')]) {
        const question = { permissions: { ...permissionsOf(RULES), mode }, call, files: FILES, hook };
        const { decision, trace } = explain(question);
        expect(decision).toEqual(decide(question));
        const last = trace.checks[trace.checks.length - 1];
        expect(last?.decision?.cause).toEqual(decision.cause);
        expect(trace.checks.slice(0, -1).filter((check) => check.decision !== undefined)).toEqual([]);
      }
    }
  },
);

test('looking at more for an explanation leaves the decision as it is, in large directories too', () => {
  const many = (directory: string) => Array.from({ length: 3000 }, (_, i) => `/work/proj/${directory}/x${i}`);
  const files = filesOf([...many('m1'), ...many('m2'), '/work/proj/m2/lefthook.yml']);
  const question = {
    permissions: permissionsOf({ allow: ['Bash'] }),
    call: bash('cat m1/* > /dev/null && touch m2/*'),
    files,
  };
  expect(decide(question).behavior).toBe('ask');
  expect(explain(question).decision).toEqual(decide(question));
});

test('the checks before the one that decides are listed in their order', () => {
  expect(explained(bash('git push')).trace.checks.map(({ name }) => name)).toEqual([
    'deny-rules',
    'built-in-denies',
    'hook',
    'ask-rules',
  ]);
});

test('every part of a command is judged, those after a refused one too', () => {
  const { trace } = explained(bash('git status && make all && npm test && ls'));
  expect(
    trace.parts.map(({ command, allowance }) => [
      command.words.map(({ text }) => text).join(' '),
      allowance.ok ? (allowance.rule?.text ?? 'free') : allowance.why,
    ]),
  ).toEqual([
    ['git status', 'Bash(git status *)'],
    ['make all', '"make all" is not covered by an allow rule'],
    ['npm test', 'Bash(npm test *)'],
    ['ls', 'free'],
  ]);
});

test('all deny and ask rules that fit are listed, with the part that they fit', () => {
  const { decision, trace } = explained(bash('cat .env; sudo git push --force x'));
  expect(decision.cause).toMatchObject({ kind: 'rule', rule: { text: 'Bash(git push --force *)' } });
  expect(trace.hits.map(({ rule, part, path }) => [rule.list, rule.text, part, path])).toEqual([
    ['deny', 'Bash(git push --force *)', 'git push --force x', undefined],
    ['deny', 'Read(.env)', 'cat .env', '.env'],
    ['ask', 'Bash(git push *)', 'git push --force x', undefined],
  ]);
});

test('the files of a call are listed with what their links lead to', () => {
  expect(explained(bash('cat env-link > out/x')).trace.files).toEqual([
    { access: 'read', word: 'env-link', path: '/work/proj/env-link', target: '/work/proj/.env' },
    { access: 'write', word: 'out/x', path: '/work/proj/out/x', target: '/etc/x' },
  ]);
  expect(explained(read('/work/proj/out/passwd')).trace.files).toEqual([
    { access: 'read', word: '/work/proj/out/passwd', path: '/work/proj/out/passwd', target: '/etc/passwd' },
  ]);
});
