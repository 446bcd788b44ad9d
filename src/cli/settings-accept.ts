/** `hookd settings accept`: takes over what a project's settings loosened while a tool call ran. */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { EXIT, HookdError } from '../core/errors.ts';
import { recordDecision } from '../daemon/begin-chain.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { allHeld, type Held, removeHeld } from '../settings/held-file.ts';
import { waitingIn } from '../settings/holding.ts';
import { sha256 } from '../settings/load.ts';
import type { SettingsOrigin } from '../settings/origin.ts';
import { describeProblem } from '../settings/problem.ts';
import { readWhole } from '../settings/read-file.ts';
import { locateSettings } from '../settings/scopes.ts';
import { whereaboutsOf } from './hooks-settings.ts';
import { refuseInsideAgent } from './inside-agent.ts';
import { type Output, printable } from './output.ts';
import { givenPath } from './start-directory.ts';
import { reviewRows, saysYes } from './trust-question.ts';

export interface AcceptOptions {
  /** A directory in the project; undefined: the start directory. */
  readonly directory: string | undefined;
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

interface Waiting {
  readonly file: string;
  readonly waiting: readonly string[];
  /** What stood there when it was looked at. */
  readonly found: string | null;
}

/** Throws USAGE where a file changed while the person read. */
export async function acceptCommand(
  { directory, flags, json, env }: AcceptOptions,
  output: Output,
): Promise<number> {
  refuseInsideAgent(env, 'settings accept');
  const start = directory === undefined ? undefined : resolve(givenPath(directory));
  const located = locateSettings(whereaboutsOf(env, start), flags);
  if (!located.ok) throw new HookdError('USAGE', located.problems.map(describeProblem).join('\n'));
  const { workplace, state } = located;
  const held = allHeld(state).map((one) => waitingOf(one, workplace.project));
  const asks = !json && held.length > 0 && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const rows = reviewRows(held.map(({ file, waiting }) => ({ file, loosens: waiting, problems: [] })));
  if (asks) {
    for (const row of rows) output.result(row);
    if (!(await asked())) {
      output.result('Nothing was taken over; it goes on waiting.');
      return EXIT.failed;
    }
  }
  const changed = held.find(({ file, found }) => contentOf(file) !== found);
  if (changed !== undefined)
    throw new HookdError('USAGE', `${changed.file} has changed again just now; nothing was taken over.`);
  if (held.length > 0) {
    const files = held.map(({ file, found, waiting }) => {
      return { file, sha256: found === null ? null : sha256(found), loosens: waiting };
    });
    const { project, hookdHome } = workplace;
    await recordDecision(hookdHome, 'settings_accepted', { project, client: 'hookd settings accept', files });
  }
  for (const { file } of held) removeHeld(state, file);
  if (json) {
    const accepted = held.map(({ file, waiting }) => ({ file, loosens: waiting }));
    output.result(JSON.stringify({ project: workplace.project, accepted }));
    return EXIT.done;
  }
  if (held.length === 0) output.result(printable(`Nothing waits in ${workplace.project}.`));
  else {
    output.result('Taken over; it counts from the next call on, as far as the project is trusted:');
    if (!asks) for (const row of rows) output.result(row);
  }
  return EXIT.done;
}

function waitingOf({ file, accepted }: Held, project: string): Waiting {
  const found = contentOf(file);
  const isLocal = file.endsWith('settings.local.json');
  const origin: SettingsOrigin = {
    ...{ scope: isLocal ? 'local' : 'project', isTrusted: true, file, root: project },
    dialect: file.includes('/.claude/') ? 'claude' : 'hookd',
  };
  return { file, found, waiting: waitingIn(origin, accepted, found) };
}

function contentOf(file: string): string | null {
  const content = readWhole(file);
  if (content.kind === 'content') return Buffer.from(content.bytes).toString('utf8');
  if (content.kind === 'missing') return null;
  throw new HookdError('USAGE', `${file} cannot be used: ${content.why}.`);
}

async function asked(): Promise<boolean> {
  const readline = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await saysYes(readline, 'It changed while a tool call ran. Take it over? [y/N] ');
  } finally {
    readline.close();
  }
}
