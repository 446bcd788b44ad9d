/** `hookd settings …`, as somebody uses it who edits settings all day. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookd, makeWorkspace } from '../support/hookd.ts';

const ROOT = join(import.meta.dirname, '../..');

it('settings schema prints the schema that the docs hold', async () => {
  const { code, stdout } = await hookd(makeWorkspace(), ['settings', 'schema']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: readFileSync(join(ROOT, 'docs/settings.schema.json'), 'utf8'),
  });
});

describe('settings check', () => {
  it('says everything that is wrong in a file at once, each with its place and what to do', async () => {
    const workspace = makeWorkspace();
    const file = join(workspace.project, 'mine.json');
    const lines = [
      '{ "permissions": {',
      '    "dfny": ["Read"],',
      '    "ask": "Bash",',
      '    "deny": ["bash(ls)", 5],',
      '    "allow": ["Foo("],',
      '    "defaultMode": "defalt" },',
      '  "maxTurns": 0,',
      '  "whatever": 1 }',
    ];
    writeFileSync(file, lines.join('\n'));
    const { code, stdout } = await hookd(workspace, ['settings', 'check', 'mine.json']);
    expect(code).toBe(2);
    expect(stdout.replaceAll(file, 'mine.json').split('\n')).toEqual([
      'mine.json:2:5: error: permissions.dfny: unknown key, so near a known one that its loss would be an accident. Did you mean "deny"? Correct or remove it.',
      'mine.json:3:12: error: permissions.ask: wrong value (expected a list of strings, found a string ("Bash")). Write ["Bash"].',
      'mine.json:4:14: error: permissions.deny[0]: "bash(ls)" is not a permission rule: tool names are exact: write Bash. Correct or remove it.',
      'mine.json:4:26: error: permissions.deny[1]: wrong value (expected a string, found a number (5)).',
      'mine.json:5:15: warning: permissions.allow[0]: "Foo(" is not a permission rule: the ")" is missing; ignored.',
      'mine.json:6:20: error: permissions.defaultMode: unknown permission mode (expected "default", "manual", "acceptEdits", "plan", "dontAsk" or "bypassPermissions", found a string ("defalt")). Did you mean "default"?',
      'mine.json:7:15: error: maxTurns: wrong value (expected a whole number from 1, found a number (0)).',
      'mine.json:8:3: warning: whatever: unknown key, ignored.',
      '6 errors, 2 warnings in 1 file. No session starts with an error.',
      '',
    ]);
  });

  it('without a file looks at those of a session here, and at what they amount to together', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { deny: ['Read'], additionalDirectories: ['/no-such-directory'] } },
      projectSettings: { permissions: { allow: ['Bash'] } },
    });
    const { code, stdout } = await hookd(workspace, ['settings', 'check']);
    const user = join(workspace.home, 'settings.json');
    const project = join(workspace.project, '.hookd/settings.json');
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        `${project}:3:5: warning: permissions.allow: ignored until this project is trusted (--trust-project).`,
        `warning: ${user}: permissions.additionalDirectories: "/no-such-directory" does not exist; ignored.`,
        'ok, with 2 warnings: 2 files, 1 rule, 0 hooks',
        '',
      ],
    });
  });

  it('judges a file of this session with the authority that it has, and one that is not there as an error', async () => {
    const workspace = makeWorkspace({ projectSettings: { model: 'm' } });
    mkdirSync(join(workspace.project, 'folder'));
    const files = ['.hookd/settings.json', 'absent.json', 'folder'];
    const { code, stdout } = await hookd(workspace, ['settings', 'check', ...files, '--json']);
    const { errors, warnings, files: checked } = JSON.parse(stdout);
    expect({ code, errors, warnings }).toEqual({ code: 2, errors: 2, warnings: 1 });
    expect(checked[0]).toMatchObject({
      scope: 'project',
      isTrusted: false,
      problems: [{ severity: 'warning', line: 2, column: 3, key: 'model' }],
    });
  });

  it('shows more than the hundred problems that a session is told of', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { deny: Array.from({ length: 150 }, (_, index) => index) } },
    });
    const { code, stdout } = await hookd(workspace, ['settings', 'check']);
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 2, lines: 151 });
  });

  it('says how to begin where there are no settings', async () => {
    const { code, stdout } = await hookd(makeWorkspace(), ['settings', 'check']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('hookd init') });
  });
});
