/** Words that name what a program has on a descriptor, however the path is written. */
import { resolve } from 'node:path';

const STDIN = /^\/(?:dev\/stdin|(?:dev|proc\/[^/]+(?:\/task\/[^/]+)?)\/fd\/0+)$/;
/** A name in `/dev/shm` is a file like any other. */
const OF_THE_SYSTEM = /^\/(?:dev|proc)\/(?!null$|shm\/)/;

export const isStdin = (word: string, cwds: readonly string[]): boolean =>
  word === '-' || cwds.some((cwd) => STDIN.test(resolve(cwd, word)));

/** What is read from there is known only when it runs. */
export const isDescriptor = (word: string, cwds: readonly string[]): boolean =>
  cwds.some((cwd) => OF_THE_SYSTEM.test(resolve(cwd, word)));
