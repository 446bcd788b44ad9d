import { describe, expect, test } from 'vitest';
import { testPattern } from '../../src/hooks/bounded-pattern.ts';
import { isHookEvent, NEVER_FIRES } from '../../src/hooks/events.ts';
import { compileMatcher, deadMatcher, selectHooks } from '../../src/hooks/match.ts';
import { commandHook, hook } from './hooks.ts';

const TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'NotebookEdit', 'Agent', 'mcp__srv__tool'];
const matched = (matcher: string | undefined) =>
  TOOLS.filter((name) => compileMatcher(matcher).matches(name));

describe('a matcher', () => {
  test.each([
    [undefined, TOOLS],
    ['', TOOLS],
    ['*', TOOLS],
    ['Bash', ['Bash']],
    ['Bash|Read', ['Bash', 'Read']],
    ['Read, Bash', ['Bash', 'Read']],
    ['Read| Bash', ['Bash', 'Read']],
    ['Write|', ['Write']],
    ['Ba', []],
    ['ash', []],
    ['Notebook', []],
    ['mcp__srv', []],
    ['mcp__srv__tool', ['mcp__srv__tool']],
    ['|', []],
    [' ', []],
    [',', []],
    // The lessons' names, and the two names of one tool.
    ['bash', ['Bash']],
    ['read_file|edit_file', ['Read', 'Edit']],
    ['Task', ['Agent']],
    ['BASH', []],
    // Anything else is a regular expression, not anchored.
    ['Edit.*', ['Edit', 'NotebookEdit']],
    ['^Edit$', ['Edit']],
    ['Ed.t', ['Edit', 'NotebookEdit']],
    ['^B', ['Bash']],
    ['.*ead', ['Read']],
    ['(Edit|Write)', ['Write', 'Edit', 'NotebookEdit']],
    ['^(?!Bash).*$', TOOLS.slice(1)],
    ['mcp__.*', ['mcp__srv__tool']],
    ['mcp__srv__*', ['mcp__srv__tool']],
    ['B*', TOOLS],
    ['Bash()', ['Bash']],
    ['bash.', []],
    ['[', []],
    ['Read|*', []],
    ['Bash|bogus(', []],
    ['Bash(git *)', []],
  ])('%j fits %j', (matcher, expected) => {
    expect(matched(matcher)).toEqual(expected);
  });

  test.each(['[', 'Read|*', 'Bash|bogus(', '|', ' '])('%j can never fit, and says why', (matcher) => {
    expect(compileMatcher(matcher).problem).toMatch(/never matches/);
  });

  test('a pattern that would take for ever is given up, and counts as fitting', () => {
    const subject = `${'a'.repeat(60)}!`;
    expect(testPattern('^(a+)+$', subject, 30)).toBeUndefined();
    const matcher = compileMatcher('^(a+)+$');
    const began = performance.now();
    expect([matcher.matches(subject), matcher.matches(subject), matcher.matches('b')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test('a pattern is only a pattern', () => {
    expect(testPattern('constructor.constructor("return process")()', 'x')).toBe(false);
  });
});

describe('a dead matcher is told', () => {
  test.each([
    ['PreToolUse', 'Bash', undefined],
    ['PreToolUse', 'bash', undefined],
    ['PreToolUse', 'Edit|MultiEdit', undefined],
    ['PreToolUse', '^B', undefined],
    ['PreToolUse', undefined, undefined],
    ['PreToolUse', 'Bash(git *)', /is a permission rule, which belongs into "if"/],
    ['PreToolUse', 'MultiEdit', /no tool is called so \(there are Bash, /],
    ['PreToolUse', 'mcp__srv__.*', /MCP is not supported/],
    ['PreToolUse', 'Bsh|Raed', /no tool is called so/],
    ['PreToolUse', '[', /Invalid regular expression/],
    ['PreToolUse', '|', /names nothing/],
    ['SessionStart', '[', /Invalid regular expression/],
    ['SessionStart', 'startup', undefined],
    ['SessionStart', 'startup|clear', undefined],
    ['SessionStart', 'start(up)', undefined],
    ['SessionStart', '', undefined],
    ['SessionStart', 'clear', /^it never matches: source is startup, resume, fork or compact here$/],
    ['SessionStart', 'Startup', /never matches/],
    ['SessionEnd', 'logout|prompt_input_exit', /^it never matches: reason is always other here$/],
    ['SessionEnd', 'logout|other', undefined],
    ['Notification', 'idle_prompt', /notification_type is always permission_prompt here/],
    ['Notification', 'idle_prompt|permission_prompt', undefined],
    ['Notification', 'permission', /notification_type is always permission_prompt here/],
    ['Notification', '.*prompt', undefined],
    ['PreCompact', 'full', /trigger is manual or auto here/],
    ['PreCompact', 'auto', undefined],
    ['PostCompact', 'full', /trigger is manual or auto here/],
    ['StopFailure', 'overloaded', /error is authentication_failed, rate_limit or unknown here/],
    ['StopFailure', 'rate_limit', undefined],
    ['ConfigChange', 'skills', /source is user_settings, /],
    ['ConfigChange', 'policy_settings', undefined],
    ['Stop', '[', undefined],
    ['UserPromptSubmit', 'whatever', undefined],
  ] as const)('%s %j', (event, matcher, expected) => {
    const problem = deadMatcher(event, matcher);
    if (expected === undefined) expect(problem).toBeUndefined();
    else expect(problem).toMatch(expected);
  });
});

describe('of the hooks in force are chosen', () => {
  const commands = (
    hooks: Parameters<typeof selectHooks>[0],
    event: Parameters<typeof selectHooks>[1],
    subject?: string,
  ) =>
    selectHooks(hooks, event, subject).map(({ handler }) =>
      handler.type === 'command' ? handler.command : handler.type,
    );

  test('those of the event whose matcher fits, in configured order', () => {
    const hooks = [
      commandHook('z', { matcher: 'Bash' }),
      commandHook('other-event', { event: 'PostToolUse', matcher: 'Bash' }),
      commandHook('a', { matcher: '.*' }),
      commandHook('other-tool', { matcher: 'Read' }),
      commandHook('m'),
    ];
    expect(commands(hooks, 'PreToolUse', 'Bash')).toEqual(['z', 'a', 'm']);
  });

  test('all of an event that takes no matcher', () => {
    expect(commands([commandHook('a', { event: 'Stop', matcher: 'nomatch' })], 'Stop')).toEqual(['a']);
  });

  test('by the source of a session', () => {
    const hooks = [
      commandHook('a', { event: 'SessionStart', matcher: 'startup|resume' }),
      commandHook('b', { event: 'SessionStart', matcher: 'clear' }),
    ];
    expect(commands(hooks, 'SessionStart', 'resume')).toEqual(['a']);
  });

  test('of exact duplicates the first, wherever and for whatever matcher they were written', () => {
    const user = commandHook('guard');
    const project = commandHook('guard', {
      matcher: 'Bash',
      source: { ...user.source, scope: 'project', file: '/p/.hookd/settings.json' },
    });
    expect(selectHooks([user, project], 'PreToolUse', 'Bash')).toEqual([user]);
  });

  test.each<[string, Parameters<typeof commandHook>[1]]>([
    ['a time-out', { timeoutMs: 1 }],
    ['async', { isAsync: true }],
    ['onFailure', { onFailure: 'continue' }],
    ['a condition', { condition: 'Bash(git *)' }],
    ['args', { args: [] }],
  ])('both, where %s differs: a repetition never takes a guard away', (_name, changes) => {
    const repeated = commandHook('guard', changes);
    expect(selectHooks([commandHook('guard'), repeated], 'PreToolUse', 'Bash')).toHaveLength(2);
    expect(selectHooks([repeated, commandHook('guard')], 'PreToolUse', 'Bash')).toHaveLength(2);
  });

  test('both, where a blank differs', () => {
    expect(selectHooks([commandHook('a'), commandHook('a ')], 'PreToolUse', 'Bash')).toHaveLength(2);
  });

  test('handlers that are not supported too: they count as failed, not as absent', () => {
    expect(selectHooks([hook({ type: 'unsupported', name: 'prompt' })], 'PreToolUse', 'Bash')).toHaveLength(
      1,
    );
  });
});

test('an event fires or never does', () => {
  expect(NEVER_FIRES.filter(isHookEvent)).toEqual([]);
  expect(isHookEvent('toString')).toBe(false);
});
