/** What a client asks for, as the request of a session. */
import { resolve } from 'node:path';
import { HookdError } from '../core/errors.ts';
import type { SessionId } from '../core/vocabulary.ts';
import type { NewSession } from './api-schema.ts';
import { nobody } from './approvals.ts';
import type { CreateSession } from './start-live.ts';

/** Without `env` a session has none of the daemon's either: what hooks see is its client's, or nothing. */
export function sessionRequest(asked: NewSession): CreateSession {
  const { cwd, env = {}, flags = {}, promptFlags, modelScript, resume, fork, unattended } = asked;
  if (fork === true && resume === undefined)
    throw new HookdError(
      'REQUEST_INVALID',
      '"fork" needs "resume": the session that the new one begins with.',
    );
  return {
    startDirectory: resolve(cwd),
    env,
    flags,
    watchesSettings: true,
    ...(unattended === true ? { approvals: nobody } : {}),
    ...(promptFlags === undefined
      ? {}
      : { promptFlags: { replacement: undefined, addition: undefined, ...promptFlags } }),
    ...(modelScript === undefined ? {} : { modelScript }),
    ...(resume === undefined ? {} : { resume: resume as SessionId, fork: fork === true }),
  };
}
