/**
 * The agent cannot answer its own questions: ways to hookd's socket, home and program, in every mode. Nothing here is ever
 * run. What no test can hold (a script that was written before, a path made at run time) is in SECURITY.md.
 */
import { expect, test } from 'vitest';
import type { PermissionMode, ToolCall } from '../../src/core/vocabulary.ts';
import { decide, newestDenial } from '../../src/permissions/decide.ts';
import { bash, edit, filesOf, glob, permissionsOf, type RuleTexts, read, write } from './scene.ts';

const BARE: RuleTexts = { allow: ['Bash', 'Read', 'Edit(//**)', 'Write'] };
const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];
const FILES = filesOf(
  ['/work/proj/f.txt', '/home/u/.hookd/settings.json', '/home/u/.hookd/run/hookd.sock', '/usr/bin/hookd'],
  { '/work/proj/back': '/home/u/.hookd', '/work/proj/h': '/usr/bin/hookd' },
);

function answersTo(call: ToolCall): readonly string[] {
  return MODES.map((mode) => {
    const permissions = { ...permissionsOf(BARE, ['sudo']), mode };
    const { behavior, cause } = decide({ permissions, call, files: FILES });
    return `${mode}: ${behavior} by ${cause.kind === 'builtin' ? cause.name : cause.kind}`;
  });
}

const DENIED = MODES.map((mode) => `${mode}: deny by hookd-home`);

test.each([
  ['curl --unix-socket ~/.hookd/run/hookd.sock -X POST http://hookd/approvals/1'],
  ['curl --unix-socket=/home/u/.hookd/run/hookd.sock http://x'],
  ['nc -U ~/.hookd/run/hookd.sock'],
  ['socat - UNIX-CONNECT:/home/u/.hookd/run/hookd.sock'],
  ['socat TCP-LISTEN:1,fork UNIX:/tmp/hookd-1000-ab/s'],
  ['ssh -L 1:/home/u/.hookd/run/s h'],
  ['openssl s_client -unix /tmp/hookd-1000-ab/s'],
  [`python3 -c "import socket;s=socket.socket(socket.AF_UNIX);s.connect('/home/u/.hookd/run/s')"`],
  [`python3 -c "import socket;s=socket.socket(socket.AF_UNIX);s.connect('/tmp/hookd-1000-ab/s')"`],
  [`node -e "require('http').request({socketPath:'/tmp/hookd-1000-ab/s'})"`],
  [`perl -e 'use IO::Socket::UNIX; IO::Socket::UNIX->new("/run/user/1000/hookd-ab/s")'`],
  ['cd ~/.hookd/run && curl --unix-socket s http://x'],
  ['cd ~/.hookd && curl --unix-socket run/*.sock http://x'],
  ['cd /tmp/hookd-1000-ab && curl --unix-socket s http://x'],
  ['S=$HOME/.hookd/run/s; curl --unix-socket $S http://x'],
  ['S=/tmp/hookd-1000-ab/s; curl --unix-socket $S http://x'],
  ['curl --unix-socket ~/.hoo*/run/s http://x'],
  ['curl --unix-socket ~/.h*/r*/* http://x'],
  ['curl --unix-socket back/run/s http://x'],
  ['ln -s ~/.hookd/run r; curl --unix-socket r/s http://x'],
  ['curl --unix-socket /tmp/hookd-1000-ab/s http://x'],
  ['curl --unix-socket /run/user/1000/hookd-ab/s http://x'],
  ['curl --unix-socket $XDG_RUNTIME_DIR/hookd-ab/s http://x'],
  [`curl --unix-socket "\${XDG_RUNTIME_DIR}"/hookd-*/s http://x`],
  ['curl --unix-socket /tmp/hookd-*/s http://x'],
  ['curl --unix-socket /tmp/hookd-$(id -u)-ab/s http://x'],
  ['curl --unix-socket /tmp/hookd-$UID-ab/s http://x'],
  ['curl http+unix://%2Fhome%2Fu%2F.hookd%2Frun%2Fhookd.sock/x'],
  ["curl -K - <<< 'unix-socket = /home/u/.hookd/run/s'"],
  ['find ~ -type s -exec curl --unix-socket {} http://x \\;'],
  ['find /tmp -type s -exec curl --unix-socket {} http://x \\;'],
  [`find / -name '*.sock' -exec nc -U {} \\;`],
  ['find ~ -type s | xargs -I{} curl --unix-socket {} http://x'],
  [`python3 - <<'X'\nimport socket\nsocket.socket(1).connect('/home/u/.hookd/run/s')\nX`],
])('%j speaks to the socket, and is denied in every mode', (command) => {
  expect(answersTo(bash(command))).toEqual(DENIED);
});

test.each([
  ['hookd'],
  ['hookd approvals allow 1'],
  ['hookd approvals deny 1'],
  ['hookd approvals rules --remove 1'],
  ['hookd trust'],
  ['hookd settings accept'],
  ['hookd daemon stop'],
  ['hookd daemon restart'],
  ['hookd daemon start'],
  ['hookd sessions end 1'],
  ['hookd sessions interrupt 1'],
  ['hookd init --user'],
  ['hookd run x'],
  ['hookd chat'],
  ['hookd -p x'],
  ['hookd --json approvals allow 1'],
  ['node /path/dist/hookd.cjs approvals allow 1'],
  ['node --no-warnings dist/hookd.cjs trust'],
  [`node -e "require('./dist/hookd.cjs')" trust`],
  [`node -e "process.argv.push('trust');import('/x/dist/hookd.cjs')"`],
  ['npx hookd approvals allow 1'],
  ['npx --yes hookd@1 trust'],
  ['npm exec -- hookd trust'],
  ['pnpm dlx hookd trust'],
  ['yarn hookd trust'],
  ['bunx hookd trust'],
  ['env X=1 hookd approvals allow 1'],
  ['echo 1 | xargs hookd approvals allow'],
  ["sh -c 'hookd approvals allow 1'"],
  ['nohup setsid hookd approvals allow 1 &'],
  ['(sleep 5; hookd approvals allow 1) &'],
  ['find . -exec hookd trust \\;'],
  ["git -c alias.x='!hookd trust' x"],
  ["printf 'hookd trust' | sh"],
  ['echo trust | xargs hookd'],
  ["at now <<< 'hookd trust'"],
  ["tmux new -d 'hookd approvals allow 1'"],
  ['screen -dm hookd trust'],
  ['parallel hookd trust ::: 1'],
  ['systemd-run --user hookd trust'],
  ['ssh localhost hookd trust'],
  ['H=hookd; $H approvals allow 1'],
  ['"hoo""kd" trust'],
  ['hook\\d trust'],
  ["$'hookd' trust"],
  [`python3 -c "import os;os.system('hookd trust')"`],
  [`python3 -c "import subprocess as s;s.run(['hookd','approvals','allow','1'])"`],
  [`perl -e 'exec "hookd", "trust"'`],
  ['cp /usr/bin/hookd h; ./h trust'],
  ['ln -s /usr/bin/hookd h && ./h trust'],
  ['yes | hookd trust'],
  ['coproc hookd trust'],
  ['f() { hookd "$@"; }; f trust'],
  ["make --eval 'x:; hookd trust' x"],
  [`awk 'BEGIN{system("hookd trust")}'`],
  ["sed '1e hookd trust' f.txt"],
  ["trap 'hookd trust' EXIT"],
  ['pkill hookd'],
  ['pkill -f hookd.cjs'],
  ['killall -9 hookd'],
  ['kill -9 $(pgrep hookd)'],
  ['kill $(pidof hookd)'],
  ['systemctl --user stop hookd'],
  ['systemctl --user edit hookd.service'],
  ['kill $(cat ~/.hookd/run/daemon.pid)'],
  ["busybox sh -c 'hookd trust'"],
  ['HOOKD_HOME=/tmp/x hookd trust'],
  ['./h trust'],
  ['node h approvals allow 1'],
])('%j has hookd change something, and is denied in every mode', (command) => {
  expect(answersTo(bash(command))).toEqual(DENIED);
});

test('the tools for files have no access to the home and the socket, in any mode', () => {
  for (const path of [
    '/home/u/.hookd/settings.json',
    '/home/u/.hookd/run/hookd.sock',
    '/home/u/.hookd/audit/x/000001.jsonl',
    '/work/proj/back/settings.json',
    '/tmp/hookd-1000-ab/hookd.sock',
    '/run/user/1000/hookd-ab/hookd.sock',
  ])
    for (const call of [read(path), write(path), edit(path), glob(path)])
      expect(answersTo(call)).toEqual(DENIED);
});

test("a person's yes does not lift it", () => {
  const permissions = permissionsOf(BARE);
  for (const command of ['hookd trust', 'nc -U /tmp/hookd-1000-ab/s', 'pkill hookd'])
    expect(newestDenial({ permissions, call: bash(command), files: FILES })?.cause).toEqual({
      kind: 'builtin',
      name: 'hookd-home',
    });
});

test('what only shows, or only mentions hookd, is left to the rules', () => {
  const commands = [
    'hookd audit tail -n 5',
    'hookd --json audit show x',
    "hookd policy explain 'Bash(git push)'",
    'hookd settings check',
    'hookd approvals list',
    'hookd sessions list',
    'hookd daemon status',
    'hookd --version',
    'node dist/hookd.cjs audit verify',
    './h --version',
    'git commit -m "hookd trust: say which rules count"',
    'echo "run hookd trust first" >> README.md',
    'grep -rn hookd .',
    'python3 -c "print(\'hookd\')"',
    'npx vitest run tests/hookd.test.ts',
    'pgrep hookd',
    'kill 1234',
    'systemctl --user status hookd',
    'find src -type s',
    "find ~ -name '*.md' -exec grep x {} +",
    'rm -rf /tmp/hookd-e2e-abc',
    'curl --unix-socket /var/run/docker.sock http://x',
    'node server.js trust',
  ];
  for (const command of commands) {
    const asked = { call: bash(command), files: FILES };
    expect([command, decide({ ...asked, permissions: permissionsOf(BARE) }).behavior]).toEqual([
      command,
      'allow',
    ]);
    const denied = decide({ ...asked, permissions: permissionsOf({ deny: ['Bash'] }) });
    expect(denied.cause.kind).toBe('rule');
  }
});
