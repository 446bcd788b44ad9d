/** Nothing is proposed that does not hold: each test makes the decision again, with the rules written out. */
import { describe, expect, it, test } from 'vitest';
import type { Behavior, PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { type Change, outlookOf } from '../../src/permissions/alternatives.ts';
import { decide } from '../../src/permissions/decide.ts';
import { compileRules } from '../../src/permissions/rule-set.ts';
import { bash, edit, FILES, glob, permissionsOf, type RuleTexts, read, rulesOf, write } from './scene.ts';

const RULES: RuleTexts = {
  deny: ['Bash(git push --force *)', 'Read(.env)', 'Edit(generated/**)'],
  ask: ['Bash(git push *)', 'Edit(src/**)'],
  allow: ['Bash(git status *)', 'Bash(npm test *)', 'Edit(f.txt)'],
};

function outlook(call: ToolCall, texts: RuleTexts = RULES, mode: PermissionMode = 'default') {
  const rules = rulesOf(texts);
  const permissions = { ...permissionsOf(texts), rules: compileRules(rules), mode };
  const question = { permissions, call, files: FILES };
  return outlookOf({ question, rules, file: '/home/u/.hookd/settings.json', root: '/home/u/.hookd' });
}

/** `to allow: -ask X, +allow Y` */
function shown(call: ToolCall, texts?: RuleTexts, mode?: PermissionMode): readonly string[] {
  return outlook(call, texts, mode).alternatives.map(
    ({ changes, decision }) => `to ${decision.behavior}: ${changes.map(changeText).join(', ')}`,
  );
}

function changeText(change: Change): string {
  switch (change.kind) {
    case 'add':
      return `+${change.list} ${change.text}`;
    case 'remove':
      return `-${change.rule.list} ${change.rule.text}`;
    case 'switch-off':
      return `off ${change.name}`;
    case 'mode':
      return `mode ${change.mode}`;
  }
}

describe('what would have to change', () => {
  it('is one allow rule for a command that nothing covers, as wide as its subcommand or as narrow as itself', () => {
    expect(shown(bash('cargo build --release'))).toEqual([
      'to allow: +allow Bash(cargo build *)',
      'to allow: +allow Bash(cargo build --release)',
      'to deny: +deny Bash(cargo build *)',
    ]);
  });

  it('is a rule for each part that is not covered', () => {
    expect(shown(bash('git status && make all && ls && frob -x'))[0]).toBe(
      'to allow: +allow Bash(make all *), +allow Bash(frob *)',
    );
  });

  it('is the removal of every deny rule that fits, and of nothing else', () => {
    const texts = { deny: ['Bash(ls *)', 'Bash(ls -l *)', 'Bash(cat *)'] };
    expect(shown(bash('ls -l'), texts)).toEqual(['to allow: -deny Bash(ls *), -deny Bash(ls -l *)']);
  });

  it('tells an ask from an allow where a deny rule goes away', () => {
    expect(shown(bash('git push --force x'))).toEqual([
      'to ask: -deny Bash(git push --force *)',
      'to allow: -deny Bash(git push --force *), -ask Bash(git push *), +allow Bash(git push *)',
      'to allow: -deny Bash(git push --force *), -ask Bash(git push *), +allow Bash(git push --force x)',
    ]);
  });

  it('never is a prefix rule for programs that run anything, or remove', () => {
    expect(shown(bash('rm -rf build'), {})[0]).toBe('to allow: +allow Bash(rm -rf build)');
    expect(shown(bash('node tool.js'), {})[0]).toBe('to allow: +allow Bash(node tool.js)');
  });

  it('names the file, and what its link leads to', () => {
    expect(shown(read('/etc/passwd'))).toEqual([
      'to allow: +allow Read(//etc/passwd)',
      'to deny: +deny Read(//etc/passwd)',
    ]);
    expect(shown(read('/work/proj/out/passwd'))[0]).toBe(
      'to allow: +allow Read(out/passwd), +allow Read(//etc/passwd)',
    );
    expect(shown(bash('cp f.txt /tmp/x'))[0]).toBe('to allow: +allow Bash(cp *), +allow Edit(//tmp/x)');
  });

  it('is another mode, where that is enough', () => {
    expect(shown(write('/work/proj/new.txt'))).toContain('to allow: mode acceptEdits');
    expect(shown(bash('frob'), {}, 'dontAsk')).toContain('to ask: mode default');
    expect(shown(edit('/work/proj/.git/config'))).toContain('to allow: mode bypassPermissions');
    expect(shown(bash('frob'), {}, 'plan')[0]).toBe('to allow: mode default, +allow Bash(frob *)');
  });

  it('is a switch for a built-in deny', () => {
    expect(shown(bash('sudo ls'))[0]).toBe('to ask: off sudo');
    expect(shown(bash('rm -rf /'), {})).toEqual(['to ask: off rm-root']);
  });

  it('is nothing for what belongs to hookd, and for what always asks', () => {
    expect(outlook(read('/home/u/.hookd/settings.json'))).toEqual({ alternatives: [], deadEnd: undefined });
    expect(shown(bash('rm -rf /usr'), {})).toEqual(['to deny: +deny Bash(rm -rf /usr)']);
  });

  it('is nothing where one refusal hides another; then both are told', () => {
    const { alternatives, deadEnd } = outlook(write('/work/proj/env-link'));
    expect(alternatives).toEqual([]);
    expect(deadEnd?.changes.map(changeText)).toEqual(['-deny Read(.env)']);
    expect(deadEnd?.decision.cause).toEqual({ kind: 'builtin', name: 'write-through-link' });
  });
});

const CALLS = [
  ...['ls', 'git push', 'git push --force x; cat .env', 'make 2>&1 | tee log', 'cat /etc/passwd > src/x'],
  ...[
    'x=$(date); echo $x',
    '(git status)',
    'sudo rm -rf /',
    'cp f.txt /tmp/x && frob *.txt',
    'cat <<E\nx\nE',
  ],
  ...["python3 -c 'print(1)'", 'timeout 5 npm run build', 'for i in a b; do frob $i; done', 'echo "a*b"'],
].map((command) => bash(command));
const PATHS = [
  '/work/proj/f.txt',
  '/work/proj/a [1]*.txt',
  '/work/proj/out/x',
  '/work/lib/x',
  '/home/u/n',
  '/x',
];

test('each proposal holds when its rules are written as they are shown', () => {
  const calls = [...CALLS, ...PATHS.flatMap((path) => [read(path), write(path), edit(path), glob(path)])];
  const answers = new Map<Behavior, number>();
  for (const call of calls) {
    for (const mode of ['default', 'plan', 'dontAsk'] as const) {
      for (const { changes, decision } of outlook(call, RULES, mode).alternatives) {
        const removed = changes.flatMap((change) => (change.kind === 'remove' ? [change.rule] : []));
        const added = (list: Behavior) =>
          changes.flatMap((change) => (change.kind === 'add' && change.list === list ? [change.text] : []));
        const left = (list: Behavior) =>
          (RULES[list] ?? []).filter(
            (text) => !removed.some((rule) => rule.list === list && rule.text === text),
          );
        const texts = {
          deny: [...left('deny'), ...added('deny')],
          ask: [...left('ask'), ...added('ask')],
          allow: [...left('allow'), ...added('allow')],
        };
        const off = changes.flatMap((change) => (change.kind === 'switch-off' ? [change.name] : []));
        const then = changes.find((change) => change.kind === 'mode')?.mode ?? mode;
        const permissions = { ...permissionsOf(texts, off), mode: then };
        const { behavior } = decide({ permissions, call, files: FILES });
        expect([JSON.stringify(call.input), changes.map(changeText), behavior]).toEqual([
          JSON.stringify(call.input),
          changes.map(changeText),
          decision.behavior,
        ]);
        answers.set(behavior, (answers.get(behavior) ?? 0) + 1);
      }
    }
  }
  expect([...answers.keys()].sort()).toEqual(['allow', 'ask', 'deny']);
  expect(answers.get('allow')).toBeGreaterThan(30);
});
