/** The agent's own commands and hooks must not decide for the person. Best effort: the gate's guard is what stands first. */
import { HookdError } from '../core/errors.ts';

/** Throws AGENT_REFUSED where the environment says that a tool or a hook of hookd has started this process. */
export function refuseInsideAgent(env: Readonly<Record<string, string | undefined>>, what: string): void {
  if (env['CLAUDECODE'] !== '1' || !env['HOOKD_PROJECT_DIR']) return;
  throw new HookdError(
    'AGENT_REFUSED',
    `"hookd ${what}" is for a person: it was started by a command or a hook of the agent (CLAUDECODE and HOOKD_PROJECT_DIR are set).`,
  );
}
