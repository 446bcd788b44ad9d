/** What an awk program does besides reading: where it writes, if that stands in it word for word, or that nobody can say. */

/** `system(…)`, a pipe, an indirect call, an extension; and files that the program names for itself. */
const RUNS = /system|ARG[VC]|getline|\||@|^-\w*[filE]|^--(?:file|incl|load|exec)/;
/** Behind a `print`: the name in quotes, and the end of the statement. Only a plain file: awk has names of its own for networks. */
const TARGET = /^>{1,2}\s*"([\w][\w./ -]*)"\s*$/;

const TARGETS = /^>{1,2}\s*"([^"]+)"/;

export interface AwkUse {
  /** It may run a program or write a file that is known only then. */
  readonly isOpen: boolean;
  readonly writes: readonly string[];
}

export function readAwk(args: readonly string[]): AwkUse {
  const uses = args.map(readProgram);
  return {
    isOpen: args.some((arg) => RUNS.test(arg)) || uses.some(({ isOpen }) => isOpen),
    writes: uses.flatMap(({ writes }) => writes),
  };
}

function readProgram(arg: string): AwkUse {
  const writes: string[] = [];
  let isOpen = false;
  let printed = false;
  // Here a statement goes on in the next line.
  for (const statement of arg.replace(/(?:\\|(,|&&))\s*\n/g, '$1 ').split(/[;}\n]/)) {
    const print = statement.indexOf('print');
    printed ||= print >= 0;
    const at = printed ? statement.indexOf('>', Math.max(print, 0)) : -1;
    if (at < 0) continue;
    const before = statement.slice(0, at);
    // A text or pattern may hold what looks like the end of a statement, or the mark itself.
    const isPlain = !/["/]/.test(before);
    // Also where it is no plain name: for what is guarded.
    const named = TARGETS.exec(statement.slice(at))?.[1];
    if (named !== undefined) writes.push(named);
    const target = print < 0 ? undefined : TARGET.exec(statement.slice(at))?.[1];
    if (!isPlain || (print >= 0 && target === undefined)) isOpen = true;
  }
  return { isOpen, writes };
}
