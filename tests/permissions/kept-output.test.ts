/** The one thing in $HOOKD_HOME that the agent may read: what this session's own commands printed. */
import { describe, expect, test } from 'vitest';
import type { PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { decide, newestDenial } from '../../src/permissions/decide.ts';
import { bash, callOf, edit, filesOf, glob, hookSays, permissionsOf, read, write } from './scene.ts';

const OUTPUTS = '/home/u/.hookd/sessions/s1/outputs';
const KEPT = `${OUTPUTS}/toolu_1.txt`;
const FILES = filesOf(
  [
    KEPT,
    `${OUTPUTS}/sub/toolu_1.txt`,
    '/home/u/.hookd/sessions/s1/s1.jsonl',
    '/home/u/.hookd/sessions/s2/outputs/toolu_1.txt',
    '/home/u/.hookd/settings.json',
    '/work/proj/f.txt',
  ],
  {
    [`${OUTPUTS}/toolu_2.txt`]: '/home/u/.hookd/settings.json',
    [`${OUTPUTS}/toolu_3.txt`]: KEPT,
    '/work/proj/shortcut': OUTPUTS,
    '/home/u/.hookd/sessions/s3': '/home/u/.hookd/sessions/s1',
  },
);

interface Asked {
  readonly rules?: Parameters<typeof permissionsOf>[0];
  readonly mode?: PermissionMode;
  readonly hook?: ReturnType<typeof hookSays>;
}

function judge(call: ToolCall, { rules = {}, mode = 'default', hook }: Asked = {}) {
  const permissions = { ...permissionsOf(rules), mode, keptOutputs: OUTPUTS };
  return decide({ permissions, call, files: FILES, hook });
}

test.each<PermissionMode>(['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'])(
  'Read shows it in mode %s',
  (mode) => {
    const { behavior, target } = judge(read(KEPT), { mode });
    expect({ behavior, target }).toEqual({ behavior: 'allow', target: KEPT });
  },
);

test('the decision names the exception', () => {
  expect(judge(read(KEPT)).cause).toEqual({ kind: 'builtin', name: 'kept-output' });
});

describe('what the user says comes first', () => {
  test.each([
    ['a deny rule', { rules: { deny: ['Read(~/.hookd/**)'] } }, 'deny'],
    ['a deny rule for the whole tool', { rules: { deny: ['Read'] } }, 'deny'],
    ['an ask rule', { rules: { ask: ['Read(//home/u/.hookd/sessions/**)'] } }, 'ask'],
    ['a hook that asks', { hook: hookSays('ask') }, 'ask'],
  ] as const)('%s', (_, asked, behavior) => {
    expect(judge(read(KEPT), asked).behavior).toBe(behavior);
  });

  test('a deny rule that is saved while somebody thinks about it', () => {
    const permissions = { ...permissionsOf({ deny: ['Read(~/.hookd/**)'] }), keptOutputs: OUTPUTS };
    expect(newestDenial({ permissions, call: read(KEPT), files: FILES })?.behavior).toBe('deny');
  });
});

const readsBy = (name: string) =>
  callOf(name, { kind: 'path', access: 'read', path: KEPT }, { file_path: KEPT }, true);

test.each<[string, ToolCall]>([
  ['a write', write(KEPT)],
  ['a new file beside it', write(`${OUTPUTS}/toolu_9.txt`)],
  ['an edit', edit(KEPT)],
  ['a list of the directory', glob(OUTPUTS)],
  ['a list by its name', glob(KEPT)],
  ['the directory', read(OUTPUTS)],
  ['another name', read(`${OUTPUTS}/toolu_1.jsonl`)],
  ['a hidden name', read(`${OUTPUTS}/.txt`)],
  ['a directory below', read(`${OUTPUTS}/sub/toolu_1.txt`)],
  ['another session', read('/home/u/.hookd/sessions/s2/outputs/toolu_1.txt')],
  ['the transcript', read('/home/u/.hookd/sessions/s1/s1.jsonl')],
  ['a slash behind the name', read(`${KEPT}/`)],
  ['two slashes before it', read(`${OUTPUTS}//toolu_1.txt`)],
  ['a way up', read(`${OUTPUTS}/../s1.jsonl`)],
  ['a way up and back', read(`${OUTPUTS}/../outputs/toolu_1.txt`)],
  ['a link in the directory to the settings', read(`${OUTPUTS}/toolu_2.txt`)],
  ['a link in the directory to another output', read(`${OUTPUTS}/toolu_3.txt`)],
  ['a link to the directory', read('/work/proj/shortcut/toolu_1.txt')],
  ['a link to the session', read('/home/u/.hookd/sessions/s3/outputs/toolu_1.txt')],
  ['another case', read(KEPT.toUpperCase().replace('/HOME/U/.HOOKD', '/home/u/.hookd'))],
  ['another tool that reads', readsBy('Grep')],
  ['a tool with nearly that name', readsBy('read')],
  ['cat', bash(`cat ${KEPT}`)],
  ['grep', bash(`grep x ${OUTPUTS}/*`)],
  ['a copy', bash(`cp ${KEPT} .`)],
  ['a link from the workspace', bash(`ln -s ${KEPT} kept.txt`)],
])('%s is denied in every mode, whatever is allowed', (_, call) => {
  for (const mode of ['default', 'bypassPermissions'] as const) {
    const rules = { allow: ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep'] };
    const { behavior, cause } = judge(call, { rules, mode, hook: hookSays('allow') });
    expect([behavior, cause]).toEqual(['deny', { kind: 'builtin', name: 'hookd-home' }]);
  }
});

test('outside a session there is no exception', () => {
  const { behavior } = decide({ permissions: permissionsOf({}), call: read(KEPT), files: FILES });
  expect(behavior).toBe('deny');
});
