/** What a tool is. Its code is in a map that this module alone reads: `defineTool` hands it in, `runTool` takes it out, for a recorded permit. */
import { isDeepStrictEqual } from 'node:util';
import type { Static, TObject } from 'typebox';
import { assertRecorded, type Recorded, type Trail } from '../audit/trail.ts';
import { HookdError, isAuditFailure, messageOf, Rejected } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import type {
  HookedCall,
  HookRef,
  JsonObject,
  Specifier,
  Tool,
  ToolCall,
  ToolResult,
  ToolUse,
  ToolUseId,
  Workplace,
} from '../core/vocabulary.ts';
import { assertPermit, type Permit } from '../permissions/permit.ts';
import { whyUnknown } from './elsewhere.ts';
import { inputValidator, renameFields } from './input-fit.ts';
import { failed, outputOf, type RunContext, type RunOutcome } from './run-context.ts';
import type { SeenFiles } from './seen-files.ts';
import { halfCharacterInside } from './well-formed.ts';
import type { SessionOutputs } from './whole-output.ts';

export interface ToolDefinition<Schema extends TObject> {
  readonly name: string;
  /** Other names and field names that the model may use; resolved before anything looks at the call. */
  readonly aliases?: {
    readonly names: readonly string[];
    readonly fields?: Readonly<Record<string, string>>;
  };
  readonly description: string;
  readonly inputSchema: Schema;
  readonly readOnly: boolean;
  /** Makes paths absolute and normalised, fills in defaults. Pure. */
  readonly normalise?: (input: Static<Schema>, workplace: Workplace) => Static<Schema>;
  /** What permission rules with a specifier are matched against, from the normalised input. Pure. */
  readonly specifiers: (input: Static<Schema>) => Specifier;
  readonly run: (input: Static<Schema>, context: RunContext) => Promise<RunOutcome>;
  /** The text for a response that a hook has put in place of the tool's own; undefined when it has not the tool's shape. */
  readonly render?: (response: JsonObject) => string | undefined;
}

/** What a session's tools work with. */
export interface Toolbox {
  readonly tools: readonly Tool[];
  readonly workplace: Workplace;
  readonly env: Readonly<Record<string, string>>;
  /** The file that runs commands; by default what the PATH of `env` has. */
  readonly bash?: () => string;
  readonly seen: SeenFiles;
  readonly outputs?: SessionOutputs;
  /** Tells those who watch what a call prints. */
  readonly show?: (use: ToolUse, text: string) => void;
}

type Parsed =
  | { readonly ok: true; readonly input: JsonObject; readonly specifier: Specifier }
  | { readonly ok: false; readonly problem: string };

interface Inside {
  readonly names: readonly string[];
  readonly parse: (input: unknown, workplace: Workplace) => Parsed;
  readonly run: (input: JsonObject, context: RunContext) => Promise<RunOutcome>;
  readonly render: (response: JsonObject) => string | undefined;
}

const insides = new WeakMap<Tool, Inside>();

/** Makes a tool of its definition. Its code can be reached through `runTool` only. */
export function defineTool<Schema extends TObject>(definition: ToolDefinition<Schema>): Tool {
  const tool: Tool = Object.freeze({
    name: definition.name,
    description: definition.description,
    inputSchema: JSON.parse(JSON.stringify(definition.inputSchema)) as JsonObject,
    readOnly: definition.readOnly,
  });
  const fits = inputValidator<Static<Schema>>(definition.name, definition.inputSchema);
  const fields = definition.aliases?.fields ?? {};
  insides.set(tool, {
    names: [definition.name, ...(definition.aliases?.names ?? [])],
    parse(sent, workplace) {
      const input = renameFields(sent, fields);
      // A file or a shell would get another character than the one that is judged and recorded.
      const problem = halfCharacterInside(sent) ?? fits.problem(input);
      if (problem !== undefined || !fits.check(input))
        return { ok: false, problem: problem ?? 'does not fit' };
      const normalised = definition.normalise?.(input, workplace) ?? input;
      return { ok: true, input: normalised as JsonObject, specifier: definition.specifiers(normalised) };
    },
    run(input, context) {
      if (!fits.check(input))
        throw new HookdError('INTERNAL', `An unparsed input reached ${definition.name}.`);
      return definition.run(input, context);
    },
    render: (response) => definition.render?.(response),
  });
  return tool;
}

/** The tool with this name or alias. */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => insideOf(tool).names.includes(name));
}

/** The call that an input makes, to be judged and no more (it is not on record, so no stage takes it); else what does not fit. */
export function callToJudge(tool: Tool, input: unknown, workplace: Workplace): ToolCall | string {
  const parsed = insideOf(tool).parse(input, workplace);
  if (!parsed.ok) return parsed.problem;
  return { id: 'toolu_judged' as ToolUseId, tool, input: parsed.input, specifier: parsed.specifier };
}

/** STAGES 1 and 2: name or alias → tool; input against the tool's schema. Throws Rejected. */
export async function parseToolUse(
  trail: Trail,
  use: Recorded<ToolUse>,
  toolbox: Toolbox,
): Promise<Recorded<ToolCall>> {
  assertRecorded(use, 'tool_use');
  const { id, name, input } = use.value;
  const tool = findTool(toolbox.tools, name);
  if (tool === undefined) {
    const known = toolbox.tools.map((known) => known.name);
    throw new Rejected('unknown_tool', whyUnknown(name, known));
  }
  const parsed = insideOf(tool).parse(input, toolbox.workplace);
  if (!parsed.ok) {
    throw new Rejected(
      'invalid_input',
      `The input does not fit ${tool.name}: ${parsed.problem}. Nothing was done.`,
    );
  }
  const changed = isDeepStrictEqual(input, parsed.input) ? {} : { asSent: input };
  return trail.record('tool_call', {
    id,
    tool,
    input: parsed.input,
    ...changed,
    specifier: parsed.specifier,
  });
}

/** A hook's new input goes through stage 2 again; `problem` says why it does not fit. */
export function rewriteInput(
  trail: Trail,
  call: Recorded<ToolCall> | Recorded<HookedCall>,
  input: unknown,
  by: HookRef,
  toolbox: Toolbox,
): Recorded<ToolCall> | { readonly problem: string } {
  assertRecorded(call, 'tool_call', 'input_rewritten', 'hooked_call');
  const { id, tool, input: before } = 'call' in call.value ? call.value.call : call.value;
  const parsed = insideOf(tool).parse(input, toolbox.workplace);
  if (!parsed.ok) return parsed;
  const rewritten = { id, tool, input: parsed.input, specifier: parsed.specifier, rewrite: { by, before } };
  return trail.record('input_rewritten', rewritten);
}

/** STAGE 5: runs the tool, once its permit is durable. A throw inside the tool is a failed result, not an exception. */
export async function runTool(
  trail: Trail,
  permit: Recorded<Permit>,
  toolbox: Toolbox,
  signal: AbortSignal,
): Promise<Recorded<ToolResult>> {
  assertRecorded(permit, 'permission');
  assertPermit(permit.value);
  const { call, decision, workplace, hides } = permit.value;
  await trail.readyToAct();
  if (signal.aborted) throw new Rejected('not_run', 'The user interrupted the turn before this call ran.');
  // Made first: what breaks here has started nothing, and must not be on record as if it had. Who runs no command does
  // not ask for the environment of one.
  const env = call.specifier.kind === 'command' ? toolbox.env : undefined;
  const context: RunContext = {
    workplace,
    hides,
    get env() {
      return env ?? toolbox.env;
    },
    bash: toolbox.bash,
    seen: toolbox.seen,
    target: decision.target,
    signal,
    started: (process) => trail.record('process_started', { id: call.id, process }),
    ...outputOf(call, toolbox),
  };
  trail.record('tool_started', { id: call.id, tool: call.tool.name });
  const started = performance.now();
  const { ok, text, response } = await runGuarded(call, context);
  const outcome = ok ? 'ok' : signal.aborted ? 'interrupted' : 'failed';
  return trail.record('tool_result', {
    id: call.id,
    outcome,
    text,
    durationMs: Math.round(performance.now() - started),
    ...(response === undefined ? {} : { response }),
  });
}

export type Rendered =
  | { readonly ok: true; readonly text: string; readonly response: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * What the model reads instead of a tool's own output. Who replaces an output means to hide it: where this is not
 * `ok`, the caller must show neither the value nor the output.
 */
export function renderResponse(tool: Tool, response: unknown): Rendered {
  const text = isJsonObject(response) ? insideOf(tool).render(response) : undefined;
  if (text !== undefined && isJsonObject(response)) return { ok: true, text, response };
  return { ok: false, problem: `the new output does not have the shape of ${tool.name}'s tool_response` };
}

async function runGuarded(call: ToolCall, context: RunContext): Promise<RunOutcome> {
  try {
    return await insideOf(call.tool).run(call.input, context);
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    return failed(`${call.tool.name} failed unexpectedly: ${messageOf(error)}`);
  }
}

function insideOf(tool: Tool): Inside {
  const inside = insides.get(tool);
  if (inside === undefined)
    throw new HookdError('INTERNAL', `The tool ${tool.name} was not made by defineTool.`);
  return inside;
}
