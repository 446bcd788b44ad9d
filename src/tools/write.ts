/** Write: a whole file, with its parent directories. */
import { type Static, Type } from 'typebox';
import { type Change, changeFile, type JudgedFile } from './change-file.ts';
import { bytesOf, utf8Text } from './original-text.ts';
import { normalisePath, pathField } from './path.ts';
import { failed, type RunContext, type RunOutcome } from './run-context.ts';
import { changeFields } from './structured-patch.ts';
import { defineTool } from './tool.ts';
import { halfCharacterIn } from './well-formed.ts';

/** A larger file is replaced without being read: nobody is told what was in it. */
const MAX_ORIGINAL_BYTES = 4 * 1024 * 1024;

const inputSchema = Type.Object({
  file_path: pathField('The file; a relative path begins at the start directory.'),
  content: Type.String({ description: 'The whole content.' }),
});
type Input = Static<typeof inputSchema>;

export const write = defineTool({
  name: 'Write',
  aliases: { names: ['write_file'], fields: { path: 'file_path' } },
  description:
    'Writes a file: all of its content, in UTF-8. An existing file is replaced and keeps its mode; missing directories are made. To change a part of a file, use Edit. Nothing is written through a link, or over a file that changed since it was read.',
  inputSchema,
  readOnly: false,
  normalise: (input, workplace) => ({ ...input, file_path: normalisePath(input.file_path, workplace) }),
  specifiers: ({ file_path }) => ({ kind: 'path', access: 'write', path: file_path }),
  run: writeFile,
  // Without the size: a hook that hides a part of the content did not change what was written.
  render: ({ filePath }) => (typeof filePath === 'string' ? `Wrote ${filePath}` : undefined),
});

async function writeFile(input: Input, context: RunContext): Promise<RunOutcome> {
  const half = halfCharacterIn('content', input.content);
  if (half !== undefined) return failed(half);
  return changeFile({
    path: input.file_path,
    context,
    createParents: true,
    change: (file) => written(input, file),
  });
}

async function written({ file_path, content }: Input, file: JudgedFile): Promise<Change> {
  const bytes = Buffer.from(content, 'utf8');
  return {
    ok: true,
    content: bytes,
    text: `Wrote ${bytes.length} bytes to ${file_path}`,
    response: {
      type: file.before === undefined ? 'create' : 'update',
      filePath: file_path,
      content,
      ...changeFields(await originalText(file), content),
      userModified: false,
    },
  };
}

/** For hooks only: a file that cannot be read, or is no text, can be replaced all the same. */
async function originalText(file: JudgedFile): Promise<string | undefined> {
  if (file.before === undefined || file.before.size > MAX_ORIGINAL_BYTES) return undefined;
  const bytes = await bytesOf(file).catch(() => undefined);
  return bytes === undefined ? undefined : utf8Text(bytes);
}
