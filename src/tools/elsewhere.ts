/**
 * Calls of tools that are not here (Claude Code's other tools, those of MCP servers), as far as rules can judge them:
 * people's rules name them, and so do their tests of a policy. No such call can run; a model is told what to use instead.
 */
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, Specifier, ToolCall, ToolUseId, Workplace } from '../core/vocabulary.ts';
import { normalisePath } from './path.ts';

/** The tools that work on one path: the field that holds it, and what they do there. */
const PATH_TOOLS: Readonly<
  Record<string, { readonly field: string; readonly access: 'read' | 'write'; readonly missing?: string }>
> = {
  Grep: { field: 'path', access: 'read', missing: '.' },
  LS: { field: 'path', access: 'read', missing: '.' },
  NotebookRead: { field: 'notebook_path', access: 'read' },
  NotebookEdit: { field: 'notebook_path', access: 'write' },
  MultiEdit: { field: 'file_path', access: 'write' },
};

/** `name` is taken as it is: no alias is resolved, and the input is not checked. */
export function callElsewhere(name: string, input: unknown, workplace: Workplace): ToolCall {
  const known = isJsonObject(input) ? input : {};
  const specifier = specifierOf(name, known, workplace);
  return {
    id: 'toolu_judged' as ToolUseId,
    tool: {
      name,
      description: '',
      inputSchema: {},
      readOnly: specifier.kind === 'path' && specifier.access === 'read',
    },
    input: known,
    specifier,
  };
}

function specifierOf(name: string, input: JsonObject, workplace: Workplace): Specifier {
  const row = Object.hasOwn(PATH_TOOLS, name) ? PATH_TOOLS[name] : undefined;
  const path = row === undefined ? undefined : (input[row.field] ?? row.missing);
  if (row === undefined || typeof path !== 'string') return { kind: 'none' };
  return { kind: 'path', access: row.access, path: normalisePath(path, workplace) };
}

/** Models know these tools from elsewhere, and call them out of habit. */
const INSTEAD: Readonly<Record<string, string>> = {
  Grep: 'To search in files use Bash: grep -rn PATTERN DIRECTORY',
  LS: 'To list a directory use Glob with the pattern DIRECTORY/*, or Bash: ls -la DIRECTORY',
  MultiEdit: 'Use Edit, once for each change.',
  NotebookRead: 'A notebook is a JSON file: use Read.',
  NotebookEdit: 'A notebook is a JSON file: use Edit.',
  str_replace_editor: 'Use Read, Write and Edit.',
  str_replace_based_edit_tool: 'Use Read, Write and Edit.',
};

export function whyUnknown(name: string, known: readonly string[]): string {
  const instead = Object.hasOwn(INSTEAD, name) ? ` ${INSTEAD[name]}` : '';
  return `There is no tool named ${JSON.stringify(name)}. The tools are: ${known.join(', ')}.${instead}`;
}
