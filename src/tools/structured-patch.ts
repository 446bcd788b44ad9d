/** What changed in a file, as hooks read it (`structuredPatch`): unified hunks, with the file as it was before. */

/** Of a larger text neither the patch nor the original is given: every hook of the call would be sent both. */
const MAX_CHARACTERS = 1024 * 1024;
const CONTEXT_LINES = 3;

export type Hunk = {
  /** Lines count from 1; `lines` begin with `-`, `+` or a blank. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
};

/**
 * The fields of a tool's response that tell the change. `before` is undefined where there was no text; where either
 * text is over 1 MiB, the patch is empty and `originalFile` null.
 */
export function changeFields(before: string | undefined, after: string) {
  if (before === undefined || Math.max(before.length, after.length) > MAX_CHARACTERS) {
    return { originalFile: null, structuredPatch: [] };
  }
  return { originalFile: before, structuredPatch: structuredPatch(before, after) };
}

/** One hunk from the first to the last line that differs: right for several changes, shortest for one. */
export function structuredPatch(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let same = 0;
  while (same < most && old[same] === now[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < most - same && old.at(-1 - sameEnd) === now.at(-1 - sameEnd)) sameEnd += 1;

  const start = Math.max(0, same - CONTEXT_LINES);
  const contextAfter = Math.min(sameEnd, CONTEXT_LINES);
  const oldEnd = old.length - sameEnd;
  const newEnd = now.length - sameEnd;
  return [
    {
      oldStart: start + 1,
      oldLines: oldEnd + contextAfter - start,
      newStart: start + 1,
      newLines: newEnd + contextAfter - start,
      lines: [
        ...old.slice(start, same).flatMap((line) => marked(' ', line)),
        ...old.slice(same, oldEnd).flatMap((line) => marked('-', line)),
        ...now.slice(same, newEnd).flatMap((line) => marked('+', line)),
        ...old.slice(oldEnd, oldEnd + contextAfter).flatMap((line) => marked(' ', line)),
      ],
    },
  ];
}

/** Each with its newline: a last line without one differs from the same line with it. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: string, line: string): readonly string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'];
}
