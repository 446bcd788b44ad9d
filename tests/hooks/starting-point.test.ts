/** What `hookd hooks new` hands out works as it is: it reads its payload and has no opinion. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommandHook } from '../../src/hooks/command.ts';
import { eventRow, HOOK_EVENTS, type HookEvent, isHookEvent } from '../../src/hooks/events.ts';
import { readOutcome } from '../../src/hooks/output.ts';
import { isOnPath } from '../../src/hooks/program.ts';
import { sampleFields, sampleInput, sampleResponse } from '../../src/hooks/sample-payload.ts';
import { LANGUAGES, type Language, NEEDS, startingPoint } from '../../src/hooks/starting-point.ts';
import { commandHook, hostIn } from './hooks.ts';

const EVENTS = Object.keys(HOOK_EVENTS).filter(isHookEvent);
const directory = mkdtempSync(join(tmpdir(), 'hookd-new-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function payloadOf(event: HookEvent): string {
  const input = sampleInput('Bash') ?? {};
  const isTool = eventRow(event).subject === 'tool_name';
  const call = { tool_name: 'Bash', tool_input: input, tool_use_id: 'toolu_1' };
  return JSON.stringify({
    ...{ session_id: 's', transcript_path: '/dev/null', cwd: directory, hook_event_name: event },
    ...(isTool ? call : {}),
    ...(event === 'PostToolUse' ? { tool_response: sampleResponse('Bash', input) } : {}),
    ...sampleFields(event),
  });
}

async function run(event: HookEvent, language: Language, payload: string, change = (text: string) => text) {
  const file = join(mkdtempSync(join(directory, 'run-')), 'hook');
  writeFileSync(file, change(startingPoint(event, language, file).text));
  chmodSync(file, 0o755);
  const ended = await runCommandHook(
    commandHook(file, { event }),
    payload,
    hostIn(directory),
    new AbortController().signal,
  );
  return { ended, outcome: readOutcome(event, ended) };
}

describe.each(LANGUAGES)('a starting point in %s', (language) => {
  const missing = NEEDS[language].filter((name) => !isOnPath(name, process.env['PATH'] ?? ''));
  const cases = missing.length > 0 ? it.skip.each(EVENTS) : it.each(EVENTS);
  if (missing.length > 0) it.skip(`cannot run here: ${missing.join(', ')} is not installed`);

  cases('of %s has no opinion', async (event) => {
    const { ended, outcome } = await run(event, language, payloadOf(event));
    const { end, stdout, stderr } = ended;
    expect({ event, end, stdout, stderr, outcome }).toEqual({
      event,
      end: { kind: 'exited', code: 0 },
      stdout: '',
      stderr: '',
      outcome: { verdict: 'none', warnings: [] },
    });
  });

  it.skipIf(missing.length > 0)('refuses on a gate what it cannot read, and lets go elsewhere', async () => {
    for (const payload of ['', 'no JSON', '{}']) {
      expect((await run('PreToolUse', language, payload)).outcome.verdict).toBe('block');
      expect((await run('PostToolUse', language, payload)).outcome.verdict).toBe('none');
    }
  });

  it.skipIf(missing.length > 0)(
    'gives the answer of its example once its comment marks are gone',
    async () => {
      const switchOn = (text: string) =>
        text.replace(/^( *)(?:#|\/\/) ((?:if|case|print| |esac|\}).*)$/gm, (line, indent, code) =>
          text.indexOf(line) > text.indexOf('Put your test here') ? indent + code : line,
        );
      const payload = JSON.stringify({
        ...JSON.parse(payloadOf('PreToolUse')),
        tool_input: { command: 'something' },
      });
      const { outcome } = await run('PreToolUse', language, payload, switchOn);
      expect(outcome).toMatchObject({
        verdict: 'block',
        reason: 'PreToolUse:Bash hook error: Say what to do instead.'.replace(':Bash', ''),
      });
    },
  );

  it.skipIf(missing.length > 0)('does not send the model on a second time', async () => {
    const payload = JSON.stringify({ ...JSON.parse(payloadOf('Stop')), stop_hook_active: true });
    const { ended } = await run('Stop', language, payload);
    expect(ended.end).toEqual({ kind: 'exited', code: 0 });
  });
});
