/** A daemon of the built hookd, for tests that drive its commands: they speak to no other version. */
import { type Connection, connectAnyVersion } from '../../src/cli/connection.ts';
import type { SessionClient } from '../../src/core/protocol.ts';
import { makeWorkspace, modelScript, startHookd, type Workspace, type WorkspaceOptions } from './hookd.ts';

export interface BuiltDaemon {
  readonly workspace: Workspace;
  readonly connect: (client: string) => Promise<Connection>;
  readonly session: (turns: readonly unknown[]) => Promise<SessionClient>;
  readonly stop: () => Promise<void>;
}

export async function startBuiltDaemon(options: WorkspaceOptions = {}): Promise<BuiltDaemon> {
  const workspace = makeWorkspace(options);
  const { env } = workspace;
  const { child, finished } = startHookd(workspace, ['daemon', 'run', '--grace', '0']);
  let hasEnded = false;
  void finished.then(() => {
    hasEnded = true;
  });
  const connect = (client: string) => connectAnyVersion(env, client);
  const stop = async () => {
    child.kill('SIGTERM');
    await finished;
  };
  const deadline = Date.now() + 45_000;
  for (;;) {
    try {
      await connect('test');
      break;
    } catch (error) {
      if (hasEnded || Date.now() > deadline) {
        await stop();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return {
    workspace,
    connect,
    session: async (turns) => {
      const modelScriptFile = modelScript(workspace, turns, 'session.json');
      const connection = await connect('test');
      return connection.createSession({
        cwd: workspace.project,
        env: { ...env },
        modelScript: modelScriptFile,
      });
    },
    stop,
  };
}
