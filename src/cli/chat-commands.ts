/** The commands of a conversation: what a line that begins with a slash does. */
import { messageOf } from '../core/errors.ts';
import type { SessionClient, SessionInfo } from '../core/protocol.ts';
import type { PermissionMode } from '../core/vocabulary.ts';
import { auditDirectoryOf } from '../daemon/hookd-home.ts';
import { nearMiss } from '../lib/near-miss.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { byPrefix } from './by-prefix.ts';
import { type Output, oneLine, printable } from './output.ts';
import { rowsOf } from './render.ts';
import type { SessionHost } from './session-host.ts';
import { helpLines, type SlashName } from './slash-command.ts';
import { contextShare, shortCount } from './usage-line.ts';
import { shortened } from './width.ts';

export interface CommandParts {
  readonly client: SessionClient;
  readonly host: SessionHost;
  readonly hookdHome: string;
  readonly flags: CommandLine;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly columns: () => number;
}

/** What comes after a command: the next prompt, the end, or another session. */
export type AfterCommand =
  | { readonly kind: 'on' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'resume'; readonly id: string };

const ON: AfterCommand = { kind: 'on' };
const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];
const LAST_RECORDS = 20;
const SHOWN_SESSIONS = 10;

/** Never throws: what a command cannot do is told. */
export async function playCommand(
  name: SlashName,
  argument: string,
  parts: CommandParts,
): Promise<AfterCommand> {
  try {
    return (await COMMANDS[name](parts, argument)) ?? ON;
  } catch (error) {
    const { output, columns } = parts;
    for (const row of rowsOf(printable(messageOf(error)), { columns: columns() }))
      output.result(output.colours.red(row));
    return ON;
  }
}

type Play = (parts: CommandParts, argument: string) => Promise<AfterCommand | undefined>;

const COMMANDS: Readonly<Record<SlashName, Play>> = {
  async status(parts) {
    const info = await parts.client.refresh();
    for (const line of statusLines(info, parts.host.isDaemon))
      parts.output.result(shortened(line, parts.columns()));
    return undefined;
  },
  async permissions({ client, flags, env, output }) {
    const { showCommand } = await import('./settings-show.ts');
    const { cwd } = client.info;
    showCommand({ key: 'permissions', cwd, flags: withMode(flags, client.info), json: false, env }, output);
    return undefined;
  },
  async hooks({ client, flags, env, output }) {
    const { listCommand } = await import('./hooks-list.ts');
    listCommand({ flags, json: false, env, cwd: client.info.cwd }, output);
    return undefined;
  },
  async audit({ client, hookdHome, output }, argument) {
    const { tailCommand } = await import('./audit-tail.ts');
    const count = argument === '' ? LAST_RECORDS : Number(argument);
    const { signal } = new AbortController();
    const auditDirectory = auditDirectoryOf(hookdHome);
    const filter = { session: client.info.id };
    await tailCommand({ auditDirectory, count, follow: false, json: false, filter, signal }, output);
    return undefined;
  },
  async mode({ client, output }, argument) {
    if (argument === '') {
      const { permissionMode } = await client.refresh();
      output.result(
        `mode: ${permissionMode} (others: ${MODES.filter((one) => one !== permissionMode).join(', ')})`,
      );
      return undefined;
    }
    const mode = MODES.find((one) => one === (argument === 'manual' ? 'default' : argument));
    if (mode !== undefined) await client.setMode(mode);
    else {
      const near = nearMiss(argument, MODES);
      const meant = near === undefined ? `Modes are ${MODES.join(', ')}.` : `Did you mean ${near}?`;
      output.result(`There is no mode ${oneLine(JSON.stringify(argument), 40)}. ${meant}`);
    }
    return undefined;
  },
  async compact({ client }, argument) {
    await client.compact(argument === '' ? undefined : argument);
    return undefined;
  },
  async resume({ client, host, output, columns }, argument) {
    const { cwd, id } = client.info;
    const all = (await host.list()).filter((one) => one.id !== id && one.turns > 0);
    if (argument !== '')
      return { kind: 'resume', id: byPrefix(argument, all, 'session', 'SESSION_UNKNOWN').id };
    const others = all.filter((one) => one.cwd === cwd);
    if (others.length === 0) output.result('There is no earlier session of this directory.');
    for (const one of others.slice(0, SHOWN_SESSIONS)) output.result(shortened(sessionLine(one), columns()));
    if (others.length > 0) output.result('/resume ID goes on with one; its beginning is enough.');
    return undefined;
  },
  async help({ output }) {
    for (const line of helpLines()) output.result(line);
    return undefined;
  },
  async quit() {
    return { kind: 'leave' };
  },
};

function withMode(flags: CommandLine, { permissionMode }: SessionInfo): CommandLine {
  return { ...flags, permissionMode };
}

/** `1f3c2a90  2026-01-31 12:00  3 turns  the first prompt` */
function sessionLine({ id, lastActiveAt, state, turns, title }: SessionInfo): string {
  const when = lastActiveAt.slice(0, 16).replace('T', ' ');
  return `${id.slice(0, 8)}  ${when}  ${state.padEnd(9)}  ${String(turns).padStart(3)} turns  ${oneLine(title ?? '', 200)}`;
}

export function statusLines(info: SessionInfo, isInDaemon: boolean): readonly string[] {
  const { context } = info;
  const ofContext =
    context === undefined ? '' : `, context ${contextShare(context)} of ${shortCount(context.window)}`;
  const project = info.project === info.cwd ? '' : ` (project ${oneLine(info.project, 300)})`;
  return [
    `session   ${info.id}, ${info.state}, ${isInDaemon ? 'in the daemon' : 'in this process'}`,
    `in        ${oneLine(info.cwd, 300)}${project}`,
    `model     ${oneLine(info.model, 100)}`,
    `mode      ${info.permissionMode}`,
    `so far    ${info.turns} turns, ${shortCount(info.tokens)} tokens${ofContext}`,
    `audit     ${oneLine(info.auditFile, 300)}`,
  ];
}
