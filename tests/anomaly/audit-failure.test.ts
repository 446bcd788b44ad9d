/** When the audit log fails, nothing runs: every way a file can fail, on real files and file systems. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listSegments, listWriters, readRecords } from '../../src/audit/read.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { auditRecords, hookd, makeWorkspace, modelScript, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { type MessagesApi, startMessagesApi } from '../support/messages-api.ts';

const ALLOW_TOUCH = { settings: { permissions: { allow: ['Bash(touch:*)'] } } };

let api: MessagesApi | undefined;
const mounts: string[] = [];

afterEach(async () => {
  await api?.close();
  api = undefined;
  for (const path of mounts.splice(0)) spawnSync('umount', [path]);
});

/** Mounting takes root; elsewhere these cases cannot run, and say so. */
const canMount = ((): boolean => {
  const { root } = makeWorkspace();
  const path = join(root, 'try');
  mkdirSync(path);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'hookd-test', path]).status === 0;
  if (mounted) execFileSync('umount', [path]);
  else console.warn('not run: the cases on a small and on a read-only file system need the right to mount');
  return mounted;
})();

function mountTmpfs(path: string, options: string): void {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'hookd-test', path]);
  mounts.push(path);
}

/** Each touch leaves a mark: marks are compared with permits on record. */
function marksOf(workspace: Workspace): readonly string[] {
  return readdirSync(workspace.project)
    .filter((name) => name.startsWith('mark-'))
    .sort();
}

describe.skipIf(!canMount)('on a file system', () => {
  it('that is full, the call does not run: exit 4, a clear line, and every effect has its permit on record', async () => {
    const workspace = makeWorkspace(ALLOW_TOUCH);
    mountTmpfs(join(workspace.home, 'audit'), 'size=64k');
    const turns = Array.from({ length: 400 }, (_, n) => [toolUse('Bash', { command: `touch mark-${n}` })]);
    const { code, stderr, stdout } = await hookd(workspace, [
      '-p',
      'go',
      '--max-turns',
      '1000',
      '--output-format',
      'json',
      '--model-script',
      modelScript(workspace, turns),
    ]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^hookd: AUDIT_UNAVAILABLE: .*(ENOSPC|audit\.floor)/m);
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      result: expect.stringMatching(/ENOSPC|audit\.floor/),
    });
    const marks = marksOf(workspace);
    expect(marks.length).toBeGreaterThan(5);
    expect(marks.length).toBeLessThan(400);
    const records = auditRecords(workspace);
    const permitted = records.filter(
      (record) => record.kind === 'permission' && record['decision'] === 'allow',
    ).length;
    expect(permitted).toBeGreaterThanOrEqual(marks.length);
    expect(verifyAll(join(workspace.home, 'audit')).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it('that is read-only, nothing starts: exit 4 and a clear line', async () => {
    const workspace = makeWorkspace(ALLOW_TOUCH);
    mountTmpfs(join(workspace.home, 'audit'), 'ro,size=64k');
    const { code, stderr } = await hookd(workspace, [
      '-p',
      'go',
      '--model-script',
      modelScript(workspace, [[toolUse('Bash', { command: 'touch mark-1' })]]),
    ]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^hookd: AUDIT_UNAVAILABLE: .*EROFS/);
    expect(marksOf(workspace)).toEqual([]);
  });
});

describe('between two calls, an audit file', () => {
  const ways: readonly [string, (file: string) => void][] = [
    ['is removed', (file) => rmSync(file)],
    [
      'is replaced',
      (file) => {
        const bytes = readFileSync(file);
        renameSync(file, `${file}.old`);
        writeFileSync(file, bytes);
      },
    ],
    ['is truncated', (file) => truncateSync(file, 10)],
    ['is written to', (file) => appendFileSync(file, '{}\n')],
    ['goes with its directory', (file) => rmSync(join(file, '..'), { recursive: true })],
  ];

  it.each(ways)('%s: the next call does not run, exit 4', async (_, change) => {
    api = await startMessagesApi([
      [toolUse('Bash', { command: 'touch mark-1' }, 'u1')],
      () => {
        const audit = join(workspace.home, 'audit');
        const [writer = ''] = readdirSync(audit);
        change(join(audit, writer, '000001.jsonl'));
        return [toolUse('Bash', { command: 'touch mark-2' }, 'u2')];
      },
      [text('never')],
    ]);
    const workspace = makeWorkspace({
      ...ALLOW_TOUCH,
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: api.url },
    });
    const { code, stderr } = await hookd(workspace, ['-p', 'go']);
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 4, lines: 2 });
    expect(stderr).toMatch(/^hookd: AUDIT_TAMPERED: The audit file .* while it was open\./);
    expect(marksOf(workspace)).toEqual(['mark-1']);
    expect(api.requests).toHaveLength(2);
  });
});

it('a call whose permit was on record when the log failed is said to be open by the next start, once', async () => {
  api = await startMessagesApi([
    () => {
      const audit = join(workspace.home, 'audit');
      const [writer = ''] = readdirSync(audit);
      appendFileSync(join(audit, writer, '000001.jsonl'), 'x');
      return [toolUse('Bash', { command: 'touch mark-1' }, 'u1')];
    },
    [text('a')],
    [text('b')],
  ]);
  const workspace = makeWorkspace({
    ...ALLOW_TOUCH,
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: api.url },
  });
  expect(await hookd(workspace, ['-p', 'go'])).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^hookd: AUDIT_TAMPERED/),
  });
  expect(marksOf(workspace)).toEqual([]);
  for (let start = 0; start < 2; start++) expect((await hookd(workspace, ['-p', 'again'])).code).toBe(0);
  const audit = join(workspace.home, 'audit');
  const reports = listWriters(audit).map((writer) => {
    const records = listSegments(join(audit, writer)).flatMap(({ path }) => [...readRecords(path)]);
    return records.filter(({ kind }) => kind === 'outcome_unknown').map((record) => record.tool_use_id);
  });
  expect(reports).toEqual([[], ['u1'], []]);
  expect(verifyAll(audit).map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);
});

it('where the audit directory is a link, nothing starts, and what it names is left alone', async () => {
  const workspace = makeWorkspace(ALLOW_TOUCH);
  const elsewhere = join(workspace.root, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o755 });
  symlinkSync(elsewhere, join(workspace.home, 'audit'));
  const script = modelScript(workspace, [[toolUse('Bash', { command: 'touch mark-1' })]]);
  const { code, stderr } = await hookd(workspace, ['-p', 'go', '--model-script', script]);
  expect({ code, marks: marksOf(workspace) }).toEqual({ code: 4, marks: [] });
  expect(stderr).toMatch(/^hookd: AUDIT_UNAVAILABLE: .*behind no link/);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o755);
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('a project cannot move the audit log: the file of a project is not asked', async () => {
  const workspace = makeWorkspace({ projectSettings: { audit: { directory: '/dev/null' } } });
  const { code } = await hookd(workspace, [
    '-p',
    'go',
    '--model-script',
    modelScript(workspace, [[text('ok')]]),
  ]);
  expect(code).toBe(0);
  expect(existsSync(join(workspace.home, 'audit'))).toBe(true);
  expect(auditRecords(workspace).length).toBeGreaterThan(5);
});
