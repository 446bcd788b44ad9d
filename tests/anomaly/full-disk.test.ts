/** The disk under the audit log is full: for real, on a small file system, while a hook answers. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { verifyAll } from '../../src/audit/verify.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { auditRecords, makeWorkspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

const mounts: string[] = [];
afterEach(() => {
  for (const path of mounts.splice(0)) spawnSync('umount', [path]);
});

function mount(path: string, options: string): boolean {
  mkdirSync(path, { recursive: true });
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'hookd-test', path]).status === 0;
  if (isMounted) mounts.push(path);
  return isMounted;
}

const canMount = mount(join(makeWorkspace().root, 'try'), 'size=64k');
if (!canMount) console.warn('not run: a full disk while a hook answers needs the right to mount');

it.skipIf(!canMount)(
  'a hook that fills the disk while it runs: the call does not run, the session stops, and goes on when there is room',
  async () => {
    const fill =
      'if [ -e fill ]; then rm fill; cat /dev/zero > "$HOOKD_TEST_FILLER" 2> /dev/null; fi; exit 0';
    const workspace = makeWorkspace({
      settings: {
        permissions: { allow: ['Bash(touch *)'] },
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: fill }] }] },
      },
      files: { fill: '' },
    });
    const audit = join(workspace.home, 'audit');
    expect(mount(audit, 'size=256k')).toBe(true);
    const filler = join(audit, 'filler');
    const daemon = await Daemon.open({ env: { ...workspace.env, HOOKD_TEST_FILLER: filler } });
    const session = await daemon.startSession({
      startDirectory: workspace.project,
      flags: {},
      approvals: nobody,
      model: {
        model: createScriptedModel([
          [toolUse('Bash', { command: 'touch mark-1' })],
          [toolUse('Bash', { command: 'touch mark-2' })],
          [text('ok')],
        ]),
        name: 'scripted',
      },
      onEvent: () => {},
    });
    const prompt = () => session.prompt('go', new AbortController().signal);
    await expect(prompt()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(existsSync(filler)).toBe(true);
    await expect(prompt()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    const marks = () => readdirSync(workspace.project).filter((name) => name.startsWith('mark-'));
    expect(marks()).toEqual([]);

    rmSync(filler);
    expect(await prompt()).toMatchObject({ reason: 'completed' });
    expect(marks()).toEqual(['mark-2']);
    await daemon.close('test');
    expect(verifyAll(audit).map(({ problem }) => problem)).toEqual([undefined]);
    const kinds = auditRecords(workspace).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'tool_started')).toHaveLength(1);
    expect(execFileSync('ls', [audit], { encoding: 'utf8' })).not.toContain('filler');
  },
);
