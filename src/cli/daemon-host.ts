/** Sessions of a command that run in the user's daemon. */
import { resolve } from 'node:path';
import type { SessionInfo } from '../core/protocol.ts';
import type { NewSession } from '../daemon/api-schema.ts';
import type { Connection } from './connection.ts';
import type { OpenRequest, SessionHost } from './session-host.ts';

export function hostInDaemon(connection: Connection, env: NodeJS.ProcessEnv): SessionHost {
  return {
    isDaemon: true,
    async open(request) {
      const { resume, fork = false } = request;
      if (resume !== undefined && !fork && isGoingOn(resume)) {
        const client = await connection.openSession(resume.id);
        return { client, after: client.info.lastEventId, isJoined: true };
      }
      const client = await connection.createSession(newSession(request, env));
      return { client, after: fork ? 0 : (resume?.lastEventId ?? 0), isJoined: false };
    },
    list: () => connection.listSessions(),
    close: async () => undefined,
  };
}

/** Some process has it; where that is not the daemon, prompts for it are refused with the reason. */
function isGoingOn({ state }: SessionInfo): boolean {
  return state === 'idle' || state === 'running' || state === 'waiting';
}

function newSession(request: OpenRequest, env: NodeJS.ProcessEnv): NewSession {
  const { startDirectory, flags, modelScript, promptFlags, someoneAnswers, resume, fork } = request;
  return {
    cwd: startDirectory,
    env: definedOnly(env),
    flags: definedOnly({ ...flags }),
    promptFlags: definedOnly({ ...promptFlags }),
    ...(modelScript === undefined ? {} : { modelScript: resolve(startDirectory, modelScript) }),
    ...(someoneAnswers ? {} : { unattended: true }),
    ...(resume === undefined ? {} : { resume: resume.id, fork: fork === true }),
  };
}

/** JSON has no undefined, and the daemon takes no field that it does not know. */
function definedOnly<Value>(fields: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );
}
