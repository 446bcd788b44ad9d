/** Judges recorded calls again: each under the settings that a session in its place would have today. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type RecordedCall, type RecordedSource, whyNotWhole } from '../audit/recorded-calls.ts';
import { isJsonObject } from '../core/json.ts';
import type { Decision } from '../core/vocabulary.ts';
import { outputsOf } from '../daemon/session-home.ts';
import { decide } from '../permissions/decide.ts';
import { realFiles } from '../permissions/files-view.ts';
import { setForCommands } from '../settings/command-environment.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { describeProblem, isError } from '../settings/problem.ts';
import { SettingsStore } from '../settings/store.ts';
import { whereaboutsOf } from './hooks-settings.ts';
import { readCall } from './policy-question.ts';

export type Judged =
  | { readonly call: RecordedCall; readonly after: Decision }
  /** The end of a sentence that begins with the call. */
  | { readonly call: RecordedCall; readonly why: string };

type Policy =
  | { readonly ok: true; readonly snapshot: SettingsSnapshot }
  | { readonly ok: false; readonly why: string };

/** `against`: the absolute path of a file to be judged in place of the user's own settings. */
export function makeJudge(
  env: NodeJS.ProcessEnv,
  against: string | undefined,
): (call: RecordedCall) => Judged {
  const opened = new Map<string, Policy>();
  const policyOf = (cwd: string, sources: readonly RecordedSource[]): Policy => {
    const ofCommandLine = sources.filter(({ scope }) => scope === 'command-line');
    const key = JSON.stringify([cwd, ofCommandLine]);
    const policy = opened.get(key) ?? openPolicyAt(cwd, ofCommandLine, env, against);
    opened.set(key, policy);
    return policy;
  };
  return (call) => {
    const { cwd, sources, tool, input, verdict } = call;
    const notWhole = whyNotWhole(input);
    if (notWhole !== undefined) return { call, why: `its input ${notWhole} in the log` };
    if (cwd === undefined) return { call, why: 'the start of its session is not in the log' };
    if (!existsSync(cwd)) return { call, why: `the directory that it ran in is gone: ${cwd}` };
    if (sources === undefined) return { call, why: 'the settings that decided are not in the log' };
    const policy = policyOf(cwd, sources);
    if (!policy.ok) return { call, why: policy.why };
    const { snapshot } = policy;
    const { permissions } = snapshot;
    if (!isJsonObject(input)) return { call, why: 'its input is no object' };
    const read = readCall({ tool, input }, permissions.workplace);
    if (!read.ok) return { call, why: `a session would refuse it before the rules: ${read.problem}` };
    const keptOutputs = outputsOf(permissions.workplace.hookdHome, call.session);
    const ofSession = { ...permissions, keptOutputs };
    const isSet = setForCommands(env, snapshot);
    const question = { permissions: ofSession, call: read.call, files: realFiles, hook: verdict, isSet };
    return { call, after: decide(question) };
  };
}

function openPolicyAt(
  cwd: string,
  ofCommandLine: readonly RecordedSource[],
  env: NodeJS.ProcessEnv,
  against: string | undefined,
): Policy {
  const flags = flagsOf(ofCommandLine);
  if (flags === undefined) return { ok: false, why: 'the flags of its session are not whole in the log' };
  const whereabouts = { ...whereaboutsOf(env, cwd), userFile: against };
  const opened = SettingsStore.open({ ...whereabouts, flags, onEvent: () => undefined });
  if (opened.ok) return { ok: true, snapshot: opened.store.current() };
  const [first] = opened.problems.filter(isError).map(describeProblem);
  return { ok: false, why: `a session there would not start: ${first ?? 'its settings are broken'}` };
}

/** What was typed for that session counts again: a file as it is today, unless it is gone. */
function flagsOf(sources: readonly RecordedSource[]): CommandLine | undefined {
  let flags: CommandLine = {};
  const settings: string[] = [];
  for (const { path, text } of sources) {
    if (isAbsolute(path) && existsSync(path)) {
      settings.unshift(path);
      continue;
    }
    if (typeof text !== 'string' || whyNotWhole(text) !== undefined) return undefined;
    if (path === 'flags') flags = readFlags(text);
    else settings.unshift(text);
  }
  return { ...flags, settings };
}

/** hookd wrote them itself: what has another type comes from another version, and is left out. */
function readFlags(text: string): CommandLine {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return {};
  const list = (key: string): readonly string[] | undefined => {
    const found = value[key];
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : undefined;
  };
  const word = (key: string): string | undefined => {
    const found = value[key];
    return typeof found === 'string' ? found : undefined;
  };
  return {
    allowedTools: list('allowedTools'),
    disallowedTools: list('disallowedTools'),
    addDirs: list('addDirs'),
    permissionMode: word('permissionMode'),
    settingSources: word('settingSources'),
    trustProject: value['trustProject'] === true,
    claudeSettings: value['claudeSettings'] === true,
  };
}
