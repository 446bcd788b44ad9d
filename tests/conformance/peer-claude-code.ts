/** Faults that were reported of Claude Code, as its change log and issues tell them: rules, settings, conditions, matchers. */
import type { Behavior, JsonObject } from '../../src/core/vocabulary.ts';
import { compileMatcher } from '../../src/hooks/match.ts';
import { conditionFits } from '../../src/permissions/condition.ts';
import { callElsewhere } from '../../src/tools/elsewhere.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { callToJudge } from '../../src/tools/tool.ts';
import { compared, type Peer, type PeerRow, rowFor, tableOf } from './peer.ts';
import type { Row, Sandbox } from './rows.ts';

interface Entry {
  readonly row: number;
  readonly kind: 'rules' | 'settings' | 'if' | 'matcher' | 'hook' | 'reload';
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly allow?: readonly string[];
  readonly mode?: string;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly settings?: JsonObject;
  readonly condition?: string;
  readonly matcher?: string;
  readonly tool?: string;
  readonly tool_input?: JsonObject;
  readonly expected: { readonly decision?: Behavior; readonly match?: boolean };
  readonly note?: string;
}

export const claudeCodeRegressions: Peer = (sandbox) =>
  tableOf<Entry>('claude-code-regressions').map((entry) => play(entry, sandbox));

function play(entry: Entry, sandbox: Sandbox): PeerRow {
  const { row, note = '' } = entry;
  const input = `${note}: ${entry.tool ?? ''} ${JSON.stringify(entry.tool_input ?? {})}`;
  const elsewhere = PLAYED_ELSEWHERE[row];
  if (elsewhere !== undefined) return { row, input, verdict: 'elsewhere', why: elsewhere };
  switch (entry.kind) {
    case 'rules':
    case 'settings':
      return { row, input, ...decided(entry, sandbox) };
    case 'if':
      return { row, input, ...fits(entry.expected.match, conditionHolds(entry)) };
    case 'matcher':
      return {
        row,
        input,
        ...fits(entry.expected.match, compileMatcher(entry.matcher).matches(entry.tool ?? '')),
      };
    default:
      return { row, input, verdict: 'looser', why: 'nothing plays this row' };
  }
}

/** The rows work in `/w`. */
function decided(entry: Entry, sandbox: Sandbox): Pick<PeerRow, 'verdict' | 'why'> {
  const { deny, ask, allow, settings, mode = 'default', symlinks = {}, tool = '', tool_input = {} } = entry;
  const policy: Partial<Row> =
    settings === undefined
      ? { rules: placed({ deny: deny ?? [], ask: ask ?? [], allow: allow ?? [] }) }
      : { settings: { project: settings } };
  // The table leaves out what it is not about.
  const input = tool === 'Edit' ? { old_string: 'a', new_string: 'b', ...tool_input } : tool_input;
  const row = rowFor(tool, placed(input), { ...policy, mode, fixture: { symlinks: placed(symlinks) } });
  return compared(entry.expected.decision ?? 'ask', sandbox.judge(row));
}

function placed<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value).replaceAll('//w/', '/$PROJ/').replaceAll('"/w/', '"$PROJ/'),
  ) as Value;
}

function conditionHolds({ condition = '', tool: name = '', tool_input = {} }: Entry): boolean {
  const workplace = {
    project: '/w',
    cwd: '/w',
    home: '/home/u',
    hookdHome: '/home/u/.hookd',
    directories: [],
  };
  const tool = TOOLS.find((one) => one.name === name);
  const call =
    tool === undefined
      ? callElsewhere(name, tool_input, workplace)
      : callToJudge(tool, tool_input, workplace);
  if (typeof call === 'string') throw new Error(call);
  return conditionFits(condition, call, workplace);
}

/** A guard that runs once too often is stricter. */
function fits(expected: boolean | undefined, found: boolean): Pick<PeerRow, 'verdict' | 'why'> {
  const why = `expected ${expected}, got ${found}`;
  if (found === expected) return { verdict: 'agree', why };
  return { verdict: found ? 'stricter' : 'looser', why };
}

const HOOK_CASES = 'about the running of hooks, which tests/hooks and the hook cases play';

const PLAYED_ELSEWHERE: Readonly<Record<number, string>> = {
  0: 'a hook and a deny rule: tests/permissions/hook-verdict.test.ts',
  1: 'a hook and a deny rule: tests/permissions/hook-verdict.test.ts',
  2: 'auto mode is not supported; a hook that asks: tests/permissions/hook-verdict.test.ts',
  3: HOOK_CASES,
  4: 'updatedPermissions is not supported',
  9: HOOK_CASES,
  10: HOOK_CASES,
  11: HOOK_CASES,
  13: HOOK_CASES,
  14: 'a hook may print 8 MiB; beyond that it has failed',
  16: HOOK_CASES,
  17: HOOK_CASES,
  18: 'background tasks are not supported',
  35: 'a managed file that changes: tests/settings/managed.test.ts',
  38: 'a rule that would allow every tool is malformed: tests/permissions/rule.test.ts',
  39: 'a slip of a tool name is an error here: tests/permissions/rule.test.ts',
  48: 'a path of another system',
  90: HOOK_CASES,
  94: HOOK_CASES,
  95: HOOK_CASES,
  96: 'a file that breaks while a session runs: tests/settings/store.test.ts',
  97: 'a matcher of the wrong type refuses the file: tests/settings/hooks.test.ts',
  100: HOOK_CASES,
};
