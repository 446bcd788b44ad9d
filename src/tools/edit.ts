/** Edit: exact text in a file for other text. */
import { type Static, Type } from 'typebox';
import { type Change, changeFile, type JudgedFile } from './change-file.ts';
import { changedSinceDecision } from './file-fault.ts';
import { bytesOf, utf8Text } from './original-text.ts';
import { normalisePath, pathField } from './path.ts';
import { lineButForBlanks, replaceText } from './replace-text.ts';
import { failed, type RunContext, type RunOutcome } from './run-context.ts';
import { changeFields } from './structured-patch.ts';
import { defineTool } from './tool.ts';
import { halfCharacterIn } from './well-formed.ts';

/** An edit holds the file in memory a few times over. */
const MAX_BYTES = 32 * 1024 * 1024;

const inputSchema = Type.Object({
  file_path: pathField('The file; a relative path begins at the start directory.'),
  old_string: Type.String({ description: 'The text to replace, exactly as it is in the file.' }),
  new_string: Type.String({ description: 'The text to put in its place.' }),
  replace_all: Type.Optional(
    Type.Boolean({ description: 'Replace every occurrence; otherwise there must be one.' }),
  ),
});
type Input = Static<typeof inputSchema>;

export const edit = defineTool({
  name: 'Edit',
  aliases: {
    names: ['edit_file'],
    fields: { path: 'file_path', old_text: 'old_string', new_text: 'new_string' },
  },
  description:
    'Replaces exact text in a UTF-8 file. old_string must occur once, unless replace_all is true: give enough of the lines around it. All else in the file stays as it is; a \\n in old_string also finds \\r\\n, which is kept. A file that changed since it was read must be read again first.',
  inputSchema,
  readOnly: false,
  normalise: (input, workplace) => ({ ...input, file_path: normalisePath(input.file_path, workplace) }),
  specifiers: ({ file_path }) => ({ kind: 'path', access: 'write', path: file_path }),
  run: editFile,
  render: ({ filePath }) => (typeof filePath === 'string' ? shownEdit(filePath) : undefined),
});

async function editFile(input: Input, context: RunContext): Promise<RunOutcome> {
  const fault = inputFault(input);
  if (fault !== undefined) return failed(fault);
  return changeFile({
    path: input.file_path,
    context,
    createParents: false,
    change: (file) => edited(input, file),
  });
}

function inputFault({ file_path, old_string, new_string }: Input): string | undefined {
  if (old_string === '') {
    return `old_string is empty: it must be text that is in ${file_path}. Use Write to make a file or to replace all of it.`;
  }
  if (old_string === new_string) return 'old_string and new_string are the same: there is nothing to change.';
  return halfCharacterIn('old_string', old_string) ?? halfCharacterIn('new_string', new_string);
}

async function edited(input: Input, file: JudgedFile): Promise<Change> {
  const path = input.file_path;
  if (file.before === undefined) return { ok: false, why: `${path} does not exist. Use Write to make it.` };
  if (file.before.size > MAX_BYTES) {
    return {
      ok: false,
      why: `${path} is too large to edit (${file.before.size} bytes, at most ${MAX_BYTES}). Use Bash.`,
    };
  }
  const bytes = await bytesOf(file);
  if (bytes === undefined) return { ok: false, why: changedSinceDecision(path) };
  const text = utf8Text(bytes);
  if (text === undefined) {
    return {
      ok: false,
      why: `${path} is not UTF-8 text: an edit would damage it, so it was not touched. Use Bash.`,
    };
  }
  const all = input.replace_all ?? false;
  const replaced = replaceText(text, input.old_string, input.new_string, all);
  if (!replaced.ok) {
    const near = replaced.matches === 0 ? lineButForBlanks(text, input.old_string) : undefined;
    return { ok: false, why: matchFault(replaced.matches, path, near) };
  }
  if (replaced.text === text) return { ok: false, why: `The edit would leave ${path} as it is.` };
  return {
    ok: true,
    content: Buffer.from(replaced.text, 'utf8'),
    text: shownEdit(path),
    response: {
      filePath: path,
      oldString: input.old_string,
      newString: input.new_string,
      ...changeFields(text, replaced.text),
      userModified: false,
      replaceAll: all,
    },
  };
}

function shownEdit(path: string): string {
  return `Edited ${path}`;
}

function matchFault(matches: number, path: string, near: number | undefined): string {
  if (matches > 0)
    return `old_string was found ${matches} times in ${path}; nothing was changed. Add lines around it until it is unique, or set replace_all.`;
  const hint = near === undefined ? '' : ` With other blanks or indentation it is at line ${near}.`;
  return `old_string was found 0 times in ${path}; nothing was changed.${hint} Read the file and copy the text exactly, with its blanks and indentation.`;
}
