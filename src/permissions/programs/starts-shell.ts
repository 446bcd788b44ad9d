/** Programs that start a shell where they are given no command: what comes on stdin is code for it. */
import { programOf } from './program-name.ts';

/** With the number of operands that are no command. */
const WITHOUT_COMMAND: ReadonlyMap<string, number> = new Map([
  ...[
    'unshare setarch linux32 linux64 i386 i686 x86_64 uname26 fakeroot fakechroot proot firejail nsenter nix-shell sudo doas',
    'runuser aa-exec capsh schroot torsocks toolbox lxc-attach setpriv newgrp login machinectl rlwrap unbuffer ttyrec',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'chroot sg su script systemd-nspawn distrobox-enter gosu su-exec'
    .split(' ')
    .map((name) => [name, 1] as const),
]);
const ONLY_NAMES = /^(?:newgrp|login)$/;

/** With the sub-command that starts one. */
const BY_WORD =
  /^(?:pipenv|poetry|hatch|pdm|nix|guix|adb|devbox|devenv|flox|machinectl|toolbox|distrobox|vagrant|conda|mamba|heroku|fly|flyctl|gcloud|multipass|lxc|incus|limactl|colima)$/;
const STARTS = /^(?:shell|develop|enter|ssh|console|connect|attach|activate)$/;

export function startsShell(words: readonly string[]): boolean {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  const skipped = WITHOUT_COMMAND.get(name);
  if (skipped !== undefined) {
    const operands = args.filter((arg) => !arg.startsWith('-'));
    // Each option may have a value.
    const options = args.filter((arg) => /^-[^=]+$/.test(arg));
    if (operands.length - options.length <= skipped || ONLY_NAMES.test(name)) return true;
  }
  return BY_WORD.test(name) && args.some((arg) => STARTS.test(arg));
}
