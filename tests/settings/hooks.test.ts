import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/settings/problem.ts';
import { hooked, hooksOf, save, testSession, warningsOf } from './session.ts';

/** The problems of a user file that is refused, one line each, less the file's name. */
function refusal(content: string): readonly string[] {
  const session = testSession();
  save(session.userFile, content);
  return session.problems().map((problem) => describeProblem(problem).replace(`${session.userFile}:`, ''));
}

/** What is told of a user file that loads, and the hooks in force. */
function loaded(content: string) {
  const session = testSession();
  save(session.userFile, content);
  const snapshot = session.start().current();
  return { warnings: warningsOf(snapshot, session.userFile), hooks: hooksOf(snapshot) };
}

const under = (event: string, group: string): string => `{"hooks": {"${event}": [${group}]}}`;
const handler = (fields: string): string => `{"hooks": [{${fields}}]}`;
const command = '"type": "command", "command": "x"';

/** A text less its marks, and where those stood: `place` puts them into the lines that name them. */
function marked(text: string) {
  const parts = text.split('‸');
  const places = parts.slice(0, -1).map((_, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join('')
      .split('\n');
    return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
  });
  const place = (lines: readonly string[]): readonly string[] =>
    lines.map((line, index) => line.replace('‸', places[index] ?? ''));
  return { content: parts.join(''), place };
}

test('a hook keeps all that was written, and where', () => {
  const session = testSession();
  save(
    session.userFile,
    [
      '{"hooks": {',
      '"PreToolUse": [{"matcher": "Edit|Write", "hooks": [',
      '  {"type": "command", "command": "./a", "args": ["-x", ""], "timeout": 0.25, "if": "Edit(src/**)",',
      '   "async": true, "onFailure": "block", "statusMessage": "checking"},',
      '  {"type": "http", "url": "https://localhost/h", "headers": {"A": "$T"}, "allowedEnvVars": ["T"]}]}],',
      '"Stop": [{"hooks": [{"type": "command", "command": "b c", "shell": "bash", "if": ""}]}]',
      '}}',
    ].join('\n'),
  );
  const { hooks, warnings } = session.start().current();
  const source = { file: session.userFile, scope: 'user', dialect: 'hookd' };
  const plain = {
    ...{ timeoutMs: undefined, condition: undefined, isAsync: false },
    ...{ onFailure: undefined, statusMessage: undefined },
  };
  expect(warnings).toEqual([]);
  expect(hooks.hooks).toEqual([
    {
      ...{ event: 'PreToolUse', matcher: 'Edit|Write', timeoutMs: 250, condition: 'Edit(src/**)' },
      handler: { type: 'command', command: './a', args: ['-x', ''], shell: 'bash' },
      ...{ isAsync: true, onFailure: 'block', statusMessage: 'checking' },
      source: { ...source, line: 3, column: 3 },
    },
    {
      ...{ event: 'PreToolUse', matcher: 'Edit|Write', ...plain },
      handler: { type: 'http', url: 'https://localhost/h', headers: { A: '$T' }, allowedEnvVars: ['T'] },
      source: { ...source, line: 5, column: 3 },
    },
    {
      ...{ event: 'Stop', matcher: undefined, ...plain },
      handler: { type: 'command', command: 'b c', shell: 'bash' },
      source: { ...source, line: 6, column: 21 },
    },
  ]);
});

describe.each(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'PreModelRequest'])(
  'a fault under %s refuses the file, with its place:',
  (event) => {
    test.each<[string, string, string, string]>([
      ['no object', '‸5', '', 'wrong value (expected an object, found a number (5)).'],
      [
        'a flat list',
        `‸{${command}}`,
        '',
        '"hooks" is missing. Put what runs into a list: {"hooks": [{"type": …}]}.',
      ],
      ['no list of hooks', '‸{}', '', '"hooks" is missing.'],
      [
        'hooks that are no list',
        '{"hooks": ‸"x"}',
        '.hooks',
        'wrong value (expected a list, found a string ("x")).',
      ],
      [
        'a matcher that is no text',
        '{"matcher": ‸1, "hooks": []}',
        '.matcher',
        'wrong value (expected a string, found a number (1)).',
      ],
      [
        'a hook that is no object',
        '{"hooks": [‸"x"]}',
        '.hooks[0]',
        'wrong value (expected an object, found a string ("x")).',
      ],
      ['no type', '{"hooks": [‸{"command": "x"}]}', '.hooks[0]', '"type" is missing.'],
      [
        'a type that is no text',
        handler('"type": ‸null'),
        '.hooks[0].type',
        'wrong value (expected a string, found null).',
      ],
      ['no command', '{"hooks": [‸{"type": "command"}]}', '.hooks[0]', '"command" is missing.'],
      ['no url', '{"hooks": [‸{"type": "http"}]}', '.hooks[0]', '"url" is missing.'],
      [
        'a command that is no text',
        handler('"type": "command", "command": ‸["x"]'),
        '.hooks[0].command',
        'wrong value (expected a string, found a list).',
      ],
      [
        'a url that is none',
        handler('"type": "http", "url": ‸"localhost"'),
        '.hooks[0].url',
        'wrong value (expected an http or https URL, found a string ("localhost")).',
      ],
      [
        'args that are no list',
        handler(`${command}, "args": ‸"-x"`),
        '.hooks[0].args',
        'wrong value (expected a list of strings, found a string ("-x")). Write ["-x"].',
      ],
      [
        'an argument that is no text',
        handler(`${command}, "args": [‸1]`),
        '.hooks[0].args[0]',
        'wrong value (expected a string, found a number (1)).',
      ],
      [
        'no time',
        handler(`${command}, "timeout": ‸0`),
        '.hooks[0].timeout',
        'wrong value (expected a number above 0, found a number (0)).',
      ],
      [
        'a time before now',
        handler(`${command}, "timeout": ‸-1`),
        '.hooks[0].timeout',
        'wrong value (expected a number above 0, found a number (-1)).',
      ],
      [
        'a time as text',
        handler(`${command}, "timeout": ‸"1"`),
        '.hooks[0].timeout',
        'wrong value (expected a number above 0, found a string ("1")).',
      ],
      [
        'an if that is no text',
        handler(`${command}, "if": ‸[]`),
        '.hooks[0].if',
        'wrong value (expected a string, found an empty list).',
      ],
      [
        'an async that is text',
        handler(`${command}, "async": ‸"yes"`),
        '.hooks[0].async',
        'wrong value (expected true or false, found a string ("yes")).',
      ],
      [
        'another shell',
        handler(`${command}, "shell": ‸"sh"`),
        '.hooks[0].shell',
        'wrong value (expected "bash" or "powershell", found a string ("sh")).',
      ],
      [
        'another onFailure',
        handler(`${command}, "onFailure": ‸"allow"`),
        '.hooks[0].onFailure',
        'wrong value (expected "ask", "block" or "continue", found a string ("allow")).',
      ],
      [
        'an onFailure that is no text',
        handler(`${command}, "onFailure": ‸1`),
        '.hooks[0].onFailure',
        'wrong value (expected "ask", "block" or "continue", found a number (1)).',
      ],
      [
        'headers that are no text',
        handler('"type": "http", "url": "http://a", "headers": {"A": ‸1}'),
        '.hooks[0].headers.A',
        'wrong value (expected a string, found a number (1)).',
      ],
      [
        'variables that are no list',
        handler('"type": "http", "url": "http://a", "allowedEnvVars": ‸"A"'),
        '.hooks[0].allowedEnvVars',
        'wrong value (expected a list of strings, found a string ("A")). Write ["A"].',
      ],
      [
        'a statusMessage that is no text',
        handler(`${command}, "statusMessage": ‸1`),
        '.hooks[0].statusMessage',
        'wrong value (expected a string, found a number (1)).',
      ],
      [
        'a once that is text',
        handler(`${command}, "once": ‸"x"`),
        '.hooks[0].once',
        'wrong value (expected true or false, found a string ("x")).',
      ],
    ])('%s', (_, group, key, message) => {
      const { content, place } = marked(under(event, group));
      expect(refusal(content)).toEqual(place([`‸: hooks.${event}[0]${key}: ${message}`]));
    });
  },
);

const nearEvent = 'unknown event, so near a known one that its loss would be an accident.';
const nearField = 'unknown field, so near a known one that its loss would be an accident.';

describe('a file is refused for', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'hooks that are a list',
      '{"hooks": ‸[]}',
      ['‸: hooks: wrong value (expected an object, found an empty list).'],
    ],
    [
      'an event that is no list, also where nothing is guarded',
      '{"hooks": {"Stop": ‸{}}}',
      ['‸: hooks.Stop: wrong value (expected a list, found an object).'],
    ],
    [
      'an event that is nearly a known one',
      '{"hooks": {\n ‸"PreTooluse": []}}',
      [`‸: hooks.PreTooluse: ${nearEvent} Did you mean "PreToolUse"? Correct or remove it.`],
    ],
    [
      'an event that is nearly one of Claude Code',
      '{"hooks": {‸"SubAgentStop": []}}',
      [`‸: hooks.SubAgentStop: ${nearEvent} Did you mean "SubagentStop"? Correct or remove it.`],
    ],
    [
      'fields that are nearly known ones, also where nothing is guarded',
      under('Stop', `{‸"mather": "x", "hooks": [{${command}, ‸"timout": 5, ‸"on_failure": "block"}]}`),
      [
        `‸: hooks.Stop[0].mather: ${nearField} Did you mean "matcher"? Correct or remove it.`,
        `‸: hooks.Stop[0].hooks[0].timout: ${nearField} Did you mean "timeout"? Correct or remove it.`,
        `‸: hooks.Stop[0].hooks[0].on_failure: ${nearField} Did you mean "onFailure"? Correct or remove it.`,
      ],
    ],
  ])('%s', (_, text, expected) => {
    const { content, place } = marked(text);
    expect(refusal(content)).toEqual(place(expected));
  });

  test('more events than there can be', () => {
    const events = Array.from({ length: 1001 }, (_, index) => [`e${index}`, []]);
    const told = refusal(JSON.stringify({ hooks: Object.fromEntries(events) }));
    expect(told).toContain('1:2: hooks: more than 1000 keys; these are no settings.');
  });
});

describe('under an event that guards nothing, what does not fit is left out and told:', () => {
  test('a hook', () => {
    const { content, place } = marked(
      `{"hooks": {"Stop": [{"hooks": [\n‸{"type": "command"},\n{${command}, "timeout": ‸"1"},\n{${command}}]}]}}`,
    );
    expect(loaded(content)).toEqual({
      warnings: place([
        '‸: hooks.Stop[0].hooks[0]: "command" is missing; this entry is left out.',
        '‸: hooks.Stop[0].hooks[1].timeout: wrong value; this entry is left out (expected a number above 0, found a string ("1")).',
      ]),
      hooks: ['Stop x (user)'],
    });
  });

  test('a group', () => {
    const { content, place } = marked(
      under('PostToolUse', `{"matcher": ‸5, "hooks": [{${command}}]}, ${handler(command)}`),
    );
    expect(loaded(content)).toEqual({
      warnings: place([
        '‸: hooks.PostToolUse[0].matcher: wrong value; this entry is left out (expected a string, found a number (5)).',
      ]),
      hooks: ['PostToolUse x (user)'],
    });
  });
});

describe('a file loads, and it is told, that', () => {
  const whole = (event: string, more: string): string => under(event, handler(`${command}, ${more}`));
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      'an event never fires here',
      '{"hooks": {‸"SubagentStop": [5]}}',
      ['‸: hooks.SubagentStop: this event never fires here: its hooks do not run.'],
      [],
    ],
    [
      'an event does not exist',
      '{"hooks": {‸"Bogus": 5}}',
      ['‸: hooks.Bogus: unknown event, its hooks do not run.'],
      [],
    ],
    [
      'a type is not supported, on a gate event',
      under('PreToolUse', handler('"type": ‸"prompt", "prompt": "ok?", "model": "m"')),
      [
        '‸: hooks.PreToolUse[0].hooks[0].type: hooks of type "prompt" are not supported: each run counts as failed.',
      ],
      ['PreToolUse prompt (user)'],
    ],
    [
      'a type is not supported, elsewhere',
      under('Stop', handler('"type": ‸"agent", "command": "x"')),
      ['‸: hooks.Stop[0].hooks[0].type: hooks of type "agent" are not supported: it does nothing.'],
      ['Stop agent (user)'],
    ],
    [
      'a field is unknown',
      under('Stop', `{‸"description": "mine", "hooks": [{${command}, ‸"cwd": "/", ‸"id": 1}]}`),
      [
        '‸: hooks.Stop[0].description: unknown field, ignored.',
        '‸: hooks.Stop[0].hooks[0].cwd: unknown field, ignored.',
        '‸: hooks.Stop[0].hooks[0].id: unknown field, ignored.',
      ],
      ['Stop x (user)'],
    ],
    [
      'asyncRewake and once do nothing',
      whole('PreToolUse', '‸"asyncRewake": true, "once": ‸true'),
      [
        '‸: hooks.PreToolUse[0].hooks[0].asyncRewake: not supported, the hook runs as without it.',
        '‸: hooks.PreToolUse[0].hooks[0].once: no effect in settings: the hook runs every time.',
      ],
      ['PreToolUse x (user)'],
    ],
    [
      'an onFailure has no effect',
      whole('Stop', '"onFailure": ‸"ask"'),
      ['‸: hooks.Stop[0].hooks[0].onFailure: "ask" has no effect on Stop (expected "continue").'],
      ['Stop x (user)'],
    ],
    [
      'a command is empty',
      under('PreToolUse', handler('"type": "command", "command": ‸" "')),
      ['‸: hooks.PreToolUse[0].hooks[0].command: an empty command does nothing.'],
      ['PreToolUse   (user)'],
    ],
    [
      'fields of a hook stand on its group',
      under(
        'PreToolUse',
        `{‸"if": "Bash(git *)", ‸"timeout": 5, ‸"type": "command", ‸"command": "y", ${handler(command).slice(1)}`,
      ),
      [
        '‸: hooks.PreToolUse[0].if: it belongs into each hook: here its hooks run for calls that do not fit it, too. Move it beside "type".',
        ...['timeout', 'type', 'command'].map(
          (field) =>
            `‸: hooks.PreToolUse[0].${field}: it belongs into each hook: here it is ignored. Move it beside "type".`,
        ),
      ],
      ['PreToolUse x (user)'],
    ],
    [
      'a matcher stands on a hook',
      whole('PreToolUse', '‸"matcher": "Bash"'),
      [
        '‸: hooks.PreToolUse[0].hooks[0].matcher: it belongs beside "hooks": here the hook runs for what does not fit it, too. Give the hook a group of its own.',
      ],
      ['PreToolUse x (user)'],
    ],
    [
      'a condition has no call to judge',
      whole('Stop', '"if": ‸"Bash(ls)"'),
      ['‸: hooks.Stop[0].hooks[0].if: on Stop there is no call to judge: this hook never runs.'],
      ['Stop x (user)'],
    ],
  ])('%s', (_, text, warnings, hooks) => {
    const { content, place } = marked(text);
    expect(loaded(content)).toEqual({ warnings: place(warnings), hooks });
  });

  test.each(['Bash(git *)', '[', 'Bsh', '|', 'mcp__srv'])('the matcher %j can never match', (matcher) => {
    const { warnings, hooks } = loaded(
      under('PreToolUse', `{"matcher": ${JSON.stringify(matcher)}, ${handler(command).slice(1)}`),
    );
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^1:39: hooks\.PreToolUse\[0\]\.matcher: .*never matches/);
    expect(hooks).toEqual(['PreToolUse x (user)']);
  });

  test('a matcher of words that this host never sends is told with those that it sends', () => {
    const group = `{"matcher": "idle_prompt|auth_success", ${handler(command).slice(1)}`;
    expect(loaded(under('Notification', group))).toEqual({
      warnings: [
        '1:41: hooks.Notification[0].matcher: it never matches: notification_type is always permission_prompt here (found a string ("idle_prompt|auth_success")).',
      ],
      hooks: ['Notification x (user)'],
    });
  });

  test.each(['', '*', 'Bash', 'bash', 'Edit|Write', 'E.*', 'NotebookEdit|Edit'])(
    '%j can match',
    (matcher) => {
      const { warnings } = loaded(
        under('PreToolUse', `{"matcher": ${JSON.stringify(matcher)}, ${handler(command).slice(1)}`),
      );
      expect(warnings).toEqual([]);
    },
  );

  test('of a note is told nothing, of a text by the name of an event it is', () => {
    const notes = '"_comment": "a", "description": "b", "comment": ["c"], "//": "d", "why": "e"';
    expect(loaded(`{"hooks": {${notes}, "_PreToolUse": [], "Stop": [${handler(command)}]}}`)).toEqual({
      warnings: [],
      hooks: ['Stop x (user)'],
    });
    expect(refusal('{"hooks": {"PreTooluse": "x"}}')).toEqual([
      expect.stringContaining('Did you mean "PreToolUse"?'),
    ]);
    expect(loaded('{"hooks": {"Whatever": []}}').warnings).toEqual([
      expect.stringContaining('unknown event, its hooks do not run'),
    ]);
  });

  test.each(['garbage((', 'bash(ls)', 'Nosuch(x)'])('the condition %j fits no call', (condition) => {
    const { warnings } = loaded(whole('PreToolUse', `"if": ${JSON.stringify(condition)}`));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^1:80: hooks\.PreToolUse\[0\]\.hooks\[0\]\.if: .*; this hook never runs\.$/);
  });
});

test.each([
  ['40 days', '3456000', 3_456_000_000],
  ['beyond all that can be counted', '1e308', Number.MAX_SAFE_INTEGER],
])('a time of %s is taken as it is written', (_name, seconds, expected) => {
  const session = testSession();
  save(session.userFile, under('Stop', handler(`${command}, "timeout": ${seconds}`)));
  expect(session.start().current().hooks.hooks[0]?.timeoutMs).toBe(expected);
});

test('a hook that is saved is in force at the very next look, and stays so when the next save is broken', () => {
  const session = testSession();
  save(session.userFile, '{}');
  const store = session.start();
  expect(hooksOf(store.current())).toEqual([]);
  save(session.userFile, hooked('guard'));
  expect(hooksOf(store.current())).toEqual(['PreToolUse guard (user)']);
  save(session.userFile, under('PreToolUse', handler('"type": "command", "command": 1')));
  expect(hooksOf(store.current())).toEqual(['PreToolUse guard (user)']);
  expect(session.events.map(({ kind }) => kind)).toEqual(['loaded', 'changed', 'rejected']);
});
