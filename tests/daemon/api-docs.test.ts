/** Every example of docs/api.md does what the page says, with curl, against a real daemon. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { PendingApproval } from '../../src/core/protocol.ts';
import { startTestDaemon } from '../support/daemon.ts';
import { modelScript, until } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/api.md'), 'utf8');

interface Example {
  readonly command: string;
  /** What stands below it, if anything. */
  readonly shown: { readonly language: string; readonly text: string } | undefined;
}

const EXAMPLES: readonly Example[] = [
  ...PAGE.matchAll(/```sh\n(curl[^`]*)```\n(?:```(json|text)\n([^`]*)```)?/g),
].map(([, command = '', language, shown = '']) => ({
  command,
  shown: language === undefined ? undefined : { language, text: shown },
}));

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The names of all fields, and what holds them; values are those of another day. */
function shapeOf(value: unknown, depth = 2): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => shapeOf(one, depth));
  if (typeof value !== 'object' || value === null || depth === 0) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, shapeOf(inner, depth - 1)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe.skipIf(!hasCurl)('docs/api.md (skipped where there is no curl)', () => {
  it('shows what happens', async () => {
    const daemon = await startTestDaemon({ settings: { permissions: { ask: ['Bash(git push *)'] } } });
    const variables: Record<string, string> = {
      ...daemon.workspace.env,
      SOCK: daemon.served.socket,
      PROJECT: daemon.workspace.project,
      SCRIPT: modelScript(daemon.workspace, [[toolUse('Bash', { command: 'touch hello' })], [text('done')]]),
    };
    let isStopped = false;
    try {
      expect(EXAMPLES.length).toBeGreaterThan(9);
      for (const { command, shown } of EXAMPLES) {
        if (command.includes('/v1/approvals') && variables['APPROVAL'] === undefined) {
          let waiting: readonly PendingApproval[] = [];
          while (waiting.length === 0) waiting = await daemon.connection.approvals();
          variables['APPROVAL'] = waiting[0]?.id ?? '';
          variables['DIGEST'] = waiting[0]?.inputDigest ?? '';
        }
        const isStream = command.includes('curl -sN');
        const said = isStream ? await headOfStream(command, variables) : await run(command, variables);
        if (shown?.language === 'json')
          expect(shapeOf(JSON.parse(said)), command).toEqual(shapeOf(JSON.parse(shown.text)));
        if (shown?.language === 'text') expect(said.split('\n\n')[0], command).toBe(shown.text.trim());
        if (shown === undefined && !isStream) expect(said, command).toBe('');
        if (command.includes('/v1/sessions ')) variables['SESSION'] = JSON.parse(said).id;
        isStopped ||= command.includes('/v1/daemon/stop');
      }
      expect(isStopped).toBe(true);
      await daemon.served.stopped;
    } finally {
      await daemon.stop();
    }
  });
});

async function run(command: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env });
  return stdout.trimEnd();
}

/** What a stream says first, or that it has begun. */
async function headOfStream(command: string, env: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['-c', `exec ${command.replace('curl -sN', 'curl -siN')}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  const closed = new Promise((done) => child.on('close', done));
  const blocks = () => said.split('\r\n\r\n')[1]?.split('\n\n').slice(1) ?? [];
  const isWhole = () =>
    said.includes('text/event-stream') && blocks().length > (command.includes('after=0') ? 1 : 0);
  await until(isWhole, `the beginning of ${command}`);
  child.kill();
  await closed;
  return blocks().join('\n\n');
}
