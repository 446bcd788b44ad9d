/** What a tool is given when it is tested by itself: a fresh directory, and the path that a decision would be taken on. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { lastRecords } from '../../src/audit/read.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { Decision, StartedProcess, Tool, ToolResult, ToolUseId } from '../../src/core/vocabulary.ts';
import { childEnvironment } from '../../src/lib/child-env.ts';
import { mintPermit } from '../../src/permissions/permit.ts';
import type { RunContext, RunOutcome } from '../../src/tools/run-context.ts';
import { SeenFiles } from '../../src/tools/seen-files.ts';
import { parseToolUse, runTool } from '../../src/tools/tool.ts';

const trail = new Trail(
  AuditWriter.create(join(mkdtempSync(join(tmpdir(), 'hookd-tools-')), 'audit', 'test')),
);
let uses = 0;

export interface Workbench {
  /** The start directory, links resolved. */
  readonly cwd: string;
  /** A directory beside it, which is not part of the workspace. */
  readonly outside: string;
  readonly home: string;
  readonly context: RunContext;
  remove(): void;
}

export function makeWorkbench(): Workbench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd tools ')));
  const [cwd, outside, home] = ['work', 'outside', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [cwd, outside, home]) mkdirSync(directory);
  const context: RunContext = {
    workplace: { project: cwd, cwd, home, hookdHome: join(home, '.hookd'), directories: [] },
    env: childEnvironment({ PATH: process.env['PATH'], HOME: home }, { projectDir: cwd }),
    seen: new SeenFiles(),
    target: undefined,
    signal: new AbortController().signal,
    started: () => {},
  };
  return { cwd, outside, home, context, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Runs a tool through its own doors, with a permit that was decided on `context.target` (by default: links resolved). */
export async function runPermitted(
  tool: Tool,
  input: object,
  context: RunContext,
): Promise<Pick<RunOutcome, 'ok' | 'text'>> {
  const { outcome, text } = await resultOf(tool, input, context);
  return { ok: outcome === 'ok', text };
}

/** As `runPermitted`, with all that the result holds. */
export async function resultOf(tool: Tool, input: object, context: RunContext): Promise<ToolResult> {
  const { call, toolbox } = await parse(tool, input, context);
  const { specifier } = call.value;
  const target = context.target ?? (specifier.kind === 'path' ? linksResolved(specifier.path) : undefined);
  const decision: Decision = {
    behavior: 'allow',
    reason: 'a test',
    cause: { kind: 'human', client: 'test' },
    ...(target === undefined ? {} : { target }),
  };
  const hooked = trail.record('hooked_call', { call: call.value });
  const permit = trail.record(
    'permission',
    mintPermit(hooked, decision, 'test', context.workplace, context.hides),
  );
  const interrupt = new AbortController();
  const started = {
    ...toolbox,
    /** Asked for when the tool starts: only from then on an interrupt is the tool's own affair, which is what is tested. */
    get seen() {
      const pass = () => interrupt.abort(context.signal.reason);
      if (context.signal.aborted) pass();
      else context.signal.addEventListener('abort', pass, { once: true });
      return context.seen;
    },
  };
  const result = await runTool(trail, permit, started, interrupt.signal);
  for (const record of lastRecords(trail.head.file, 3).records) {
    if (record.kind === 'process_started') context.started(record['process'] as StartedProcess);
  }
  return result.value;
}

export async function parse(
  tool: Tool,
  input: object,
  context: Pick<RunContext, 'workplace' | 'env' | 'seen'>,
) {
  uses += 1;
  const use = trail.record('tool_use', { id: `toolu_${uses}` as ToolUseId, name: tool.name, input });
  const toolbox = { tools: [tool], workplace: context.workplace, env: context.env, seen: context.seen };
  return { call: await parseToolUse(trail, use, toolbox), toolbox };
}

/** Of a path that does not exist, the part that does is resolved. */
export function linksResolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(linksResolved(dirname(path)), basename(path));
  }
}
