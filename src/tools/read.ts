/** Read: lines of a text file, as they are in it. */
import { type Static, Type } from 'typebox';
import { isJsonObject } from '../core/json.ts';
import type { Json, JsonObject } from '../core/vocabulary.ts';
import { isInside } from '../permissions/path-rule.ts';
import { normalisePath, pathField } from './path.ts';
import { failed, type RunContext, type RunOutcome, succeeded } from './run-context.ts';
import { openFile } from './safe-open.ts';
import { type Selection, selectLines } from './select-lines.ts';
import { defineTool } from './tool.ts';

const MAX_BYTES = 256 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

const inputSchema = Type.Object({
  file_path: pathField('The file; a relative path begins at the start directory.'),
  offset: Type.Optional(Type.Integer({ minimum: 1, description: 'The first line to read, counted from 1.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'How many lines to read; all by default.' })),
});
type Input = Static<typeof inputSchema>;
type SelectedText = Extract<Selection, { kind: 'text' }>;

export const read = defineTool({
  name: 'Read',
  aliases: { names: ['read_file'], fields: { path: 'file_path' } },
  description: `Reads a UTF-8 text file and returns its text unchanged. Of a file over ${MAX_BYTES} bytes a part must be chosen with offset and limit. Directories and binary files cannot be read.`,
  inputSchema,
  readOnly: true,
  normalise: (input, workplace) => ({ ...input, file_path: normalisePath(input.file_path, workplace) }),
  specifiers: ({ file_path }) => ({ kind: 'path', access: 'read', path: file_path }),
  run: readLines,
  render: shownResponse,
});

async function readLines(input: Input, context: RunContext): Promise<RunOutcome> {
  const target = context.target ?? input.file_path;
  const opened = await openFile(input.file_path, target);
  if (!opened.ok) return failed(opened.why);
  const file = opened.value;
  const { stats } = file;
  try {
    const wanted = { offset: input.offset ?? 1, limit: input.limit, maxBytes: MAX_BYTES };
    const selection = await selectLines(file, wanted, context.signal);
    if (selection.kind === 'text') context.seen.remember(target, stats);
    return describeSelection(selection, input, stats.size, isInside(context.workplace.hookdHome, target));
  } finally {
    await file.close();
  }
}

function describeSelection(selection: Selection, input: Input, size: bigint, isHookds: boolean): RunOutcome {
  const { file_path, offset = 1 } = input;
  switch (selection.kind) {
    case 'text':
      return shownSelection(selection, input);
    case 'pastEnd':
      return failed(`There is no line ${offset}: ${file_path} has ${selection.lines} lines.`);
    case 'tooLarge':
      return failed(
        selection.oneLine
          ? `Line ${offset} of ${file_path} alone is longer than ${MAX_BYTES} bytes. ${partOfLine(offset, isHookds)}`
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

/** Bash has no access to the outputs that hookd keeps. */
function partOfLine(line: number, isHookds: boolean): string {
  return isHookds
    ? 'Run the command again with its lines cut: COMMAND | cut -c1-2000'
    : `Bash can show a part of it: sed -n ${line}p FILE | cut -c1-2000`;
}

/**
 * As Claude Code counts: what follows the last newline is a line too, if an empty one, and the last of `limit` lines
 * is without its newline. `moreLines` is ours; where it is null, `totalLines` is only as far as we counted.
 */
function shownSelection({ text, more, newlines }: SelectedText, input: Input): RunOutcome {
  const { file_path, offset = 1, limit } = input;
  // The mark is no part of the text; Edit and the bytes on the disk keep it.
  const lines = (offset === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).split('\n');
  const shown = lines.slice(0, limit);
  const content = shown.join('\n');
  const totalLines = newlines + 1;
  return succeeded(shownText(content, more, totalLines), {
    type: 'text',
    file: {
      filePath: file_path,
      content,
      numLines: shown.length,
      startLine: offset,
      totalLines,
      moreLines: more,
    },
  });
}

function shownResponse({ type, file }: JsonObject): string | undefined {
  if (type !== 'text' || !isJsonObject(file) || typeof file['content'] !== 'string') return undefined;
  return shownText(file['content'], file['moreLines'] ?? 0, file['totalLines']);
}

function shownText(content: string, moreLines: Json, totalLines: Json | undefined): string {
  if (moreLines !== 0) return `${content}\n... (${moreLines ?? 'many'} more lines)`;
  if (content !== '') return content;
  return totalLines === 1 ? '(the file is empty)' : '(no text)';
}
