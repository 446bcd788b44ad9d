#!/usr/bin/env node
// Event: PreModelRequest
// Does: watches the size of the conversation before each request to the model. Above the first number of tokens the model
//   is told once to be brief; above the second the turn ends. A summary, which makes it smaller, may always be asked for.
//   An event of hookd: under Claude Code this never runs.
// Settings:
// {"hooks": {"PreModelRequest": [{"hooks": [{"type": "command", "timeout": 10, "onFailure": "block",
//   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/context-meter.mjs 120000 180000"}]}]}}
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [warnAt, stopAt] = [process.argv[2] ?? 120_000, process.argv[3] ?? 180_000].map(Number);

try {
  if (!(warnAt > 0 && stopAt > 0)) throw new Error('the limits must be numbers of tokens');
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += part;
  const { purpose, context_tokens: tokens } = JSON.parse(text);
  if (!Number.isFinite(tokens)) throw new Error('no context_tokens');
  if (purpose !== 'summary') judge(tokens);
} catch (error) {
  // It guards a limit: what it cannot measure does not pass.
  console.error(`context-meter: the size of the conversation is unknown (${error.message})`);
  process.exitCode = 2;
}

function judge(tokens) {
  if (tokens > stopAt) {
    const stopReason = `context-meter: ${tokens} tokens, more than ${stopAt}. Compact the conversation or start a new one.`;
    console.log(JSON.stringify({ continue: false, stopReason }));
  } else if (isNews(tokens > warnAt)) {
    const additionalContext = `The conversation holds ${tokens} tokens; at ${stopAt} it will be stopped. Read and print only what you need.`;
    console.log(
      JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreModelRequest', additionalContext } }),
    );
  }
}

/** True the first time in a session, and again after the conversation was small in between. */
function isNews(isLarge) {
  const directory = process.env.HOOKD_SESSION_DIR;
  if (!directory) return isLarge;
  const mark = join(directory, 'context-meter-warned');
  if (!isLarge) rmSync(mark, { force: true });
  if (!isLarge || existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}
