/** How much of what hooks say goes on: to the model, to people, to programs that watch. */
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/protocol.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { type Played, play, text, toolUse } from '../support/in-process.ts';

/** Prints the answer, in which LONG stands for 30,000 letters; `before` runs first. */
const says = (answer: object, before = ''): string => {
  const script = `process.stdout.write(process.argv[1].replaceAll('LONG', 'x'.repeat(30000)))`;
  return `${before}node -e "${script}" '${JSON.stringify(answer)}'`;
};

async function playWith(
  event: string,
  command: string,
): Promise<Played & { readonly events: readonly SessionEvent[] }> {
  const hooks = { [event]: [{ hooks: [{ type: 'command', command }] }] };
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] }, hooks } });
  const events: SessionEvent[] = [];
  const turns = [[toolUse('Bash', { command: 'echo ran' }, 'u1')], [text('ok')], [text('ok')]];
  const played = await play(turns, { workspace, onEvent: (told) => void events.push(told) });
  return { ...played, events };
}

const textsOf = <Kind extends 'hook_message' | 'warning'>(events: readonly SessionEvent[], kind: Kind) =>
  events.flatMap((event) => (event.kind === kind ? [event.text] : []));
const shown = (played: Played) => JSON.stringify(played.messages);

it.each([
  [
    'PreToolUse',
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'LONG',
      },
    },
  ],
  ['UserPromptSubmit', { decision: 'block', reason: 'LONG' }],
] as const)('the reason of a refusal is whole: %s', async (event, answer) => {
  const { results, end } = await playWith(event, says(answer));
  const said = event === 'PreToolUse' ? results[0]?.text : end.detail;
  expect(said).toContain('x'.repeat(30_000));
});

it('the reason of a Stop hook is whole', async () => {
  const once = '[ -e ../stopped ] && exit 0; touch ../stopped; ';
  expect(shown(await playWith('Stop', says({ decision: 'block', reason: 'LONG' }, once)))).toContain(
    'x'.repeat(30_000),
  );
});

it.each([
  ['PostToolUse', { decision: 'block', reason: 'LONG' }],
  ['PostToolUse', { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'LONG' } }],
  ['PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'LONG' } }],
])(
  'what is added for the model is cut, with a note of how much is not there: %s %j',
  async (event, answer) => {
    const words = shown(await playWith(event, says(answer)));
    expect(words).not.toContain('x'.repeat(10_001));
    expect(words).toMatch(/x\\n\.\.\. \(20\d\d\d more characters of this hook were left out\)/);
  },
);

it('no half of a character is left where a text is cut', async () => {
  const script = `process.stdout.write('\u{1f600}'.repeat(9000) )`;
  for (const shift of ['', 'a']) {
    const played = await playWith('UserPromptSubmit', `printf '%s' '${shift}'; node -e "${script}"`);
    expect(shown(played)).toContain('more characters of this hook');
    expect(shown(played)).not.toMatch(/\\ud/);
  }
});

it('people are shown the beginning and the end of a long message, and of a long warning', async () => {
  const { events, records } = await playWith('PreToolUse', says({ systemMessage: 'first LONG last' }));
  expect(textsOf(events, 'hook_message')).toEqual([
    expect.stringMatching(/^first x{4994}\n\.\.\. \(20011 characters left out\) \.\.\.\nx{4995} last$/),
  ]);
  expect(records.find(({ kind }) => kind === 'hook_run')).toMatchObject({ stdout: { characters: 30_031 } });

  const loud = await playWith('PreToolUse', `${says({}, 'exec >&2; ').replace('{}', 'LONG')}; exit 1`);
  const [warning = ''] = textsOf(loud.events, 'warning');
  expect(warning).toMatch(/^PreToolUse hook .*exit code 1 has no effect; exit 2 has: x+\n\.\.\. /s);
  expect(warning.length).toBeLessThan(10_100);
  const run = loud.records.find(({ kind }) => kind === 'hook_run');
  expect(run?.['warnings']).toEqual([expect.stringContaining('x'.repeat(30_000))]);
});

it('programs that watch get no more of the output of a hook than of a command', async () => {
  const { events } = await playWith('PreToolUse', 'printf %200000s end >&2');
  const [ended] = events.flatMap((event) => (event.kind === 'hook_ended' ? [event.ended] : []));
  expect(ended?.stderr).toMatch(/^ +\n\.\.\. \(150000 characters left out\) \.\.\.\n +end$/);
});
