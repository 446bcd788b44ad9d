/** Which hook is the quickest decides nothing. HOOKD_RUNS sets how often that is tried: 200 for a thorough look. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const RUNS = Number(process.env['HOOKD_RUNS'] ?? 4);

/** After up to 60 ms it allows the call with one word more. */
function rewriter(word: string) {
  const answer = `{ hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: command + ' ${word}' } }`;
  const code = `const { command } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool_input;
    setTimeout(() => console.log(JSON.stringify({ hookSpecificOutput: ${answer} })), Math.random() * 60);`;
  return { type: 'command', command: process.execPath, args: ['-e', code] };
}

/** Notes all that it is asked about, and refuses what it is told to refuse. */
function judge(refused: string) {
  const code = `const fs = require('fs');
    const { command } = JSON.parse(fs.readFileSync(0, 'utf8')).tool_input;
    setTimeout(() => {
      fs.appendFileSync('judged', command + '\\n');
      if (command !== '${refused}') return;
      console.error('not this');
      process.exitCode = 2;
    }, Math.random() * 60);`;
  return { type: 'command', command: process.execPath, args: ['-e', code] };
}

async function outcomeOf(refused: string): Promise<string> {
  const hooks = [rewriter('first'), judge(refused), rewriter('second')];
  const workspace = makeWorkspace({ settings: { permissions: {}, hooks: { PreToolUse: [{ hooks }] } } });
  const { results } = await play([[toolUse('Bash', { command: 'touch made' })], [text('ok')]], {
    workspace,
  });
  const judged = join(workspace.project, 'judged');
  return JSON.stringify({
    outcome: results[0]?.outcome,
    files: readdirSync(workspace.project).sort(),
    judged: existsSync(judged) ? readFileSync(judged, 'utf8').trimEnd().split('\n') : [],
  });
}

const rounds = ['touch made', 'touch made first', 'touch made first second'];

it.each([
  ['nothing', 'ok', ['first', 'judged', 'made', 'second'], rounds],
  ['touch made first second', 'denied', ['judged'], rounds],
  ['touch made', 'denied', ['judged'], rounds.slice(0, 1)],
])(
  `two rewriters and a judge that refuses "%s": one outcome in all of ${RUNS} runs`,
  { timeout: 20_000 + RUNS * 5_000 },
  async (refused, outcome, files, judged) => {
    const seen = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) seen.add(await outcomeOf(refused));
    expect([...seen]).toEqual([JSON.stringify({ outcome, files, judged })]);
  },
);
