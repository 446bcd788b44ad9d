/** The hooks of the fourth lesson: small scripts that are written into the demonstration's own home, and their settings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPTS = {
  // Rewrites "rm -r X" into "mv X trash": the rules judge what it became.
  'move-instead-of-rm.js': `
const { tool_input } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const what = /^rm -r (\\S+)$/.exec(tool_input.command);
const hookEventName = 'PreToolUse';
if (what) console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, updatedInput: { command: 'mv ' + what[1] + ' trash' } } }));
`,
  'refuse-env-files.sh': `
if grep -q '"file_path":"[^"]*/.env"'; then echo "secrets do not belong into a file that the model writes" >&2; exit 2; fi
`,
  'crashes.sh': `
kill -9 $$
`,
  'start-the-clock.sh': `
date +%s%N > "$HOOKD_SESSION_DIR/started"
`,
  'stop-the-clock.sh': `
taken=$(( ($(date +%s%N) - $(cat "$HOOKD_SESSION_DIR/started")) / 1000000 ))
echo '{"systemMessage":"the call took '$taken' ms, says the pair of hooks"}'
`,
  'wants-notes.sh': `
test -e notes.md || { echo "notes.md is missing: write down what you did" >&2; exit 2; }
`,
  'ends-the-turn.sh': `
echo '{"continue":false,"stopReason":"the budget of this demonstration is spent"}'
`,
} as const;

type ScriptName = keyof typeof SCRIPTS;

/** Writes the scripts and returns the `hooks` of settings.json. */
export function makeDemoHooks(home: string): object {
  const directory = join(home, 'demo-hooks');
  mkdirSync(directory, { recursive: true });
  for (const [name, script] of Object.entries(SCRIPTS))
    writeFileSync(join(directory, name), script.trimStart());
  const run = (name: ScriptName) => ({
    type: 'command',
    command: `${name.endsWith('.js') ? 'node' : 'sh'} '${join(directory, name)}'`,
  });
  return {
    PreToolUse: [
      { matcher: 'Bash', hooks: [run('move-instead-of-rm.js'), run('start-the-clock.sh')] },
      { matcher: 'Write', hooks: [run('refuse-env-files.sh')] },
      { matcher: 'Edit', hooks: [run('crashes.sh')] },
      { matcher: 'Glob', hooks: [run('ends-the-turn.sh')] },
    ],
    PostToolUse: [{ matcher: 'Bash', hooks: [run('stop-the-clock.sh')] }],
    Stop: [{ hooks: [run('wants-notes.sh')] }],
  };
}
