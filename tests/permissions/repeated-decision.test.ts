import { expect, test } from 'vitest';
import type { PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import {
  decide,
  explain,
  type FilesView,
  type HookedQuestion,
  type Permissions,
} from '../../src/permissions/decide.ts';
import { Random } from '../support/random.ts';
import { bash, FILES, filesOf, hookSays, permissionsOf } from './scene.ts';

const RULES = { allow: ['Bash(tool *)', 'Bash(cp *)'], deny: ['Read(.env)', 'Edit(gen/**)'] };

const PATHS = ['a', 'b', 'src/c', '.env', 'gen/d', 'e'].map((name) => `/work/proj/${name}`);
const TARGETS: readonly [string, ...string[]] = [
  '/work/proj/.env',
  '/work/proj/a',
  '/etc/passwd',
  '/home/u/.hookd/settings.json',
  '/work/lib/x',
];
const COMMANDS: readonly [string, ...string[]] = [
  'cat a',
  ...['cat *', 'cp a gen/d', 'tool b > e', 'rm -r src', 'ls -la', 'git add src', 'cat $F', 'a b'],
  ...['cd src && cat c', 'tool .* | head', 'grep -r x .', 'mv a b', 'find . -name c', './a x', 'echo x > a'],
];
const MODES: readonly [PermissionMode, ...PermissionMode[]] = ['default', 'acceptEdits', 'dontAsk'];

/** Whatever was asked of the files, in turn. */
function watched(files: FilesView): { readonly files: FilesView; readonly asked: string[] } {
  const asked: string[] = [];
  const noting =
    <Answer>(look: (path: string) => Answer) =>
    (path: string): Answer => {
      asked.push(path);
      return look(path);
    };
  const { realPath, kindOf, entries } = files;
  return {
    asked,
    files: { realPath: noting(realPath), kindOf: noting(kindOf), entries: noting(entries) },
  };
}

test('a decision that is made again asks the files the same, and is the same', () => {
  const permissions = permissionsOf(RULES);
  const [first, again] = [watched(FILES), watched(FILES)];
  const decision = decide({ permissions, call: bash('cat f.txt env-link'), files: first.files });
  expect(decide({ permissions, call: bash('cat f.txt env-link'), files: again.files })).toBe(decision);
  expect(decision.behavior).toBe('deny');
  expect(first.asked.length).toBeGreaterThan(0);
  expect(again.asked).toEqual(first.asked);
});

test('a link that is turned between two equal calls is seen by the second', () => {
  const permissions = permissionsOf(RULES);
  const plain = filesOf(['/work/proj/a', '/work/proj/.env']);
  const turned = filesOf(['/work/proj/.env'], { '/work/proj/a': '/work/proj/.env' });
  const judged = [plain, turned, turned, plain].map(
    (files) => decide({ permissions, call: bash('cat a'), files }).behavior,
  );
  expect(judged).toEqual(['allow', 'deny', 'deny', 'allow']);
});

test.each([
  ['mode', { permissions: { ...permissionsOf(RULES), mode: 'plan' } }],
  ['rules', { permissions: permissionsOf({}) }],
  ['hook', { hook: hookSays('ask') }],
  ['input', { call: { ...bash('tool a'), input: { command: 'tool a', timeout: 5 } } }],
  ['environment', { isSet: () => false }],
] as const)('with another %s it is made anew', (_, change) => {
  const question: HookedQuestion = { permissions: permissionsOf(RULES), call: bash('tool a'), files: FILES };
  const decision = decide(question);
  expect(decide(question)).toBe(decision);
  const other: HookedQuestion = { ...question, ...change };
  expect(decide(other)).not.toBe(decision);
  expect(decide(other)).toEqual(explain(other).decision);
});

test('no decision rests on what is not compared: the id of a call, how it was sent, what its tool says of itself', () => {
  const unseen = (): never => {
    throw new Error('it was looked at');
  };
  const blind = (command: string): ToolCall => ({
    ...{ input: { command }, specifier: { kind: 'command', command } },
    tool: {
      ...{ name: 'Bash', readOnly: false },
      get description(): never {
        return unseen();
      },
      get inputSchema(): never {
        return unseen();
      },
    },
    get id(): never {
      return unseen();
    },
    get asSent(): never {
      return unseen();
    },
  });
  for (const command of COMMANDS)
    expect(decide({ permissions: permissionsOf(RULES), call: blind(command), files: FILES })).toBeDefined();
});

function randomWorld(random: Random): FilesView {
  const links: Record<string, string> = {};
  const files: string[] = ['/work/proj/f', '/home/u/.hookd/settings.json', '/etc/passwd', '/work/lib/x'];
  for (const path of PATHS) {
    const kind = random.below(4);
    if (kind === 0) links[path] = random.pick(TARGETS);
    else if (kind < 3) files.push(path);
  }
  // No cycles: the small world could not tell one.
  const isCycle = Object.values(links).some((target) => Object.hasOwn(links, target));
  return filesOf(files, isCycle ? {} : links);
}

test('whatever happens to the files between equal calls, the decision is the one made anew', () => {
  const random = new Random(20_261_130);
  const sets: readonly [Permissions, Permissions] = [
    permissionsOf(RULES),
    permissionsOf({ ask: ['Read(src/**)'], deny: ['Bash(tool * x)'] }),
  ];
  const tally = { same: 0, anew: 0, changed: 0 };
  let files = randomWorld(random);
  const last = new Map<string, string>();
  for (let round = 0; round < 2500; round++) {
    if (random.below(3) === 0) files = randomWorld(random);
    const command = random.pick(COMMANDS);
    const set = random.below(2);
    const mode = random.pick(MODES);
    const permissions = set === 0 ? sets[0] : sets[1];
    const isSetNow = random.below(2) === 0;
    const question: HookedQuestion = {
      permissions: mode === 'default' ? permissions : { ...permissions, mode },
      call: bash(command),
      files,
      isSet: () => isSetNow,
    };
    const watch = watched(files);
    const decision = decide({ ...question, files: watch.files });
    expect(decision, command).toEqual(explain(question).decision);
    const again = decide(question);
    expect(again, command).toEqual(decision);
    if (again === decision) tally.same++;
    else tally.anew++;
    const key = `${command} ${set} ${mode}`;
    if (last.has(key) && last.get(key) !== decision.behavior) tally.changed++;
    last.set(key, decision.behavior);
  }
  // It was tried: most were not made again, and many were another than the time before.
  expect(tally.same).toBeGreaterThan(1500);
  expect(tally.changed).toBeGreaterThan(100);
});

test('what is kept is bounded: the oldest is made anew, and a long command each time', () => {
  const permissions = permissionsOf(RULES);
  const judged = (command: string): unknown => decide({ permissions, call: bash(command), files: FILES });
  const first = judged('tool 0');
  for (let i = 1; i < 63; i++) judged(`tool ${i}`);
  expect(judged('tool 0')).toBe(first);
  for (let i = 63; i < 200; i++) judged(`tool ${i}`);
  expect(judged('tool 0')).not.toBe(first);
  const long = `tool ${'a'.repeat(2000)}`;
  expect(judged(long)).not.toBe(judged(long));
});
