import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/settings/problem.ts';
import { save, testSession } from './session.ts';

/** The problems of a user file, one line each, less the file's name. */
function told(content: string | Uint8Array): readonly string[] {
  const session = testSession();
  save(session.userFile, content);
  return session.problems().map((problem) => describeProblem(problem).replace(`${session.userFile}:`, ''));
}

const utf16 = (text: string, order: 'le' | 'be', mark: boolean): Uint8Array => {
  const bytes = Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

const cut = 'not valid JSON: the file ends too early. It may be cut off.';
const notUtf8 = 'is not valid UTF-8 here. Save the file as UTF-8.';
const listExpected = 'expected a list of strings, found';
const modes = 'expected "default", "manual", "acceptEdits", "plan", "dontAsk" or "bypassPermissions"';
const nearKnown = 'unknown key, so near a known one that its loss would be an accident.';

describe('a start is refused, with the exact place, for', () => {
  test.each<[string, string | Uint8Array, readonly string[]]>([
    ['a file that is cut off', '{\n "permissions": {\n  "deny": ["Bash(rm:*)"]', [`3:25: ${cut}`]],
    [
      'a string that is cut off',
      '{"model": "x',
      ['1:11: not valid JSON: a string without its closing quote.'],
    ],
    ['a missing comma', '{\n  "model": "m"\n  "maxTurns": 3\n}', ['3:3: not valid JSON: expected a comma.']],
    [
      'a trailing comma',
      '{\n  "model": "m",\n}',
      ['2:15: not valid JSON: a comma with nothing after it. Remove the comma.'],
    ],
    [
      'a trailing comma in a list',
      '{"permissions": {"deny": ["Read",]}}',
      ['1:33: not valid JSON: a comma with nothing after it. Remove the comma.'],
    ],
    [
      'each comment',
      '// one\n{\n  /* two */ "model": "m"\n}',
      ['1:1: not valid JSON: comments are not allowed.', '3:3: not valid JSON: comments are not allowed.'],
    ],
    ['single quotes', "{'model': 1}", ['1:2: not valid JSON: single quotes. Use double quotes.']],
    ['text after the object', '{}\n{}', ['2:1: not valid JSON: text after the end of the object.']],
    ['a leading zero', '{"maxTurns": 01}', ['1:15: not valid JSON: expected a comma.']],
    ['an unknown escape', '{"model": "\\x"}', ['1:11: not valid JSON: an unknown escape in a string.']],
    [
      'a control character in a string',
      '{"model": "a\tb"}',
      ['1:11: not valid JSON: a control character in a string.'],
    ],
    ['a no-break space', '\u00a0{}', ['1:1: not valid JSON: unexpected text.']],
    ['lists nested without end', '['.repeat(200_000), ['1:1: not valid JSON: nested too deeply.']],
    [
      'a key that stands twice',
      '{\n  "permissions": {"deny": ["Read"]},\n  "permissions": {}\n}',
      [
        '3:3: permissions: this key is already at line 2, and one of the two would be lost. Join the two into one.',
      ],
    ],
    [
      'a key that stands twice in other letters, deep inside',
      '{"env": {"a": [{"b": 1, "\\u0062": 2}]}}',
      [
        '1:25: env.a[0].b: this key is already at line 1, and one of the two would be lost. Join the two into one.',
      ],
    ],
    ['invalid UTF-8', Buffer.from('{\n "model": "\xff"}', 'latin1'), [`2:12: byte 0xff ${notUtf8}`]],
    [
      'a character that is cut off at the end',
      Buffer.from('{"m": "\xe2\x82', 'latin1'),
      [`1:8: byte 0xe2 ${notUtf8}`],
    ],
    ['UTF-16 with a mark', utf16('{}', 'le', true), ['1:1: the file is UTF-16. Save it as UTF-8.']],
    ['UTF-16 without a mark', utf16('{}', 'be', false), ['1:1: the file is UTF-16. Save it as UTF-8.']],
    [
      'a NUL byte',
      '{}\n\0',
      ['2:1: a NUL byte. Remove it; a disk that was full or a crash may have left it.'],
    ],
    [
      'more than 2 MiB',
      `{}${' '.repeat(2 * 1024 * 1024)}`,
      ['1:1: the file is larger than 2097152 bytes. Split the rules, or remove what is not used.'],
    ],
    [
      'a list with something in it',
      '\n[{"permissions": {}}]',
      ['2:1: no settings (expected an object, found a list).'],
    ],
    ['a string', '"deny"', ['1:1: no settings (expected an object, found a string ("deny")).']],
    [
      'a deny that is a string',
      '{"permissions": {"deny": "Read"}}',
      [`1:26: permissions.deny: wrong value (${listExpected} a string ("Read")). Write ["Read"].`],
    ],
    [
      'a deny that is null',
      '{"permissions": {"deny": null}}',
      [`1:26: permissions.deny: wrong value (${listExpected} null).`],
    ],
    [
      'an ask that is a number',
      '{"permissions": {"ask": 5}}',
      [`1:25: permissions.ask: wrong value (${listExpected} a number (5)).`],
    ],
    [
      'an allow that is an object',
      '{"permissions": {"allow": {}}}',
      [`1:27: permissions.allow: wrong value (${listExpected} an object).`],
    ],
    [
      'permissions that are a list',
      '{"permissions": []}',
      ['1:17: permissions: wrong value (expected an object, found an empty list).'],
    ],
    [
      'a deny entry that is no string',
      '{"permissions": {"deny": [\n  "Read",\n  7\n]}}',
      ['3:3: permissions.deny[1]: wrong value (expected a string, found a number (7)).'],
    ],
    [
      'a model that is empty',
      '{"model": ""}',
      ['1:11: model: wrong value (expected a string that is not empty, found a string ("")).'],
    ],
    [
      'no turns',
      '{"maxTurns": 0, "maxTokens": 1.5}',
      [
        '1:14: maxTurns: wrong value (expected a whole number from 1, found a number (0)).',
        '1:30: maxTokens: wrong value (expected a whole number from 1, found a number (1.5)).',
      ],
    ],
    [
      'a mode that is not supported',
      '{"permissions": {"defaultMode": "auto"}}',
      [
        `1:33: permissions.defaultMode: permission mode "auto" is not supported (${modes}). Another mode in its place could let more through, so nothing was loaded.`,
      ],
    ],
    [
      'a mode that does not exist',
      '{"permissions": {"defaultMode": "acceptEdit"}}',
      [
        `1:33: permissions.defaultMode: unknown permission mode (${modes}, found a string ("acceptEdit")). Did you mean "acceptEdits"?`,
      ],
    ],
    [
      'a near miss inside permissions',
      '{"permissions": {\n  "dfny": ["Read"]\n}}',
      [`2:3: permissions.dfny: ${nearKnown} Did you mean "deny"? Correct or remove it.`],
    ],
    [
      'another word for deny',
      '{"permissions": {"denied": []}}',
      [`1:18: permissions.denied: ${nearKnown} Did you mean "deny"? Correct or remove it.`],
    ],
    [
      'a near miss of permissions',
      '{"permisions": {"deny": ["Read"]}}',
      [`1:2: permisions: ${nearKnown} Did you mean "permissions"? Correct or remove it.`],
    ],
    [
      'a near miss of hooks',
      '{"Hooks": {}}',
      [`1:2: Hooks: ${nearKnown} Did you mean "hooks"? Correct or remove it.`],
    ],
    [
      'a list beside permissions',
      '{"deny": ["Read"]}',
      [
        '1:2: deny: this key belongs inside "permissions", where it would count. Move it to permissions.deny.',
      ],
    ],
    [
      'an event beside hooks',
      '{"PreToolUse": []}',
      [
        '1:2: PreToolUse: this key belongs inside "hooks", where it would count. Move it to hooks.PreToolUse.',
      ],
    ],
    [
      'a limit on the addresses of http hooks that is no list',
      '{"allowedHttpHookUrls": "https://a.example/*"}',
      [
        '1:25: allowedHttpHookUrls: wrong value (expected a list of strings, found a string ("https://a.example/*")). Write ["https://a.example/*"].',
      ],
    ],
    [
      'a switch that is no boolean',
      '{"disableAllHooks": "yes", "permissions": {"disableBypassPermissionsMode": true}}',
      [
        '1:21: disableAllHooks: wrong value (expected true or false, found a string ("yes")).',
        '1:76: permissions.disableBypassPermissionsMode: wrong value (expected "disable", found a boolean (true)).',
      ],
    ],
    [
      'variables that are none',
      '{"env": {"A": [], "B": {}, "C=": 1, "D": "a\\u0000"}}',
      [
        '1:15: env.A: wrong value (expected a string, a number or true or false, found an empty list).',
        '1:24: env.B: wrong value (expected a string, a number or true or false, found an object).',
        '1:28: env.C=: no process can be given this variable (found a number (1)).',
        '1:37: env.D: no process can be given this variable (found a string ("a\\u0000")).',
      ],
    ],
    [
      'variables in a list',
      '{"env": ["A=1"]}',
      ['1:9: env: wrong value (expected an object, found a list).'],
    ],
    [
      'no Stop blocks',
      '{"maxStopBlocks": 0}',
      ['1:19: maxStopBlocks: wrong value (expected a whole number from 1, found a number (0)).'],
    ],
    [
      'a sandbox',
      '{"sandbox": {"enabled": true}}',
      [
        '1:2: sandbox: not supported yet: commands would run outside the sandbox. Remove it to go on without it.',
      ],
    ],
    [
      'a block on reads outside',
      '{"permissions": {"blockReadsOutsideWorkingDirectories": true}}',
      [
        '1:18: permissions.blockReadsOutsideWorkingDirectories: not supported yet: reads outside the workspace would ask instead of being refused. Remove it to go on without it.',
      ],
    ],
    [
      'a malformed deny rule',
      '{"permissions": {"deny": ["Read", "Bash(rm"]}}',
      [
        '1:35: permissions.deny[1]: "Bash(rm" is not a permission rule: the ")" is missing. Correct or remove it.',
      ],
    ],
    [
      'a malformed ask rule',
      '{"permissions": {"ask": ["bash"]}}',
      [
        '1:26: permissions.ask[0]: "bash" is not a permission rule: tool names are exact: write Bash. Correct or remove it.',
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(told(content)).toEqual(expected);
  });
});

test('lines end with CRLF or CR as well, and a byte order mark takes no column', () => {
  expect(told('\uFEFF{"model": 1}')).toEqual([
    '1:11: model: wrong value (expected a string, found a number (1)).',
  ]);
  expect(told('{\r\n\r\n  "model": 1}')).toEqual([
    '3:12: model: wrong value (expected a string, found a number (1)).',
  ]);
  expect(told('{\r  "model": 1}')).toEqual([
    '2:12: model: wrong value (expected a string, found a number (1)).',
  ]);
});

test('all errors of all files are told at once', () => {
  const session = testSession();
  save(session.userFile, '{"permissions": {"deny": 1, "ask": 2}, "maxTurns": "x"}');
  save(session.projectFile, '{"permissions": {"dney": []}}');
  const flagged = session.problems({ settings: ['{"hooks": [1]}'], disallowedTools: ['Read Bash(x'] });
  expect(flagged.map(({ file, line, column, key }) => `${file}:${line}:${column} ${key}`)).toEqual([
    '--disallowedTools:1:6 ',
    '--settings:1:11 hooks',
    `${session.projectFile}:1:18 permissions.dney`,
    `${session.userFile}:1:26 permissions.deny`,
    `${session.userFile}:1:36 permissions.ask`,
    `${session.userFile}:1:52 maxTurns`,
  ]);
  expect(session.events).toEqual([]);
});

/** Root may read everything: as root, the effect of permissions shows only to another effective user. */
function asOrdinaryUser<T>(act: () => T): T {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a settings file that cannot be read is not passed over:', () => {
  const why = (session: ReturnType<typeof testSession>, flags = {}): readonly string[] =>
    session.problems(flags).map(({ file, message }) => `${file}: ${message}`);

  test('a directory', () => {
    const session = testSession();
    mkdirSync(session.userFile);
    expect(why(session)).toEqual([
      `${session.userFile}: the settings file cannot be used: it is a directory`,
    ]);
  });

  test('a device', () => {
    const session = testSession();
    symlinkSync('/dev/null', session.projectFile);
    expect(why(session)).toEqual([
      `${session.projectFile}: the settings file cannot be used: it is not a regular file`,
    ]);
  });

  test('a link to nowhere, and one to itself', () => {
    const session = testSession();
    symlinkSync('nowhere', session.userFile);
    symlinkSync('settings.json', session.projectFile);
    expect(why(session)).toEqual([
      `${session.projectFile}: the settings file cannot be used: its links lead in a circle`,
      `${session.userFile}: the settings file cannot be used: it is a link to a file that does not exist`,
    ]);
  });

  test('a file that a flag names and that does not exist', () => {
    const session = testSession();
    expect(why(session, { settings: ['more.json'] })).toEqual([
      `${join(session.project, 'more.json')}: the settings file cannot be used: it does not exist`,
    ]);
  });

  test('a file without permission to read', () => {
    const session = testSession();
    chmodSync(session.base, 0o755);
    save(session.userFile, '{}');
    chmodSync(session.userFile, 0);
    const expected = [
      `${session.userFile}: the settings file cannot be used: there is no permission to read it`,
    ];
    expect(asOrdinaryUser(() => why(session))).toEqual(expected);
  });
});

test('a start directory that does not exist is refused', () => {
  const session = testSession();
  const nowhere = join(session.base, 'nowhere');
  expect(session.open({}, nowhere)).toEqual({
    ok: false,
    problems: [
      {
        ...{ severity: 'error', file: nowhere, line: 1, column: 1, key: '' },
        message: 'the start directory does not exist',
      },
    ],
  });
});

test('a start never takes a file for whole that is cut off', () => {
  const session = testSession();
  const whole = JSON.stringify({ permissions: { deny: ['Read(./.env)', 'Bash(rm *)'] } });
  for (let length = 1; length < whole.length; length++) {
    save(session.userFile, whole.slice(0, length));
    expect(session.open().ok, `cut at ${length}`).toBe(false);
  }
});

test('what a file says is told without control characters, and not endlessly', () => {
  const session = testSession();
  save(session.projectFile, JSON.stringify({ '\u001b[2J\u202e': 1, ['k'.repeat(5000)]: 2 }));
  const told = session.problems().map(describeProblem).join('\n');
  expect(told).toContain('1:2: \\u001b[2J\\u202e: a key with characters that no key has');
  expect(told.length).toBeLessThan(1000);
  save(session.projectFile, { permissions: { deny: Array.from({ length: 5000 }, () => 1) } });
  expect(session.problems()).toHaveLength(101);
  save(session.projectFile, Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1])));
  expect(session.problems().map(describeProblem)).toEqual([
    `${session.projectFile}:1:1: more than 1000 keys; these are no settings.`,
  ]);
});

test('nesting of any depth is read or refused, never thrown', () => {
  for (const depth of [100, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 20_000]) {
    const session = testSession();
    save(session.userFile, `{"x": ${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(() => session.open()).not.toThrow();
  }
});

describe('a start goes on, with a warning, for', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'an empty file',
      '',
      ['1:1: no settings (expected an object, found an empty file). Write {} to have none.'],
    ],
    [
      'a blank file',
      ' \n',
      ['1:1: no settings (expected an object, found an empty file). Write {} to have none.'],
    ],
    ['null', 'null', ['1:1: no settings (expected an object, found null). Write {} to have none.']],
    [
      'an empty list',
      '[]',
      ['1:1: no settings (expected an object, found an empty list). Write {} to have none.'],
    ],
    ['a number', '5', ['1:1: no settings (expected an object, found a number (5)). Write {} to have none.']],
    [
      'unknown keys',
      '{"colour": 1,\n "permissions": {"always": []}}',
      ['1:2: colour: unknown key, ignored.', '2:18: permissions.always: unknown key, ignored.'],
    ],
    [
      'a near miss that guards nothing',
      '{"modle": "m"}',
      ['1:2: modle: unknown key, ignored. Did you mean "model"?'],
    ],
    [
      'keys that are not supported and guard nothing',
      '{"theme": "dark", "sandbox": {"enabled": false}}',
      ['1:2: theme: not supported yet, ignored.', '1:19: sandbox: not supported yet, ignored.'],
    ],
    ['a variable that is null', '{"env": {"A": null}}', ['1:10: env.A: null becomes the text "null".']],
    [
      'a malformed allow rule',
      '{"permissions": {"allow": ["Bash(ls", 5]}}',
      [
        '1:28: permissions.allow[0]: "Bash(ls" is not a permission rule: the ")" is missing; ignored.',
        '1:39: permissions.allow[1]: not a permission rule, ignored (expected a string, found a number (5)).',
      ],
    ],
  ])('%s', (_, content, expected) => {
    const session = testSession();
    save(session.userFile, content);
    const { warnings, rules } = session.start().current();
    expect(warnings.map((warning) => warning.replace(`${session.userFile}:`, ''))).toEqual(expected);
    expect(rules).toEqual([]);
  });
});

test('a file where its directory should be is no file, and no crash', () => {
  const session = testSession();
  rmSync(join(session.project, '.hookd'), { recursive: true });
  writeFileSync(join(session.project, '.hookd'), '');
  expect(session.start().current().sources).toEqual([]);
});
