import { expect, test } from 'vitest';
import { BUILTIN_DENIAL_NAMES } from '../../src/permissions/guards/builtin.ts';
import { bash, denialAfterApproval, judge } from './scene.ts';

const BARE = { allow: ['Bash'] };

test.each([
  ['rm-root', 'rm -rf /'],
  ['rm-root', 'rm -r -f //'],
  ['rm-root', 'rm -rf /*'],
  ['rm-root', 'cd / && rm -rf .'],
  ['rm-root', 'rm --recursive --no-preserve-root x'],
  ['sudo', 'sudo ls'],
  ['sudo', 's""udo ls'],
  ['sudo', '/usr/bin/sudo ls'],
  ['sudo', 'echo $(sudo ls)'],
  ['sudo', 'bash -c "sudo ls"'],
  ['sudo', 'echo "sudo ls" | sh'],
  ['shutdown', 'shutdown -h now'],
  ['shutdown', 'systemctl poweroff'],
  ['reboot', 'nohup reboot'],
  ['mkfs', 'mkfs.ext4 /dev/sda1'],
  ['dd', 'dd if=/dev/zero of=x'],
  ['raw-disk', 'echo x > /dev/sda'],
  ['raw-disk', 'tee /dev/nvme0n1'],
])('%s denies %j, and is switched off by name', (name, command) => {
  const decision = judge(BARE, bash(command));
  expect([decision.behavior, decision.cause]).toEqual(['deny', { kind: 'builtin', name }]);
  expect(denialAfterApproval(BARE, bash(command))?.behavior).toBe('deny');
  expect(judge(BARE, bash(command), BUILTIN_DENIAL_NAMES).cause).not.toEqual({ kind: 'builtin', name });
});

test.each([
  ['echo "no sudo"'],
  ['echo sudo'],
  ['rm -rf src'],
  ['rm -rf ./src/'],
  ['grep -r shutdown .'],
  ['echo x > /dev/null'],
  ['cat mkfs'],
  ["cat <<'E'\nsudo ls\nE"],
])('text is not a command: %j runs', (command) => {
  expect(judge(BARE, bash(command)).behavior).toBe('allow');
});

test.each([
  ['cat ~/.hookd/settings.json'],
  ['cat "$HOME/.hookd/x"'],
  ['cd ~ && cat .hookd/settings.json'],
  ['cat ~/.hook*/settings.json'],
  ['echo x > /home/u/.hookd/settings.json'],
  ['cat back/settings.json'],
  ['python3 -c "open(\'/home/u/.hookd/x\')"'],
  ['ls $HOOKD_HOME'],
  ['curl --unix-socket /tmp/x/hookd.sock http://x'],
  ['tar c ~/.hookd'],
  ['hookd settings accept'],
  ['hookd trust'],
  ['hookd -p hi'],
  ['env hookd approvals allow 1'],
  ['node dist/hookd.cjs trust'],
])('%j reaches for hookd and is denied, whatever is allowed and switched off', (command) => {
  const decision = judge(BARE, bash(command), BUILTIN_DENIAL_NAMES);
  expect([decision.behavior, decision.cause]).toEqual(['deny', { kind: 'builtin', name: 'hookd-home' }]);
});

test.each([
  ['hookd audit tail'],
  ['hookd policy explain Bash ls'],
  ['hookd --version'],
  ['cat .hookd/settings.json'],
  ['ls /home/u/.hookdx'],
])('%j only looks', (command) => {
  expect(judge(BARE, bash(command)).behavior).toBe('allow');
});

test.each([
  ['rm f.txt', 'rm'],
  ['chmod 777 f.txt', 'chmod-777'],
  ['touch /tmp/x', 'write-outside'],
  ['make > /etc/x', 'write-etc'],
])('%j asks by name where no rule matched: %s', (command, name) => {
  expect(judge({}, bash(command)).cause).toEqual({ kind: 'builtin', name });
});
