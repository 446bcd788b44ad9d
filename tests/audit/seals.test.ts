import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Transcript } from '../../src/agent/transcript.ts';
import { assertRecorded, type Recorded, Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { HookedCall, ToolCall, ToolResult, ToolUse, ToolUseId } from '../../src/core/vocabulary.ts';
import { assertPermit, mintPermit, type Permit } from '../../src/permissions/permit.ts';
import { runTool, type Toolbox } from '../../src/tools/tool.ts';

const id = 'toolu_1' as ToolUseId;

function freshTrail(): Trail {
  return new Trail(AuditWriter.create(join(mkdtempSync(join(tmpdir(), 'hookd-seals-')), 'audit', 'w')));
}

describe('a cast that gets past the compiler', () => {
  it('does not make a recorded value', () => {
    const forged = {
      kind: 'tool_result',
      value: { id, outcome: 'ok', text: '' },
      hash: '',
    } as unknown as Recorded<ToolResult>;
    expect(() => assertRecorded(forged, 'tool_result')).toThrow(/not recorded/);
    expect(() => new Transcript().append([forged])).toThrow(/not recorded/);
    expect(() => new Transcript().restore(forged as never)).toThrow(/not recorded/);
  });

  it('does not make one through the constructor of a real one', () => {
    const real = freshTrail().record('tool_use', { id, name: 'Bash', input: {} } satisfies ToolUse);
    const make = real.constructor as unknown as new (
      kind: string,
      value: unknown,
      hash: string,
    ) => Recorded<ToolUse>;
    expect(() => assertRecorded(new make('tool_use', {}, ''), 'tool_use')).toThrow(/not recorded/);
  });

  it('does not let a value through a door under another kind', () => {
    const use = freshTrail().record('tool_use', { id, name: 'Bash', input: {} } satisfies ToolUse);
    expect(() =>
      mintPermit(
        use as unknown as Recorded<HookedCall>,
        { behavior: 'allow', reason: '', cause: { kind: 'unanswered', why: '' } },
        '',
        {} as never,
      ),
    ).toThrow(/hooked_call/);
  });

  it('does not make a permit that a tool runs on', async () => {
    const trail = freshTrail();
    const judgement = { call: { id }, decision: { behavior: 'allow' }, policy: '' } as unknown as Permit;
    expect(() => assertPermit(judgement)).toThrow(/not minted/);
    const recorded = trail.record('permission', {
      ...judgement,
      call: { id, tool: { name: 'Bash' } } as ToolCall,
    });
    const run = runTool(
      trail,
      recorded as unknown as Recorded<Permit>,
      {} as Toolbox,
      new AbortController().signal,
    );
    await expect(run).rejects.toThrow(/not minted/);
  });

  it('does not change a value after it was recorded', () => {
    const use = freshTrail().record('tool_use', { id, name: 'Bash', input: { command: 'ls', more: ['x'] } });
    expect(() => Object.assign(use.value.input as object, { command: 'rm' })).toThrow(TypeError);
    expect(() => Object.assign(use, { value: null })).toThrow(TypeError);
  });
});

it('a permit is minted for an allowed call only', () => {
  const trail = freshTrail();
  const call = trail.record('hooked_call', {
    call: {
      id,
      tool: { name: 'Bash' },
      input: {},
      specifier: { kind: 'none' },
    } as unknown as ToolCall,
  });
  const decision = { behavior: 'ask', reason: '', cause: { kind: 'unanswered', why: '' } } as const;
  expect(() => mintPermit(call, decision, '', {} as never)).toThrow(/says ask/);
});
