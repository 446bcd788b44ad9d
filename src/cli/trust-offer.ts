/** The question that a conversation begins with where a project's settings would switch something on. */
import type { Interface } from 'node:readline/promises';
import type { CommandLine } from '../settings/command-line.ts';
import { readDeclined, writeDeclined } from '../settings/declined-file.ts';
import { sha256 } from '../settings/load.ts';
import { isError } from '../settings/problem.ts';
import { locateSettings } from '../settings/scopes.ts';
import { reviewProject } from '../settings/trust-review.ts';
import { whereaboutsOf } from './hooks-settings.ts';
import { type Output, printable } from './output.ts';
import { trustNow } from './trust.ts';
import { reviewRows, saysYes } from './trust-question.ts';

/** Asks once for each content. Settings with errors are for the session to report. */
export async function offerTrust(
  readline: Interface,
  flags: CommandLine,
  env: NodeJS.ProcessEnv,
  start: string,
  output: Output,
): Promise<void> {
  if (flags.trustProject === true) return;
  const located = locateSettings(whereaboutsOf(env, start), flags);
  if (!located.ok || located.trust.kind === 'trusted') return;
  const { workplace, state } = located;
  const files = reviewProject(located.places);
  if (files.some(({ problems }) => problems.some(isError))) return;
  const rows = reviewRows(files);
  const content = sha256(JSON.stringify(files));
  if (rows.length === 0 || readDeclined(state) === content) return;
  output.result(printable(`The settings of ${workplace.project} are not trusted. They would switch on:`));
  for (const row of rows) output.result(row);
  if (await saysYes(readline, 'Trust this project, now and later? [y/N] ')) {
    await trustNow(workplace.hookdHome, workplace.project, files, 'hookd');
    output.result('Trusted. Take it back with: hookd trust --revoke');
    return;
  }
  writeDeclined(state, content);
  output.result(
    'Not trusted: it only tightens. This is asked again when its settings change; see also: hookd trust',
  );
}
