/** Hooks that answer in a person's place, and those that are told of a refusal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { type Played, type PlayOptions, play, text, toolUse } from '../support/in-process.ts';

const command = (script: string, more: object = {}) => ({ type: 'command', command: script, ...more });
const says = (answer: object) => command(`cat > /dev/null; echo '${JSON.stringify(answer)}'`);
const decision = (fields: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: fields },
});
const answers = (fields: object) => says(decision(fields));

function withHooks(hooks: Record<string, readonly object[]>, permissions: object = {}): Workspace {
  const groups = Object.entries(hooks).map(([event, entries]) => [event, [{ hooks: entries }]]);
  return makeWorkspace({ settings: { permissions, hooks: Object.fromEntries(groups) } });
}

function bash(line: string, options: PlayOptions): Promise<Played> {
  return play([[toolUse('Bash', { command: line }, 'u1')], [text('ok')]], options);
}

/** A person who says yes, and how often they were asked. */
function person() {
  const asked: unknown[] = [];
  const ask = async (request: { value: { input: unknown } }) => {
    asked.push(request.value.input);
    return { answer: 'allow' as const, client: 'test' };
  };
  return { asked, approvals: { ask } };
}

describe('PermissionRequest', () => {
  it.each([
    ['before it', [answers({ behavior: 'allow' }), says({ continue: false, stopReason: 'enough' })]],
    ['after it', [says({ continue: false, stopReason: 'enough' }), answers({ behavior: 'allow' })]],
    ['alone', [says({ continue: false, stopReason: 'enough' })]],
  ])(
    '"continue": false: the call does not run, whoever allows it (%s), and nobody is asked',
    async (_, hooks) => {
      const { asked, approvals } = person();
      const workspace = withHooks({ PermissionRequest: hooks });
      const { end, results, records } = await bash('touch made', { workspace, approvals });
      expect(results).toMatchObject([{ outcome: 'denied', text: expect.stringContaining('enough') }]);
      expect(asked).toEqual([]);
      expect(end).toMatchObject({ reason: 'hook_stopped', detail: 'enough' });
      expect(readdirSync(workspace.project)).toEqual([]);
      expect(records.filter(({ kind }) => kind === 'permission')).toMatchObject([
        { decision: 'deny', cause: { kind: 'hook', hook: { event: 'PermissionRequest' } } },
      ]);
    },
  );

  it('of several that deny all reasons are kept, and one of them ends the turn', async () => {
    const denies = [
      answers({ behavior: 'deny', message: 'not now' }),
      answers({ behavior: 'deny', message: 'not here', interrupt: true }),
    ];
    for (const hooks of [denies, denies.toReversed()]) {
      const { end, results } = await bash('touch made', {
        workspace: withHooks({ PermissionRequest: hooks }),
      });
      expect(results).toMatchObject([{ outcome: 'denied' }]);
      for (const reason of ['not now', 'not here']) expect(results[0]?.text).toContain(reason);
      expect(end.reason).toBe('error');
    }
  });

  it('of several hooks that ask about a prompt a person is shown all reasons', async () => {
    const asks = ['one', 'two'].map((why) => command(`echo ${why} >&2; kill -9 $$`, { onFailure: 'ask' }));
    const reasons: string[] = [];
    const ask = async (request: { value: { decision: { reason: string } } }) => {
      reasons.push(request.value.decision.reason);
      return { answer: 'allow' as const, client: 'test' };
    };
    await play([[text('ok')]], { workspace: withHooks({ UserPromptSubmit: asks }), approvals: { ask } });
    expect(reasons).toEqual([expect.stringMatching(/one.*two/s)]);
  });

  it('an allow that was meant for yet another input is no opinion: a person is asked about the one that would run', async () => {
    const more = `jq -c '{hookSpecificOutput:{hookEventName:"PermissionRequest",decision:{behavior:"allow",updatedInput:{command:(.tool_input.command+"x")}}}}'`;
    const { asked, approvals } = person();
    const workspace = withHooks({ PermissionRequest: [command(more)] });
    const { results } = await bash('touch m', { workspace, approvals });
    expect(results).toMatchObject([{ outcome: 'ok' }]);
    expect(asked).toEqual([{ command: 'touch mx' }]);
    expect(readdirSync(workspace.project)).toEqual(['mx']);
  });

  it('an allow that gives the same input again is one', async () => {
    const { asked, approvals } = person();
    const same = answers({ behavior: 'allow', updatedInput: { command: 'touch same' } });
    const workspace = withHooks({ PermissionRequest: [same] });
    await bash('touch other', { workspace, approvals });
    expect(asked).toEqual([]);
    expect(readdirSync(workspace.project)).toEqual(['same']);
  });

  it('a deny rule that is saved while it is asked about its own rewrite bites', async () => {
    const deny = JSON.stringify({ permissions: { deny: ['Bash(touch *)'] } });
    const answer = JSON.stringify(
      decision({ behavior: 'allow', updatedInput: { command: 'touch rewritten' } }),
    );
    const hook = `if grep -q '"touch rewritten"'; then echo '${deny}' > "$SETTINGS.new"; mv "$SETTINGS.new" "$SETTINGS"; fi; echo '${answer}'`;
    const workspace = withHooks({ PermissionRequest: [command(hook)] });
    const settings = join(workspace.home, 'settings.json');
    const env = { ...workspace.env, SETTINGS: settings };
    const { results } = await bash('touch original', { workspace: { ...workspace, env } });
    expect(readFileSync(settings, 'utf8')).toContain('deny');
    expect(results).toMatchObject([{ outcome: 'denied', text: expect.stringContaining('Bash(touch *)') }]);
    expect(readdirSync(workspace.project)).toEqual([]);
  });

  it('an input of it that does not fit is refused, with the decision on record', async () => {
    const workspace = withHooks({
      PermissionRequest: [answers({ behavior: 'allow', updatedInput: { command: 7 } })],
    });
    const { results, records } = await bash('touch made', { workspace });
    expect(results).toMatchObject([{ outcome: 'denied', text: expect.stringContaining('does not fit') }]);
    expect(records.filter(({ kind }) => kind === 'permission')).toMatchObject([
      { decision: 'deny', cause: { kind: 'hook', hook: { event: 'PermissionRequest' } } },
    ]);
  });
});

describe('PermissionDenied', () => {
  it('runs with an "if" that fits the call, and is on record with it', async () => {
    const workspace = withHooks(
      {
        PermissionDenied: [
          command('touch fits', { if: 'Bash(rm *)' }),
          command('touch other', { if: 'Bash(ls *)' }),
        ],
      },
      { deny: ['Bash(rm *)'] },
    );
    const { results, records } = await bash('rm made', { workspace });
    expect(results).toMatchObject([{ outcome: 'denied' }]);
    expect(readdirSync(workspace.project)).toEqual(['fits']);
    expect(records.filter(({ kind }) => kind === 'hook_run')).toMatchObject([
      { hook: { event: 'PermissionDenied' }, tool_use_id: 'u1' },
    ]);
  });
});
