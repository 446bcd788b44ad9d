import { expect, test } from 'vitest';
import type { Behavior } from '../../src/core/vocabulary.ts';
import { type ParsedRule, parseRule } from '../../src/permissions/rule.ts';

function parse(text: string, list: Behavior = 'deny', tools?: ReadonlySet<string>): ParsedRule {
  return parseRule(text, { text, list, file: '/p/settings.json', line: 1, column: 1 }, '/p', tools);
}

test.each([
  '',
  '()',
  '(x)',
  'bash',
  'bash(x)',
  'BASH(x)',
  'Bash (x)',
  ' Bash',
  'Bash ',
  'Bash(x',
  'Bash(x)y',
  'Bash[x]',
  'Bash()',
  'Bash(:*)',
  'mcp__',
  'mcp__srv__t(x)',
  'read_file',
  'B*(x)',
  'Bash(x\\)',
  'Bash(x\\\\\\)',
  'mcp__srv__',
  'mcp__srv__t()',
  'mcp__srv(*)',
  'WebFetch(https://a.example/)',
  'WebFetch(domain:)',
  'WebFetch(domain:a.example/path)',
])('%j is malformed in every list', (text) => {
  for (const list of ['allow', 'ask', 'deny'] as const) {
    expect(parse(text, list)).toEqual({ ok: false, problem: expect.stringContaining(JSON.stringify(text)) });
  }
});

test('a tool name with a star denies and asks, and is malformed where it would allow', () => {
  for (const text of ['*', 'B*', 'mcp__*']) {
    expect(parse(text, 'deny').ok).toBe(true);
    expect(parse(text, 'ask').ok).toBe(true);
    expect(parse(text, 'allow').ok).toBe(false);
  }
  expect(parse('mcp__srv__*', 'allow').ok).toBe(true);
});

test('the content ends at the last parenthesis', () => {
  const parsed = parse('Bash(echo (a) b)', 'allow');
  expect(parsed.ok && parsed.rule.parts).toEqual([
    expect.objectContaining({
      kind: 'command',
      pattern: expect.objectContaining({ kind: 'exact', text: 'echo (a) b' }),
    }),
  ]);
});

test.each([
  ['Bash', 'bare'],
  ['Bash(*)', 'bare'],
  ['Read(*)', 'bare'],
  ['Bash(git:*)', 'command'],
  ['Read(./x)', 'path'],
  ['Edit(src/**)', 'path'],
])('%s is a %s rule', (text, kind) => {
  const parsed = parse(text, 'allow');
  expect(parsed.ok && parsed.rule.parts.map((part) => part.kind)).toEqual([kind]);
});

test('a command prefix in a deny list is an input field as well', () => {
  const parsed = parse('Bash(run_in_background:*)', 'deny');
  expect(parsed.ok && parsed.rule.parts.map((part) => part.kind)).toEqual(['command', 'parameter']);
});

test.each([
  ['Nope', 'no tool is called Nope'],
  ['Nope(x)', 'no tool is called Nope'],
  ['WebFetch(domain:x)', 'there is no tool WebFetch here'],
  ['MultiEdit(x)', 'there is no tool MultiEdit here'],
  ['Write(x.txt)', 'Edit(x.txt)'],
  ['Glob(x)', 'Read(x)'],
  ['Read(../x)', 'can match no path'],
  ['Read(/)', 'can match no path'],
  ['Read(!x)', 'alone it restricts nothing'],
  ['Read(/etc/passwd)', 'write //etc/passwd'],
  ['Bash(command:rm *)', 'without "command:"'],
  ['Read(file_path:.env)', 'without "file_path:"'],
  ['Edit(file_path:.env)', 'without "file_path:"'],
  ['WebFetch(a.example)', 'there is no tool WebFetch here'],
  ['NotebookEdit(x)', 'there is no tool NotebookEdit here'],
  ['Read(//~/.ssh/**)', 'write ~/.ssh/**'],
  ['Read(/~/.ssh/**)', 'write ~/.ssh/**'],
  ['Read(./~/.ssh/**)', 'write ~/.ssh/**'],
  ['Edit($HOME/.ssh/**)', 'write Edit(~/.ssh/**)'],
  ['Read(/$\u007bHOME}/.ssh/**)', 'write Read(~/.ssh/**)'],
  ['Bash(a), Bash(b)', 'several rules in one text'],
  ['Read(x)|Read(y)', 'several rules in one text'],
  ['Read(x) Edit(y)', 'several rules in one text'],
  ['Bash(curl *),WebFetch(domain:x)', 'several rules in one text'],
  ['Read(C:\\Users\\me\\.ssh\\**)', 'there are no drives here'],
  ['Edit(//c:/Users/**)', 'there are no drives here'],
])('%s is kept with a warning', (text, warning) => {
  expect(parse(text)).toEqual({
    ok: true,
    rule: expect.anything(),
    warning: expect.stringContaining(warning),
  });
});

test.each([
  'Read(~/.ssh/**)',
  'Read(.~/x)',
  'Read(~x/y)',
  'Read(a/~/b)',
  'Read(dir (old)/x)',
  'Bash(echo $HOME/x)',
  'Bash(echo (a) b)',
  'Bash(f() { Bash; })',
])('%s is kept without one', (text) => {
  expect(parse(text)).toEqual({ ok: true, rule: expect.anything() });
});

test('a name with a colon is refused, with the form that was meant', () => {
  expect(parse('Skill:brainstorming', 'deny')).toEqual({
    ok: false,
    problem: expect.stringContaining('write Skill(brainstorming)'),
  });
  expect(parse('Bash:git push *', 'ask')).toEqual({
    ok: false,
    problem: expect.stringContaining('write Bash(git push *)'),
  });
  expect(parse('Nope:x', 'deny')).toEqual({ ok: false, problem: expect.stringContaining('not a tool name') });
});

test.each(['Bsh(rm *)', 'Bassh', 'Raed(./.env)', 'Edits(x)', 'Wrote(x)', 'Glo'])(
  'a deny or ask rule for %j is a slip of a tool name, and guards nothing: it is refused',
  (text) => {
    for (const list of ['deny', 'ask'] as const)
      expect(parse(text, list)).toEqual({ ok: false, problem: expect.stringContaining('did you mean') });
    expect(parse(text, 'allow')).toMatchObject({ ok: true, warning: expect.anything() });
  },
);

test.each(['Bsh', 'Task', 'Load', 'Monitor', 'Grep', 'mcp__bsh__t'])(
  '%j is no slip where a tool has that name, or the name is another word',
  (text) => {
    expect(parse(text, 'deny', new Set(['Bash', 'Bsh', 'Read'])).ok).toBe(true);
  },
);

test('a rule for a tool that was added since needs no change here', () => {
  expect(parse('Fetch', 'allow', new Set(['Bash', 'Fetch']))).toEqual({ ok: true, rule: expect.anything() });
});

test('a backslash before a parenthesis or a backslash stands for the second character', () => {
  const texts = (list: Behavior) => {
    const parsed = parse('Bash(x "\\(a\\)" \\\\ \\*)', list);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.rule.parts.map((part) => part.kind === 'command' && part.pattern);
  };
  const meant = { kind: 'exact', text: 'x "(a)" \\ \\*', words: undefined };
  expect(texts('allow')).toEqual([meant]);
  // What restricts also holds as it is written.
  expect(texts('deny')).toEqual([meant, { ...meant, text: 'x "\\(a\\)" \\\\ \\*' }]);
});

test.each(['WebFetch(domain:*.a.example)', 'Grep', 'mcp__my-srv2__get_*', 'Bash(x\\\\)', 'Bash(a)b)'])(
  '%j is well-formed in every list',
  (text) => {
    for (const list of ['allow', 'ask', 'deny'] as const) expect(parse(text, list).ok).toBe(true);
  },
);

test('a well-formed rule has no warning', () => {
  for (const text of ['Bash(git *)', 'Read(./.env)', 'Edit(//etc/**)', 'Read(~/x)', 'mcp__srv']) {
    expect(parse(text)).toEqual({ ok: true, rule: expect.anything() });
  }
});
