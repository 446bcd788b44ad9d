/** `hookd settings show [KEY]`: what is in force here, value by value, and where each comes from; what is not, and why. */
import { resolve } from 'node:path';
import { EXIT, HookdError } from '../core/errors.ts';
import type { ProgramPlace } from '../hooks/program.ts';
import { nearMiss } from '../lib/near-miss.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { type Leaf, leavesInForce } from '../settings/leaves.ts';
import { contentNow, type NotInForce, notInForce } from '../settings/not-in-force.ts';
import { describeProblem } from '../settings/problem.ts';
import { publishedSchema } from '../settings/schema.ts';
import type { SettingsPlace } from '../settings/scopes.ts';
import { SettingsStore } from '../settings/store.ts';
import { COLUMNS, wrapped } from './columns.ts';
import { settingsInReach, shortPath, whereaboutsOf } from './hooks-settings.ts';
import { type Output, oneLine, printable } from './output.ts';
import { givenPath } from './start-directory.ts';

export interface ShowOptions {
  /** `permissions`, `permissions.deny`, `hooks.PreToolUse`, `env.NAME`, `model` …; none: everything. */
  readonly key: string | undefined;
  /** Instead of the directory that hookd was started in. */
  readonly cwd: string | undefined;
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Throws SETTINGS_INVALID with every problem: a session would not start either. */
export function showCommand({ key, cwd, flags, json, env }: ShowOptions, output: Output): number {
  if (key !== undefined) mustBeKey(key);
  const start = cwd === undefined ? undefined : resolve(givenPath(cwd));
  const { places, program } = settingsInReach(flags, env, start);
  const opened = SettingsStore.open({ ...whereaboutsOf(env, start), flags, onEvent: () => undefined });
  if (!opened.ok) throw new HookdError('SETTINGS_INVALID', opened.problems.map(describeProblem).join('\n'));
  const { store } = opened;
  const snapshot = store.current();
  const isAsked = (one: { readonly key: string }) => key === undefined || isInside(one.key, key);
  const now = Date.now();
  const { waiting } = store;
  const changed = places
    .filter(({ origin }) => waiting.has(origin.file))
    .flatMap((one) => contentNow(one, now));
  const leaves = leavesInForce({ snapshot, contents: store.contents, flags, changed }).filter(isAsked);
  const left = notInForce(places, snapshot, waiting, now).filter(isAsked);
  const read = new Set(store.contents.map(({ origin }) => origin.file));
  const files = places.filter(({ origin }) => read.has(origin.file)).map(({ origin }) => origin);
  // What waits may be about any key.
  const warnings = key === undefined ? snapshot.warnings : [...waiting.values()];
  if (json) {
    const { project, cwd: startedIn } = snapshot.permissions.workplace;
    const shown = files.map(({ file, scope, isTrusted }) => ({ file, scope, isTrusted }));
    const values = leaves.map((leaf) => ({ ...leaf, source: leaf.source ?? 'built in' }));
    output.result(
      JSON.stringify({ project, cwd: startedIn, files: shown, values, notInForce: left, warnings }),
    );
    return EXIT.done;
  }
  const lines = [
    ...(key === undefined ? head(files, program) : []),
    ...leafLines(leaves, program),
    ...leftLines(left, program),
    ...warningLines(warnings),
  ];
  for (const line of lines[0] === '' ? lines.slice(1) : lines) output.result(printable(line));
  if (lines.length === 0) output.result(`${key} is not set.`);
  return EXIT.done;
}

function isInside(key: string, asked: string): boolean {
  return key === asked || key.startsWith(`${asked}.`);
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

function mustBeKey(key: string): void {
  const [top = '', ...rest] = key.split('.');
  const properties = (publishedSchema() as SchemaNode).properties ?? {};
  const inner = Object.keys(properties[top]?.properties ?? {});
  const known = [...Object.keys(properties), ...inner.map((name) => `${top}.${name}`)];
  if (known.includes(key) || (top === 'env' && rest.length > 0)) return;
  const near = nearMiss(key, known);
  const meant = near === undefined ? `Keys are ${known.join(', ')}.` : `Did you mean "${near}"?`;
  throw new HookdError('USAGE', `${JSON.stringify(key)} is no key of settings. ${meant}`);
}

function head(files: readonly SettingsPlace['origin'][], program: ProgramPlace): readonly string[] {
  const rows = files.map(({ file, scope, isTrusted }) => {
    const trust = isTrusted ? '' : ', not trusted: it only tightens';
    return `  ${shortPath(file, program)} (${scope.replace('-', ' ')}${trust})`;
  });
  return [`project ${program.project}`, ...(rows.length === 0 ? ['  no settings files'] : rows)];
}

const MARGIN = '  ';
const LONGEST_VALUE = 1000;

/** Under each key its values, a line each: the value, then at the right edge where it comes from. */
function leafLines(leaves: readonly Leaf[], program: ProgramPlace): readonly string[] {
  return [...new Set(leaves.map(headingOf))].flatMap((heading) => [
    '',
    heading,
    ...leaves
      .filter((leaf) => headingOf(leaf) === heading)
      .map((leaf) => {
        const { source, isAsAccepted } = leaf;
        const place = isAsAccepted === true ? ' before its change' : `:${source?.line}`;
        const from = source === undefined ? 'built in' : `${shortPath(source.file, program)}${place}`;
        const name = leaf.key.startsWith('env.') ? `${leaf.key.slice('env.'.length)}=` : '';
        return inColumns(`${name}${leaf.value}`, from);
      }),
  ]);
}

const headingOf = ({ key }: Leaf): string => (key.startsWith('env.') ? 'env' : key);

function inColumns(value: string, from: string): string {
  const text = `${MARGIN}${oneLine(value, LONGEST_VALUE)}`;
  return `${text}${' '.repeat(Math.max(2, COLUMNS - text.length - from.length))}${from}`;
}

/** Each reason once, with what it keeps out. */
function leftLines(left: readonly NotInForce[], program: ProgramPlace): readonly string[] {
  return [...new Set(left.map(({ why }) => why))].flatMap((why) => [
    '',
    ...wrapped(`Not in force: ${why}`, MARGIN, ''),
    ...left
      .filter((one) => one.why === why)
      .map(({ key, value, file, line }) =>
        inColumns(`${key.replace('permissions.', '')} ${value}`, `${shortPath(file, program)}:${line}`),
      ),
  ]);
}

function warningLines(warnings: readonly string[]): readonly string[] {
  if (warnings.length === 0) return [];
  return ['', 'Warnings', ...warnings.map((text) => `${MARGIN}${oneLine(text, LONGEST_VALUE)}`)];
}
