#!/usr/bin/env node
// Event: PostToolUse
// Does: shows the model what a person would have seen of a command's output: without colours and cursor movements, without
//   progress lines that were overwritten, and lines that repeat more than three times as one line with a count.
// Settings:
// {"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "timeout": 10,
//   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/tidy-output.mjs"}]}]}}

const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][A-Z0-9]|[=>@-Z\\^_])/g;

try {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += part;
  const { tool_response: response } = JSON.parse(text);
  if (typeof response?.stdout !== 'string') throw new Error('tool_response holds no stdout');
  const stdout = tidy(response.stdout);
  const stderr = typeof response.stderr === 'string' ? tidy(response.stderr) : response.stderr;
  if (!response.isImage && (stdout !== response.stdout || stderr !== response.stderr)) {
    // The whole response in the tool's own shape: anything else is ignored.
    const updatedToolOutput = { ...response, stdout, stderr };
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }));
  }
} catch (error) {
  console.error(`tidy-output: nothing done (${error.message})`);
  process.exitCode = 1;
}

function tidy(output) {
  const lines = output.replace(ESCAPES, '').split('\n').map(lastState);
  const tidied = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (lines[end] === lines[at]) end++;
    const count = end - at;
    if (count > 3 && lines[at] !== '') tidied.push(lines[at], `... (${count} times)`);
    else tidied.push(...lines.slice(at, end));
    at = end;
  }
  return tidied.join('\n');
}

/** What a terminal shows of a line that returns to its beginning. */
function lastState(line) {
  const states = line.split('\r').filter((state) => state !== '');
  return states.at(-1) ?? '';
}
