/** The hooks' side of one session: which are in force, what they are given, what the agent's commands are given. */
import type { Trail } from '../audit/trail.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { SessionId, Workplace } from '../core/vocabulary.ts';
import { Background } from '../hooks/background.ts';
import { readEnvFile } from '../hooks/env-file.ts';
import { fire } from '../hooks/fire.ts';
import type { HookScope } from '../hooks/hook.ts';
import type { HookHost } from '../hooks/host.ts';
import { childEnvironment } from '../lib/child-env.ts';
import { variablesFor } from '../settings/environment.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import type { SessionHome } from './session-home.ts';

export interface HookHostOptions {
  readonly id: SessionId;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workplace: Workplace;
  readonly home: SessionHome;
  readonly snapshot: () => SettingsSnapshot;
  readonly promptId: () => string | undefined;
  readonly tell: (text: string) => void;
  readonly watch: (event: SessionEvent) => void;
}

export function makeHookHost(options: HookHostOptions): HookHost {
  const { id, env, workplace, home, snapshot, promptId, tell, watch } = options;
  return {
    sessionId: id,
    promptId,
    workplace,
    transcriptPath: home.transcript,
    sessionDir: home.shared,
    envFile: home.envFile,
    environmentOf: (scope: HookScope) => environmentFor(scope, env, workplace, snapshot()),
    current: () => {
      const { digest, hooks, permissions } = snapshot();
      return { digest, hooks, permissionMode: permissions.mode };
    },
    background: new Background(),
    tell,
    watch,
  };
}

/** The agent's commands also get what SessionStart hooks left for them. */
export function toolEnvironment({
  env,
  workplace,
  home,
  snapshot,
}: HookHostOptions): Readonly<Record<string, string>> {
  const set = { ...variablesFor('tools', snapshot().env), ...readEnvFile(home.envFile) };
  return childEnvironment({ ...env, ...set }, { projectDir: workplace.project });
}

function environmentFor(
  scope: HookScope,
  env: HookHostOptions['env'],
  { project }: Workplace,
  { env: set }: SettingsSnapshot,
): Readonly<Record<string, string>> {
  return childEnvironment({ ...env, ...variablesFor(scope, set) }, { projectDir: project });
}

/**
 * ConfigChange: the hooks that were in force before are told of a change that is on record, so that none escapes notice
 * by removing them. Refusing a change is not supported yet.
 */
export function tellOfChange(
  trail: Trail,
  host: HookHost,
  before: SettingsSnapshot,
  scope: string,
  path: string,
): void {
  const source =
    {
      managed: 'policy_settings',
      user: 'user_settings',
      project: 'project_settings',
      local: 'local_settings',
    }[scope] ?? 'flag_settings';
  const occasion = { event: 'ConfigChange', subject: source, fields: { source, file_path: path } } as const;
  const { digest, hooks, permissions } = before;
  const then = { ...host, current: () => ({ digest, hooks, permissionMode: permissions.mode }) };
  const { background } = host;
  // Not at once: the change is in force only when those who record it have returned; to ask for it now would find it again.
  background.add(
    Promise.resolve()
      .then(() => fire(trail, then, occasion, undefined, background.signal))
      .then(() => undefined),
  );
}
