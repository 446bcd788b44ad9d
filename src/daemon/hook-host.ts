/** The hooks' side of one session: which are in force, and what they are given. */
import type { Trail } from '../audit/trail.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { SessionId, Workplace } from '../core/vocabulary.ts';
import { Background } from '../hooks/background.ts';
import type { Judged } from '../hooks/dispatch.ts';
import { fire } from '../hooks/fire.ts';
import { HOOK_SCOPES, type Hook, type HookScope, hookRef } from '../hooks/hook.ts';
import type { HookHost, HookSettings } from '../hooks/host.ts';
import { selectHooks } from '../hooks/match.ts';
import { childEnvironment } from '../lib/child-env.ts';
import { variablesFor } from '../settings/environment.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { withoutScrubbed } from '../settings/restrictions.ts';
import type { ChangeReview, Refusal } from '../settings/withheld.ts';
import type { SessionHome } from './session-home.ts';

export interface HookHostOptions {
  readonly id: SessionId;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workplace: Workplace;
  readonly home: SessionHome;
  readonly snapshot: () => SettingsSnapshot;
  readonly settle: (signal: AbortSignal) => Promise<SettingsSnapshot>;
  /** When it returns, the transcript's file holds all that has been said. */
  readonly catchUp: () => void;
  readonly promptId: () => string | undefined;
  readonly tell: (text: string) => void;
  readonly watch: (event: SessionEvent) => void;
}

export function makeHookHost(options: HookHostOptions): HookHost {
  const { id, env, workplace, home, snapshot, settle, catchUp, promptId, tell, watch } = options;
  return {
    sessionId: id,
    promptId,
    workplace,
    catchUp,
    transcriptPath: () => {
      catchUp();
      return home.transcript;
    },
    sessionDir: home.shared,
    envFile: home.envFile,
    environmentOf: (scope: HookScope) => environmentFor(scope, env, workplace, snapshot()),
    current: () => forHooks(snapshot()),
    settle: async (signal) => forHooks(await settle(signal)),
    background: new Background(),
    tell,
    watch,
  };
}

function forHooks({ digest, hooks, permissions }: SettingsSnapshot): HookSettings {
  return { digest, hooks, permissionMode: permissions.mode };
}

function environmentFor(
  scope: HookScope,
  env: HookHostOptions['env'],
  { project }: Workplace,
  { env: set, scrubEnv }: SettingsSnapshot,
): Readonly<Record<string, string>> {
  const all = { ...env, ...variablesFor(scope, set) };
  return childEnvironment(withoutScrubbed(all, scope, scrubEnv), { projectDir: project });
}

/**
 * ConfigChange: the hooks that were in force before are told of each change, so that none escapes notice by removing
 * them. Those with as much authority as the file, or more, may refuse it; what an administrator sets nobody refuses.
 */
export function reviewByHooks(trail: Trail, host: () => HookHost | undefined): ChangeReview {
  return {
    waitsFor: ({ before, scope }) =>
      host() !== undefined && told(before, scope).some((hook) => mayRefuse(hook, scope)),
    ask: async ({ before, scope, file }) => {
      const now = host();
      if (now === undefined) return undefined;
      const source = sourceNamed(scope);
      const occasion = {
        event: 'ConfigChange',
        subject: source,
        fields: { source, file_path: file },
      } as const;
      const then = { ...now, current: () => forHooks(before) };
      const { background } = now;
      // Not at once: those who found the change have yet to put it in force, or to withhold it.
      const judged = Promise.resolve().then(() => fire(trail, then, occasion, undefined, background.signal));
      background.add(judged.then(() => undefined));
      return refusalBy(await judged, scope, file, now);
    },
  };
}

function sourceNamed(scope: string): string {
  const names: Readonly<Record<string, string>> = {
    managed: 'policy_settings',
    user: 'user_settings',
    project: 'project_settings',
    local: 'local_settings',
  };
  return names[scope] ?? 'flag_settings';
}

/** A hook of this event that has a condition never runs: there is no call that it could be about. */
function told({ hooks }: SettingsSnapshot, scope: string): readonly Hook[] {
  return selectHooks(hooks.hooks, 'ConfigChange', sourceNamed(scope)).filter(({ condition }) => !condition);
}

function mayRefuse({ isAsync, source }: Hook, scope: HookScope): boolean {
  return !isAsync && scope !== 'managed' && HOOK_SCOPES.indexOf(source.scope) <= HOOK_SCOPES.indexOf(scope);
}

function refusalBy(
  judged: readonly Judged[],
  scope: HookScope,
  file: string,
  { tell }: HookHost,
): Refusal | undefined {
  const blocks = judged.filter(({ outcome }) => outcome.verdict === 'block');
  const counting = blocks.find(({ hook }) => mayRefuse(hook, scope));
  if (counting !== undefined)
    return { by: hookRef(counting.hook), reason: counting.outcome.reason ?? 'no reason was given' };
  for (const { hook } of blocks) {
    const { name } = hookRef(hook);
    tell(`ConfigChange hook ${name} cannot refuse a change of ${file}, which has more authority; ignored.`);
  }
  return undefined;
}
