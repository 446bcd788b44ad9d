/** The entries of a file's allow, ask and deny lists → rules, and what is wrong with those that are none. */
import { join } from 'node:path';
import { isObject } from '../core/json.ts';
import type { Behavior } from '../core/vocabulary.ts';
import { parseRule, type Rule } from '../permissions/rule.ts';
import { isAbsentTool, toolOf } from '../permissions/tool-name.ts';
import { TOOLS } from '../tools/registry.ts';
import type { JsonDocument } from './json.ts';
import { INLINE, type SettingsOrigin } from './origin.ts';
import { keyText, type SettingsProblem } from './problem.ts';

const LISTS: readonly Behavior[] = ['deny', 'ask', 'allow'];

/** Reads what can be read of the lists and adds to `problems`; wrong types are already among them. */
export function readRules(
  origin: SettingsOrigin,
  document: JsonDocument,
  problems: SettingsProblem[],
): readonly Rule[] {
  const { value } = document;
  const permissions = isObject(value) ? value['permissions'] : undefined;
  if (!isObject(permissions)) return [];
  const rules: Rule[] = [];
  for (const list of LISTS) {
    const entries = permissions[list];
    if (!Array.isArray(entries)) continue;
    if (!origin.isTrusted && list === 'allow') continue;
    for (const [index, text] of entries.entries()) {
      if (typeof text !== 'string') continue;
      const path = ['permissions', list, index];
      const place = document.placeOf(path);
      const read = readRule({ text, list, origin, place, path });
      if (read.rule !== undefined) rules.push(read.rule);
      if (read.problem !== undefined) problems.push(read.problem);
    }
  }
  return rules;
}

/** Rules may name tools that come later, but the writer is told. */
const KNOWN_TOOLS: ReadonlySet<string> = new Set(TOOLS.map((tool) => tool.name));

interface WrittenRule {
  readonly text: string;
  readonly list: Behavior;
  readonly origin: Pick<SettingsOrigin, 'file' | 'root' | 'rootIsAway'>;
  readonly place: { readonly line: number; readonly column: number };
  /** Of the entry in its file; empty where it has none. */
  readonly path: readonly (string | number)[];
}

/** The settings that are typed as JSON lie in no directory: `/p` there names no place that could be allowed. */
const NO_FILE =
  'one leading slash begins at the directory of the settings file, and here is none; ignored (write p for the start directory, //p for the root of the file system)';

const isOfItsFile = ({ parts }: Rule): boolean =>
  parts.some((part) => part.kind === 'path' && part.pattern.anchor === 'file');

/** `Edit(/src/**)` in the user's file: it was meant for a project, and guards or allows nothing there. */
function awayFromProject(text: string, root: string): string {
  const [, start = '', path = ''] = /^([^(]*\(!?)\/(.*)\)$/s.exec(text) ?? [];
  const place = join(root, path);
  return `${text}: one leading slash begins at the directory of this file, so the rule names ${place}, nothing of the project; write ${start}${path}) for a file of the project, ${start}//${path}) for an absolute path`;
}

/** One entry of a list. A malformed deny or ask rule is an error; a malformed allow rule only tightens. */
export function readRule({ text, list, origin, place, path }: WrittenRule): {
  readonly rule?: Rule;
  readonly problem?: SettingsProblem;
} {
  const { file, root, rootIsAway = false } = origin;
  const { line, column } = place;
  const parsed = parseRule(text, { text, list, file, line, column }, root, KNOWN_TOOLS);
  const needsFile = rootIsAway || (list === 'allow' && file === INLINE);
  // Thousands are in order: nothing is made for them that only a problem needs.
  if (parsed.ok && parsed.warning === undefined && !needsFile) return { rule: parsed.rule };
  const at = { file, line, column, key: keyText(path) };
  if (parsed.ok && needsFile && isOfItsFile(parsed.rule))
    return rootIsAway
      ? { rule: parsed.rule, problem: { severity: 'warning', ...at, message: awayFromProject(text, root) } }
      : { problem: { severity: 'warning', ...at, message: NO_FILE } };
  if (parsed.ok && parsed.warning === undefined) return { rule: parsed.rule };
  const message = (parsed.ok ? (parsed.warning ?? '') : parsed.problem).replace(/\.$/, '');
  if (parsed.ok) {
    const tool = toolOf(text);
    const absent = isAbsentTool(tool, KNOWN_TOOLS) ? { absentTool: tool } : {};
    return { rule: parsed.rule, problem: { severity: 'warning', ...at, message, ...absent } };
  }
  return list === 'allow'
    ? { problem: { severity: 'warning', ...at, message: `${message}; ignored` } }
    : { problem: { severity: 'error', ...at, message, advice: 'Correct or remove it.' } };
}
