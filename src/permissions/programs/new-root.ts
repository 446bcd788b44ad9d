/** Programs that run another one under a root of its own, where a name means another file than here. For rules that restrict only. */

const BY_OPTION: ReadonlyMap<string, RegExp> = new Map([
  ['chroot', /^/],
  ['arch-chroot', /^/],
  ['systemd-nspawn', /^/],
  ['unshare', /^-[a-zA-Z]*R|^--roo/],
  ['nsenter', /^-[a-zA-Z]*r|^--ro/],
  ['sudo', /^-[a-zA-Z]*R|^--chr/],
  ['proot', /^-[rRSbm]|^--(?:root|bind|mount)/],
]);

export function changesRoot(name: string, args: readonly string[]): boolean {
  if (name === 'bwrap')
    return args.some((arg, index) => mountsElsewhere(arg, args[index + 1], args[index + 2]));
  const option = BY_OPTION.get(name);
  return option !== undefined && args.some((arg) => option.test(arg));
}

/** `--bind . /`, and not `--ro-bind / /`. */
const mountsElsewhere = (option: string, from: string | undefined, to: string | undefined): boolean =>
  /^--(?:(?:ro-|dev-)?bind(?:-try)?|overlay|symlink)/.test(option) && from !== to;
