/** `hookd hooks run EVENT`: the hooks of one occasion, run for real and shown; no tool runs, no model is asked. */
import { readFileSync } from 'node:fs';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, PermissionMode, ToolCall } from '../core/vocabulary.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { CommonFields, Trial, TrialRequest } from '../daemon/hook-trial.ts';
import {
  COMMON_PAYLOAD,
  eventRow,
  HOOK_EVENTS,
  type HookEvent,
  isHookEvent,
  NEVER_FIRES,
} from '../hooks/events.ts';
import { sampleFields, sampleInput, sampleResponse } from '../hooks/sample-payload.ts';
import { nearMiss } from '../lib/near-miss.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { trialLines, trialObject } from './hooks-run-report.ts';
import type { Output } from './output.ts';
import { closeQuietly } from './session-host.ts';
import { interruptSignal } from './signals.ts';
import { givenPath, startDirectory } from './start-directory.ts';

export interface RunOptions {
  readonly event: string;
  readonly tool: string | undefined;
  /** JSON: the input of the tool; on other events fields of the payload. */
  readonly input: string | undefined;
  /** A file with a whole payload. */
  readonly payload: string | undefined;
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

/** Returns the exit code: 3 when hooks refuse, block or end the turn. */
export async function runHooksCommand(options: RunOptions, output: Output): Promise<number> {
  const signal = interruptSignal();
  const request = {
    ...occasionOf(options),
    startDirectory: startDirectory(),
    flags: options.flags,
    signal,
    tell: (text: string) => output.note(`hookd: warning: ${text}`),
  };
  const daemon = await Daemon.open({ env: options.env });
  let trial: Trial;
  try {
    trial = await daemon.tryHooks(request);
    await daemon.close('hooks run');
  } catch (error) {
    await closeQuietly(daemon, messageOf(error));
    throw error;
  }
  if (options.json) output.result(JSON.stringify({ ...trialObject(trial), audit: daemon.audit }));
  else for (const line of trialLines(trial, daemon.audit.file)) output.result(line);
  if (signal.aborted) return EXIT.interrupted;
  return isRefusal(trial) ? EXIT.denied : EXIT.done;
}

function isRefusal({ played }: Trial): boolean {
  return played.verdict === 'block' || played.stop !== undefined;
}

type Asked = Pick<TrialRequest, 'event' | 'use' | 'fields' | 'subject' | 'common'>;

function occasionOf(options: RunOptions): Asked {
  const event = eventNamed(options.event);
  const { tool, input } = options;
  if (options.payload !== undefined) {
    if (tool !== undefined || input !== undefined)
      throw new HookdError('USAGE', 'Give --payload, or --tool and --input, not both.');
    return fromPayload(event, readPayload(givenPath(options.payload)));
  }
  const given = input === undefined ? undefined : parsedInput(input);
  if (!isAboutTool(event)) {
    if (tool !== undefined)
      throw new HookdError('USAGE', `${event} is not about a tool call: leave --tool out.`);
    return fromFields(event, given ?? {}, {});
  }
  if (tool === undefined)
    throw new HookdError(
      'USAGE',
      `${event} is about a tool call: give --tool NAME and --input JSON, or --payload FILE.`,
    );
  const whole = given ?? sampleInput(tool);
  if (whole === undefined) throw new HookdError('USAGE', `Give the input of ${tool}: --input JSON.`);
  return fromFields(event, { tool_name: tool, tool_input: whole }, {});
}

/** Throws USAGE. */
export function eventNamed(name: string): HookEvent {
  if (isHookEvent(name)) return name;
  const known = Object.keys(HOOK_EVENTS);
  if (NEVER_FIRES.some((event) => event === name))
    throw new HookdError('USAGE', `${name} is an event of Claude Code that never fires here.`);
  const near = nearMiss(name, known);
  throw new HookdError(
    'USAGE',
    `There is no event ${JSON.stringify(name)}.${near === undefined ? '' : ` Did you mean ${near}?`} The events are: ${known.join(', ')}.`,
  );
}

const isAboutTool = (event: HookEvent): boolean => eventRow(event).subject === 'tool_name';

function fromPayload(event: HookEvent, payload: JsonObject): Asked {
  const named = payload['hook_event_name'];
  if (named !== undefined && named !== event)
    throw new HookdError('USAGE', `The payload is one of ${JSON.stringify(named)}, not of ${event}.`);
  const mode = MODES.find((known) => known === payload['permission_mode']);
  const common: CommonFields = {
    ...textField('sessionId', payload['session_id']),
    ...textField('transcriptPath', payload['transcript_path']),
    ...textField('promptId', payload['prompt_id']),
    ...(mode === undefined ? {} : { permissionMode: mode satisfies PermissionMode }),
  };
  const own = new Set([...Object.keys(COMMON_PAYLOAD.properties), 'permission_mode']);
  const fields = Object.fromEntries(Object.entries(payload).filter(([key]) => !own.has(key)));
  if (isAboutTool(event) && (typeof fields['tool_name'] !== 'string' || !isJsonObject(fields['tool_input'])))
    throw new HookdError(
      'USAGE',
      `A payload of ${event} holds "tool_name" (text) and "tool_input" (an object).`,
    );
  return fromFields(event, fields, common);
}

function textField<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  return (typeof value === 'string' ? { [key]: value } : {}) as { readonly [K in Key]?: string };
}

/** What is not given is taken from an example. */
function fromFields(event: HookEvent, fields: JsonObject, common: CommonFields): Asked {
  const { tool_name, tool_input, tool_use_id, ...others } = fields;
  const { subject } = eventRow(event);
  if (typeof tool_name === 'string' && isJsonObject(tool_input) && isAboutTool(event)) {
    const id = typeof tool_use_id === 'string' ? tool_use_id : 'toolu_hooks_run';
    return {
      ...{ event, common, subject: undefined },
      use: { id, name: tool_name, input: tool_input },
      fields: (call) => ({ ...sampleFields(event), ...responseFields(event, call), ...others }),
    };
  }
  const whole = { ...sampleFields(event), ...fields };
  const value = subject === undefined ? undefined : whole[subject];
  return { event, common, subject: typeof value === 'string' ? value : undefined, fields: () => whole };
}

function responseFields(event: HookEvent, call: ToolCall | undefined): JsonObject {
  if (event !== 'PostToolUse' || call === undefined) return {};
  return { tool_response: sampleResponse(call.tool.name, call.input) };
}

function parsedInput(text: string): JsonObject {
  return objectIn(text, '--input');
}

function readPayload(path: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new HookdError('USAGE', `The payload cannot be read: ${messageOf(error)}.`);
  }
  return objectIn(text, path);
}

/** Throws USAGE. */
export function objectIn(text: string, where: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new HookdError('USAGE', `${where} is not JSON: ${messageOf(error)}.`);
  }
  if (isJsonObject(value)) return value;
  throw new HookdError('USAGE', `${where} is not a JSON object.`);
}
