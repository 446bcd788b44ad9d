/** Read: lines of a text file, as they are in it. */
import { type Static, Type } from 'typebox';
import { normalisePath, pathField } from './path.ts';
import { openFile } from './safe-open.ts';
import { type Selection, selectLines } from './select-lines.ts';
import { defineTool, failed, type RunContext, type RunOutcome, succeeded } from './tool.ts';

const MAX_BYTES = 256 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

const inputSchema = Type.Object({
  file_path: pathField('The file; a relative path begins at the start directory.'),
  offset: Type.Optional(Type.Integer({ minimum: 1, description: 'The first line to read, counted from 1.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'How many lines to read; all by default.' })),
});
type Input = Static<typeof inputSchema>;

export const read = defineTool({
  name: 'Read',
  aliases: { names: ['read_file'], fields: { path: 'file_path' } },
  description: `Reads a UTF-8 text file and returns its text unchanged. Of a file over ${MAX_BYTES} bytes a part must be chosen with offset and limit. Directories and binary files cannot be read.`,
  inputSchema,
  readOnly: true,
  normalise: (input, workplace) => ({ ...input, file_path: normalisePath(input.file_path, workplace) }),
  specifiers: ({ file_path }) => ({ kind: 'path', access: 'read', path: file_path }),
  run: readLines,
});

async function readLines(input: Input, context: RunContext): Promise<RunOutcome> {
  const target = context.target ?? input.file_path;
  const opened = await openFile(input.file_path, target);
  if (!opened.ok) return failed(opened.why);
  const { handle, stats } = opened.value;
  try {
    const wanted = { offset: input.offset ?? 1, limit: input.limit, maxBytes: MAX_BYTES };
    const selection = await selectLines(handle, wanted, context.signal);
    if (selection.kind === 'text') context.seen.remember(target, stats);
    return describeSelection(selection, input, stats.size);
  } finally {
    await handle.close();
  }
}

function describeSelection(selection: Selection, { file_path, offset = 1 }: Input, size: bigint): RunOutcome {
  switch (selection.kind) {
    case 'text':
      return succeeded(shownText(selection.text, offset, selection.more));
    case 'pastEnd':
      return failed(`There is no line ${offset}: ${file_path} has ${selection.lines} lines.`);
    case 'tooLarge':
      return failed(
        selection.oneLine
          ? `Line ${offset} of ${file_path} alone is longer than ${MAX_BYTES} bytes. Bash can show a part of it: sed -n ${offset}p FILE | cut -c1-2000`
          : `These lines of ${file_path} are more than ${MAX_BYTES} bytes (the file has ${size}). Read fewer at once, with offset and limit.`,
      );
    case 'binary':
      return failed(`${file_path} is a binary file (${size} bytes; it holds NUL bytes), not text.`);
    case 'notUtf8':
      return failed(`${file_path} is not UTF-8 text. Bash can convert it: iconv -f latin1 -t utf-8 FILE`);
    case 'interrupted':
      return failed('The user interrupted the reading.');
  }
}

function shownText(text: string, offset: number, more: number | null): string {
  if (text === '') return '(the file is empty)';
  // The mark is no part of the text; Edit and the bytes on the disk keep it.
  const shown = offset === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  if (more === 0) return shown === '' ? '(the file is empty but for a byte order mark)' : shown;
  return `${shown}... (${more ?? 'many'} more lines)`;
}
