/**
 * From the first call of a function on its machine code, not its bytecode. V8 waits until a function has run about eight
 * times, which is most of the life of an ordinary session: each stage of a call runs once a call. To be asked for when
 * all that is loaded at a start has been loaded: what runs once is not worth it, and would make the start slower by a
 * quarter. Only when something is compiled changes, nothing of what it does; a long session is optimised as ever.
 */
import { setFlagsFromString } from 'node:v8';

/** Where the flag is known to mean this. V8 tells the user about one that it does not know. */
const KNOWN = { from: 11, to: 14 };
let isSet = false;

export function compileAtOnce(): void {
  const version = Number.parseInt(process.versions.v8, 10);
  if (isSet || !(version >= KNOWN.from && version <= KNOWN.to)) return;
  isSet = true;
  setFlagsFromString('--always-sparkplug');
}
