/** `hookd trust`: lets the settings of a project loosen and run hooks, from now on; takes it back; lists what is trusted. */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { EXIT, HookdError } from '../core/errors.ts';
import { recordDecision } from '../daemon/begin-chain.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { removeHeld } from '../settings/held-file.ts';
import { describeProblem } from '../settings/problem.ts';
import { projectState } from '../settings/project-state.ts';
import { locateSettings, realPath } from '../settings/scopes.ts';
import {
  digestsOf,
  removeTrust,
  type TrustRecord,
  trustedProjects,
  writeTrust,
} from '../settings/trust-file.ts';
import { type ReviewedFile, reviewProject } from '../settings/trust-review.ts';
import { whereaboutsOf } from './hooks-settings.ts';
import { refuseInsideAgent } from './inside-agent.ts';
import { type Output, printable } from './output.ts';
import { givenPath } from './start-directory.ts';
import { reviewRows, saysYes } from './trust-question.ts';

export interface TrustOptions {
  /** Undefined: the start directory. */
  readonly directory: string | undefined;
  readonly revoke: boolean;
  readonly list: boolean;
  readonly json: boolean;
  readonly flags: CommandLine;
  readonly env: NodeJS.ProcessEnv;
}

/** Throws USAGE, or SETTINGS_INVALID where sessions would not start if the project were trusted. */
export async function trustCommand(options: TrustOptions, output: Output): Promise<number> {
  if (options.list && (options.revoke || options.directory !== undefined))
    throw new HookdError('USAGE', '--list stands alone: it lists all projects that are trusted.');
  if (options.list) return listTrusted(options, output);
  return options.revoke ? revoke(options, output) : trust(options, output);
}

async function trust({ directory, json, flags, env }: TrustOptions, output: Output): Promise<number> {
  refuseInsideAgent(env, 'trust');
  const { project, hookdHome, files } = projectIn(directory, flags, env);
  const problems = files.flatMap((file) => file.problems);
  if (problems.length > 0) throw new HookdError('SETTINGS_INVALID', problems.map(describeProblem).join('\n'));
  const rows = reviewRows(files);
  const asks = !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (asks) {
    output.result(printable(project));
    for (const row of rows.length > 0 ? rows : [NOTHING_YET]) output.result(row);
    if (!(await asked(`Let this count, and what its settings will say later? [y/N] `))) {
      output.result('Not trusted. Its deny and ask rules count all the same.');
      return EXIT.failed;
    }
  }
  const record = await trustNow(hookdHome, project, files, 'hookd trust');
  if (json) {
    const shown = files.map(({ file, loosens }) => ({ file, loosens }));
    output.result(JSON.stringify({ project, trusted: true, since: record.since, files: shown }));
    return EXIT.done;
  }
  output.result(printable(`Trusted: ${project}`));
  if (!asks) for (const row of rows.length > 0 ? rows : [NOTHING_YET]) output.result(row);
  output.result('It counts from the next call on, also what its settings will say later.');
  output.result(printable(`Take it back with: hookd trust --revoke ${quoted(project)}`));
  return EXIT.done;
}

const NOTHING_YET = '  Its settings hold nothing now that trust would switch on.';

/** What was shown is accepted with it. On record first: throws AUDIT_UNAVAILABLE, and nothing is trusted. */
export async function trustNow(
  hookdHome: string,
  project: string,
  files: readonly ReviewedFile[],
  client: string,
): Promise<TrustRecord> {
  const state = projectState(hookdHome, project);
  const since = new Date().toISOString();
  const digests = digestsOf(files.map(({ file }) => file));
  const record = { project, since, files: digests };
  await recordDecision(hookdHome, 'trust_given', {
    project,
    client,
    files: files.map(({ file, loosens }) => ({ file, sha256: digests[file] ?? null, loosens })),
  });
  writeTrust(state, record);
  for (const { file } of files) removeHeld(state, file);
  return record;
}

function projectIn(directory: string | undefined, flags: CommandLine, env: NodeJS.ProcessEnv) {
  const startDirectory = directory === undefined ? undefined : resolve(givenPath(directory));
  const located = locateSettings(whereaboutsOf(env, startDirectory), { ...flags, settings: [] });
  if (!located.ok) throw new HookdError('USAGE', located.problems.map(describeProblem).join('\n'));
  const { project, hookdHome } = located.workplace;
  return { project, hookdHome, files: reviewProject(located.places), trust: located.trust };
}

async function asked(question: string): Promise<boolean> {
  const readline = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await saysYes(readline, question);
  } finally {
    readline.close();
  }
}

/** The directory may be gone: then its path is what was written down. */
async function revoke({ directory, json, flags, env }: TrustOptions, output: Output): Promise<number> {
  const hookdHome = realPath(hookdHomeOf(env));
  const given = realPath(resolve(givenPath(directory ?? '.')));
  const isKnown = trustedProjects(hookdHome).some(({ project }) => project === given);
  const project = isKnown ? given : projectIn(directory, flags, env).project;
  const was = removeTrust(projectState(hookdHome, project));
  // Taken back also where that cannot be recorded: it only tightens.
  if (was) await recordDecision(hookdHome, 'trust_revoked', { project, client: 'hookd trust' });
  if (json) output.result(JSON.stringify({ project, trusted: false, was }));
  else output.result(printable(was ? `Not trusted any more: ${project}` : `It was not trusted: ${project}`));
  return EXIT.done;
}

function listTrusted({ json, env }: TrustOptions, output: Output): number {
  const trusted = trustedProjects(realPath(hookdHomeOf(env))).map((record) => ({
    ...record,
    changed: changedSince(record),
  }));
  if (json) {
    output.result(JSON.stringify({ trusted }));
    return EXIT.done;
  }
  if (trusted.length === 0) output.result('no project is trusted');
  for (const { project, since, changed } of trusted) {
    output.result(printable(`${since.slice(0, 10)}  ${project}`));
    for (const file of changed) output.result(printable(`            changed since: ${file}`));
  }
  return EXIT.done;
}

/** The files of that time that are another content now, or gone. */
function changedSince({ files }: TrustRecord): readonly string[] {
  const now = digestsOf(Object.keys(files));
  return Object.keys(files).filter((file) => files[file] !== now[file]);
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
