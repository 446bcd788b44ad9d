/** What lint finds in hooks and in the text of their programs, and what it leaves alone. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HookEvent } from '../../src/hooks/events.ts';
import type { Hook } from '../../src/hooks/hook.ts';
import { lintHook } from '../../src/hooks/lint.ts';
import { lintScript, type ScriptInHand } from '../../src/hooks/lint-script.ts';
import { programOf } from '../../src/hooks/program.ts';
import { braces, commandHook } from './hooks.ts';

const project = join(realpathSync(mkdtempSync(join(tmpdir(), 'hookd-lint-'))), 'my project');
mkdirSync(project);
const place = { project, home: join(project, 'home'), path: process.env['PATH'] ?? '' };
for (const [name, mode] of [
  ['guard.py', 0o755],
  ['plain.sh', 0o644],
] as const) {
  writeFileSync(join(project, name), '#!/bin/sh\n');
  chmodSync(join(project, name), mode);
}

function rulesFor(command: string, changes: Partial<Hook> & { args?: string[] } = {}): readonly string[] {
  const hook = commandHook(command, changes);
  return lintHook({ hook, program: programOf(hook.handler, place) }).map(({ rule }) => rule);
}

describe('a hook', () => {
  it.each([
    ['"$CLAUDE_PROJECT_DIR"/guard.py', []],
    [`"${braces('CLAUDE_PROJECT_DIR')}/guard.py" --strict`, []],
    ['./guard.py', []],
    ['MODE=x exec ./guard.py', []],
    ['DIR=$CLAUDE_PROJECT_DIR; true', []],
    ['sh plain.sh', []],
    ['sh -c "echo hi"', []],
    ['test -f x && ./absent.sh', []],
    ['"$SOME_TOOL" --check', []],
    ['cat', []],
    ['./plain.sh', ['not-executable']],
    ['./absent.sh', ['missing-file']],
    ['~/absent.sh', ['missing-file']],
    ['sh -e plain.sh', []],
    ['node --require ./hook.cjs plain.sh', []],
    ['perl -I lib absent.pl', []],
    ['env -i ./absent.sh', []],
    ['command -v jq', []],
    ['~somebody/x.sh', []],
    ['sh absent.sh', ['missing-file']],
    ['python3 -u absent.py', ['missing-file']],
    ['no-such-program-here --x', ['not-on-path']],
    ['$CLAUDE_PROJECT_DIR/guard.py', ['unquoted-project-dir']],
    ["'$CLAUDE_PROJECT_DIR'/guard.py", ['missing-file', 'unquoted-project-dir']],
    ['echo a; $HOOKD_PROJECT_DIR/guard.py', ['unquoted-project-dir']],
  ])('whose command is %s: %j', (command, rules) => {
    expect(rulesFor(command)).toEqual(rules);
  });

  it.each([
    [braces('CLAUDE_PROJECT_DIR', '/guard.py'), ['--strict'], []],
    ['bash', ['-c', 'a && b'], []],
    ['./guard.py --strict', ['x'], ['args-with-shell-string']],
    ['cat', ['x', '|', 'y'], ['args-with-shell-string']],
    ['cat', ['$CLAUDE_PROJECT_DIR/x'], ['args-with-shell-string']],
    ['cat', ['~/x'], ['args-with-shell-string']],
  ])('whose command is %s with arguments %j: %j', (command, args, rules) => {
    expect(rulesFor(command, { args })).toEqual(rules);
  });

  it.each([
    ['a long timeout', { timeoutMs: 900_000 }, ['long-timeout']],
    ['a timeout in milliseconds', { timeoutMs: 5_000_000 }, ['timeout-in-ms']],
    ['ten minutes', { timeoutMs: 600_000 }, []],
    ['a gate that nobody waits for', { isAsync: true }, ['async-gate']],
    ['a notice that nobody waits for', { isAsync: true, event: 'PostToolUse' as HookEvent }, []],
    ['ask, for Claude Code too', { onFailure: 'ask' as const, source: claudes() }, ['ask-for-claude-code']],
    ['block, for Claude Code too', { onFailure: 'block' as const, source: claudes() }, []],
    ['ask in a file of ours', { onFailure: 'ask' as const }, []],
  ])('with %s', (_, changes, rules) => {
    expect(rulesFor('true', changes)).toEqual(rules);
  });
});

function claudes(): Hook['source'] {
  return { file: '/p/.claude/settings.json', line: 1, column: 1, scope: 'project', dialect: 'claude' };
}

function found(text: string, changes: Partial<ScriptInHand> = {}): readonly string[] {
  return lintScript({
    ...{ file: '/p/x.sh', text, firstLine: 1, isInSettings: false, isStartedItself: true },
    uses: [{ event: 'PreToolUse', onFailure: undefined }],
    canStart: (program) => program !== 'ruby9' && program !== '/opt/none',
    ...changes,
  }).map(({ rule, line }) => `${rule} ${line}`);
}

describe('a program', () => {
  it.each([
    ['CR LF after #!', '#!/bin/sh\r\nexit 0\r\n', ['crlf-shebang 1']],
    ['a mark before #!', '\ufeff#!/bin/sh\n', ['bom-before-shebang 1']],
    ['an interpreter that is not there', '#!/usr/bin/env -S ruby9 -w\n', ['missing-interpreter 1']],
    ['an absolute interpreter that is not there', '#!/opt/none\n', ['missing-interpreter 1']],
    ['exit 1 alone', '#!/bin/sh\n# exit 2\ngrep -q x && exit 1\n', ['exit-1-blocks-nothing 3']],
    ['a text as exit code', '#!/usr/bin/env python3\nsys.exit("no")\n', ['exit-1-blocks-nothing 2']],
    ['exit 1 and exit 2', '#!/bin/sh\n[ x ] || exit 1\nexit 2\n', []],
    ['an exit code that is worked out', '#!/bin/sh\n[ x ] || exit 1\nexit "$code"\n', []],
    ['exit 1 beside a decision', '#!/bin/sh\n[ x ] || exit 1\necho \'{"decision":"block"}\'\n', []],
    ['a key at the top', '#!/bin/sh\n\necho \'{"permissionDecision":"deny"}\'\n', ['key-in-wrong-place 3']],
    ['a key at the top, escaped', '#!/bin/sh\necho "{\\"updatedInput\\": {}}"\n', ['key-in-wrong-place 2']],
    [
      'one key at the top, another inside',
      '#!/bin/sh\necho \'{"permissionDecision":"deny"}\'\necho \'{"hookSpecificOutput":{"permissionDecision":"deny"}}\'\n',
      ['key-in-wrong-place 2'],
    ],
    [
      'a key that is put inside later',
      '#!/usr/bin/env python3\nanswer = {"permissionDecision": "deny"}\nprint(json.dumps({"hookSpecificOutput": {**answer}}))\n',
      [],
    ],
    [
      'the name of another event',
      '#!/bin/sh\necho \'{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny"}}\'\n',
      ['other-event-name 2'],
    ],
    [
      'a decision inside, for another event than PermissionRequest',
      '#!/bin/sh\necho \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","decision":{"behavior":"block"}}}\'\n',
      ['key-in-wrong-place 2'],
    ],
    [
      'a decision inside, before its event',
      '#!/usr/bin/env node\nconsole.log(JSON.stringify({\n  hookSpecificOutput: { decision: "block", reason: "no" },\n}))\n',
      ['key-in-wrong-place 3'],
    ],
    [
      'a decision inside, escaped',
      '#!/bin/sh\necho "{\\"hookSpecificOutput\\": {\\"hookEventName\\": \\"PreToolUse\\", \\"decision\\": \\"block\\"}}"\n',
      ['key-in-wrong-place 2'],
    ],
    [
      'a decision inside for PermissionRequest, whose name it has, too',
      '#!/bin/sh\necho \'{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}}\'\necho \'{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}\'\n',
      [],
    ],
  ])('with %s', (_, text, rules) => {
    expect(found(text)).toEqual(rules);
  });

  it('that is given to an interpreter may begin as it likes', () => {
    expect(found('#!/opt/none\r\n', { isStartedItself: false })).toEqual([]);
    expect(found('import json\n', { file: '/p/x.py', isStartedItself: false })).toEqual([]);
    expect(found('import json\n', { file: '/p/x.py' })).toEqual(['no-shebang 1']);
  });

  it('prints a decision where its event has one', () => {
    const on = (event: HookEvent) => ({ uses: [{ event, onFailure: undefined }] });
    const inside = (keys: string) => `echo '{"hookSpecificOutput":{${keys}}}'`;
    expect(found(inside('"permissionDecision":"deny"'), on('PostToolUse'))).toEqual(['key-in-wrong-place 1']);
    expect(found(inside('"permissionDecision":"deny"'), on('PermissionRequest'))).toEqual([
      'key-in-wrong-place 1',
    ]);
    expect(found(inside('"permissionDecision":"deny"'), { uses: [] })).toEqual([]);
    expect(found(inside('"decision":{"behavior":"deny"}'), on('PermissionRequest'))).toEqual([]);
    expect(found(inside('"decision":{"behavior":"deny"}'), on('PostToolUse'))).toEqual([
      'key-in-wrong-place 1',
    ]);
    expect(found(`echo '{"decision":{"behavior":"deny"}}'`, on('PermissionRequest'))).toEqual([
      'key-in-wrong-place 1',
    ]);
    expect(found(`echo '{"decision":"block"}'`, on('PostToolUse'))).toEqual([]);
    expect(found(`. ./lib.sh; respond '{"decision":{}}'`, on('PermissionRequest'))).toEqual([]);
  });

  it('may exit with 1 where that refuses, and where nothing is to be refused', () => {
    expect(found('exit 1', { uses: [{ event: 'PreToolUse', onFailure: 'block' }] })).toEqual([]);
    expect(found('exit 1', { uses: [{ event: 'PostToolUse', onFailure: undefined }] })).toEqual([]);
    expect(found('exit 2', { uses: [{ event: 'PermissionRequest', onFailure: undefined }] })).toEqual([
      'exit-2-without-effect 1',
    ]);
  });

  it('that is shipped gives no cause', () => {
    const folder = resolve(import.meta.dirname, '../../hooks');
    const names = readdirSync(folder).filter((name) => /\.(?:py|sh|pl|mjs)$/.test(name));
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) {
      const text = readFileSync(join(folder, name), 'utf8');
      const [, events = ''] = /^(?:#|\/\/) Event: (.*)$/m.exec(text) ?? [];
      const uses = events.split(', ').map((event) => ({ event: event as HookEvent, onFailure: undefined }));
      const isStartedItself = text.startsWith('#!');
      expect(events === '' ? [] : found(text, { file: join(folder, name), isStartedItself, uses })).toEqual(
        [],
      );
    }
  });
});
