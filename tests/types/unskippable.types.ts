/**
 * Ways round the audit and the gate that must not compile. Each `@ts-expect-error` is a test: the compiler fails when
 * the line under it is accepted. (What a cast can still do is refused at run time: tests/audit/seals.test.ts.)
 */
import { authorize, type Gate } from '../../src/agent/authorize.ts';
import type { Transcript } from '../../src/agent/transcript.ts';
import type { Resumption } from '../../src/audit/record-values.ts';
import type { Recorded, Trail } from '../../src/audit/trail.ts';
// @ts-expect-error The sealed class is exported as a type only: nobody outside can construct one.
import { Sealed } from '../../src/audit/trail.ts';
import type { ModelRequest, Tool, ToolCall, ToolResult, ToolUse } from '../../src/core/vocabulary.ts';
import type { TurnNotes } from '../../src/hooks/host.ts';
import { preToolUse } from '../../src/hooks/pre-tool-use.ts';
import type { Model } from '../../src/model/model.ts';
import type { Permit } from '../../src/permissions/permit.ts';
import { runTool, type Toolbox } from '../../src/tools/tool.ts';

declare const trail: Trail;
declare const toolbox: Toolbox;
declare const signal: AbortSignal;
declare const gate: Gate;
declare const notes: TurnNotes;
declare const transcript: Transcript;
declare const resumption: Resumption;
declare const model: Model;
declare const tool: Tool;
declare const use: Recorded<ToolUse>;
declare const call: Recorded<ToolCall>;
declare const permit: Permit;
declare const recordedPermit: Recorded<Permit>;
declare const result: ToolResult;
declare const request: ModelRequest;

export const waysRound = {
  // @ts-expect-error A literal is not a recorded value.
  literal: (): Recorded<ToolUse> => ({ kind: 'tool_use', value: use.value, hash: use.hash, isSealed: true }),

  // @ts-expect-error A recorded value with its value replaced is not a recorded value.
  spread: (): Recorded<ToolCall> => ({ ...call, value: call.value }),

  // @ts-expect-error The parse stage cannot be skipped: a tool use is not a tool call.
  skipParse: () => preToolUse(trail, use, gate.hooks, notes, toolbox, signal),

  // @ts-expect-error The hooks cannot be skipped: a tool call is not a hooked call.
  skipHooks: () => authorize(trail, call, gate, notes, signal),

  // @ts-expect-error The gate cannot be skipped: a tool call is not a permit.
  skipGate: () => runTool(trail, call, toolbox, signal),

  // @ts-expect-error A permit that is not on record runs nothing.
  unrecordedPermit: () => runTool(trail, permit, toolbox, signal),

  // @ts-expect-error A permit cannot be written down by hand.
  forgedPermit: (): Permit => ({
    call: call.value,
    decision: permit.decision,
    policy: permit.policy,
    workplace: permit.workplace,
    isSealed: true,
  }),

  recordedJudgement: (): Recorded<Permit> =>
    // @ts-expect-error A plain judgement that is recorded is no recorded permit.
    trail.record('permission', { call: call.value, decision: permit.decision, policy: '' }),

  // @ts-expect-error The transcript takes no result that is not on record.
  unrecordedResult: () => transcript.append([result]),

  // @ts-expect-error What an earlier process left comes in by its record only.
  unrecordedResumption: () => transcript.restore(resumption),

  // @ts-expect-error No request leaves before it is on record.
  unrecordedRequest: () => model.respond(request, signal),

  // @ts-expect-error A tool's code is not on the tool.
  directRun: () => tool.run({}, {}),

  // @ts-expect-error There is no trail without a writer.
  nullTrail: (): Trail => ({ record: () => undefined, durable: async () => undefined }),

  // @ts-expect-error A value is recorded as what it is: a result is not a permission.
  wrongKind: () => trail.record('permission', result),

  // @ts-expect-error There is no record kind of one's own.
  ownKind: () => trail.record('nothing', {}),

  sealed: Sealed,
};

export function exchange(): void {
  // @ts-expect-error A permit's call cannot be exchanged after it was judged.
  permit.call = call.value;
  // @ts-expect-error A recorded value cannot be exchanged after it was recorded.
  recordedPermit.value = permit;
}
