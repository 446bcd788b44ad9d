/** Hooks of one occasion: what they share, and what they must not. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { SessionId } from '../../src/core/vocabulary.ts';
import { Background } from '../../src/hooks/background.ts';
import { runHooks } from '../../src/hooks/dispatch.ts';
import type { Hook, HookScope } from '../../src/hooks/hook.ts';
import type { HookHost } from '../../src/hooks/host.ts';
import { commandHook, hostIn } from './hooks.ts';

let root: string;
let trail: Trail;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-dispatch-')));
  trail = new Trail(AuditWriter.create(join(root, 'audit', 'w'))).forSession('s' as SessionId);
});
afterEach(async () => {
  await trail.close();
  rmSync(root, { recursive: true, force: true });
});

const occasion = { event: 'PreToolUse', subject: 'Bash', fields: { tool_name: 'Bash' } } as const;

function run(hooks: readonly Hook[], environmentOf: HookHost['environmentOf'] = hostIn(root).environmentOf) {
  const host: HookHost = {
    ...hostIn(root),
    environmentOf,
    promptId: () => undefined,
    catchUp: () => {},
    transcriptPath: () => join(root, 'transcript.jsonl'),
    envFile: join(root, 'env'),
    current: () => ({ digest: '', hooks: { hooks: [] }, permissionMode: 'default' }),
    settle: () => Promise.resolve(host.current()),
    background: new Background(),
    watch: () => undefined,
    tell: () => undefined,
  };
  return runHooks(trail, host, occasion, hooks, new AbortController().signal);
}

function from(scope: HookScope, command: string): Hook {
  const hook = commandHook(command);
  return { ...hook, source: { ...hook.source, scope } };
}

test('hooks that start at once get the environment of their scope, which is made once; the next occasion makes its own', async () => {
  const asked: HookScope[] = [];
  const environmentOf = (scope: HookScope) => {
    asked.push(scope);
    return { ...hostIn(root).environmentOf(scope), SCOPE: `${scope} ${asked.length}` };
  };
  const hooks = ['user', 'project', 'user'].map((scope, n) =>
    from(scope as HookScope, `printf %s "$SCOPE" > ${n}`),
  );
  const left = () => hooks.map((_, n) => readFileSync(join(root, String(n)), 'utf8'));
  await run(hooks, environmentOf);
  expect([asked, left()]).toEqual([
    ['user', 'project'],
    ['user 1', 'project 2', 'user 1'],
  ]);
  await run(hooks, environmentOf);
  expect([asked.slice(2), left()]).toEqual([
    ['user', 'project'],
    ['user 3', 'project 4', 'user 3'],
  ]);
});

test('what one hook does to its payload, no other reads', async () => {
  await run([
    commandHook('printf "{}" > /dev/stdin; : > tampered'),
    commandHook('until [ -e tampered ]; do read -t 0.01 < /dev/null; done; cat > read'),
  ]);
  expect(JSON.parse(readFileSync(join(root, 'read'), 'utf8'))).toMatchObject({ tool_name: 'Bash' });
});
