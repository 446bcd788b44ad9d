/** Ways to stop the machine, to write its disks and to see processes from inside. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { all } from './answers.ts';
import { bash, filesOf, permissionsOf, read } from './scene.ts';

const BARE = { allow: ['Bash'] };

const LINKED = filesOf(['/usr/bin/sudo', '/bin/rm', '/work/proj/f.txt'], {
  '/work/proj/s': '/usr/bin/sudo',
  '/work/proj/disk': '/dev/sda',
  '/work/proj/all': '/',
  '/work/proj/pp': '/proc/4242',
  '/dev/stderr': '/proc/77/fd/2',
  '/work/proj/own': '/proc/self/environ',
  '/work/proj/task': '/proc/self/task/1',
});

const permissions = { ...permissionsOf({}), mode: 'bypassPermissions' as const };
const answersOf = (commands: readonly string[]): readonly string[] =>
  commands.map(
    (command) => `${decide({ permissions, call: bash(command), files: LINKED }).behavior} ${command}`,
  );

test('a program is denied behind a pattern and behind a link', () => {
  const denied = ['/bin/r? -rf /', '/usr/bin/[s]udo x', './s x', '/work/proj/s x'];
  expect(answersOf(denied)).toEqual(denied.map((command) => `deny ${command}`));
  expect(answersOf(['./f.txt', '/bin/rm x'])).toEqual(['allow ./f.txt', 'allow /bin/rm x']);
});

test('a disk is denied behind a link, under its other names, and to the programs that empty it', () => {
  const linked = ['cat x > disk', 'cat x > all/dev/sda', 'tee disk'];
  expect(answersOf(linked)).toEqual(linked.map((command) => `deny ${command}`));
  all(BARE, 'deny', [
    'cat x > /dev/md/x',
    'cat x > /dev/zram0',
    'cat x > /dev/bcache0',
    'cat x > /dev/pmem0',
    'cat x > /dev/dasda',
    'cat x > /dev/vg0/root',
    'cat x > /dev/mtdblock0',
    'cat x > /dev/rbd0',
    'wipefs -a /dev/sda',
    'blkdiscard /dev/sda',
    'sgdisk --zap-all /dev/sda',
    'cryptsetup luksFormat /dev/sda',
    'dcfldd of=/dev/sda',
    'parted /dev/sda mklabel gpt',
  ]);
  all(BARE, 'allow', [
    'wipefs /dev/sda',
    'fdisk -l /dev/sda',
    'sgdisk -p /dev/sda',
    'lsblk /dev/sda',
    'cat x > /dev/null',
    'cat x > /dev/shm/vg/x',
    'cat x > /dev/pts/0',
    'tee /dev/tty',
  ]);
});

test('the machine is not stopped by other words either', () => {
  all(BARE, 'deny', [
    'systemctl isolate poweroff.target',
    'systemctl start reboot.target',
    'systemctl soft-reboot',
    'loginctl poweroff',
    'init -t 5 0',
    'telinit -t 3 6',
    'kexec -e',
    'echo b > /proc/sysrq-trigger',
    'echo o | tee /proc/sysrq-trigger',
    'mkdosfs x',
    'mkntfs x',
    'mkexfatfs x',
    'mkreiserfs x',
  ]);
  all(BARE, 'allow', [
    'systemctl start nginx',
    'loginctl list-sessions',
    'kexec -l x',
    'npm init',
    'telinit u',
  ]);
});

test('a process is not seen from inside behind a link, nor by ps', () => {
  const denied = [
    "tr '\\0' '\\n' < pp/environ",
    'cat pp/environ',
    'cd pp && cat environ',
    'ps eww',
    'ps axe',
    'ps auxe',
  ];
  expect(answersOf(denied)).toEqual(denied.map((command) => `deny ${command}`));
  const free = [
    'echo x > /dev/stderr',
    'cat pp/status',
    'ps -ef',
    'ps aux',
    'ps -e',
    'ps -eo pid',
    'ps -C node',
    'ps -p 1 -o time',
  ];
  expect(answersOf(free)).toEqual(free.map((command) => `allow ${command}`));
  for (const path of ['/work/proj/own', '/work/proj/task/environ', '/work/proj/pp/environ'])
    expect(decide({ permissions, call: read(path), files: LINKED }).behavior).toBe('deny');
});
