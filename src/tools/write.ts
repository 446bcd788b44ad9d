/** Write: a whole file, with its parent directories. */
import { type Static, Type } from 'typebox';
import { changeFile } from './change-file.ts';
import { normalisePath, pathField } from './path.ts';
import { defineTool, failed, type RunContext, type RunOutcome } from './tool.ts';
import { halfCharacterIn } from './well-formed.ts';

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
});

async function writeFile(input: Input, context: RunContext): Promise<RunOutcome> {
  const half = halfCharacterIn('content', input.content);
  if (half !== undefined) return failed(half);
  const content = Buffer.from(input.content, 'utf8');
  return changeFile({
    path: input.file_path,
    context,
    createParents: true,
    change: async () => ({ ok: true, content, text: `Wrote ${content.length} bytes to ${input.file_path}` }),
  });
}
