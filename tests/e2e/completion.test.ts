/** What the Tab key of bash offers. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOOKD, makeWorkspace } from '../support/hookd.ts';

/** Each line is completed at its end; a line of what is offered comes for each. */
function complete(lines: readonly string[]) {
  const workspace = makeWorkspace();
  const script = `
    hookd() { '${process.execPath}' '${HOOKD}' "$@"; }
    eval "$(hookd completion bash)"
    while IFS= read -r line; do
      IFS=' ' read -ra COMP_WORDS <<<"$line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      COMPREPLY=()
      _hookd_completions
      echo "\${COMPREPLY[*]}"
    done`;
  const ended = spawnSync('bash', ['-c', script], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    cwd: workspace.project,
    env: workspace.env,
  });
  return { offered: ended.stdout.trimEnd().split('\n'), stderr: ended.stderr, workspace };
}

test('commands, subcommands, flags and their values are offered, and nothing runs', () => {
  const { offered, stderr, workspace } = complete([
    'hookd setti',
    'hookd audit ',
    'hookd run --output-format s',
    'hookd hooks new PreToolUse --lang p',
    'hookd trust --rev',
  ]);
  expect(offered).toEqual([
    'settings',
    'tail show stats export verify',
    'stream-json',
    'python perl',
    '--revoke',
  ]);
  expect(stderr).toBe('');
  expect(existsSync(`${workspace.home}/audit`)).toBe(false);
});
