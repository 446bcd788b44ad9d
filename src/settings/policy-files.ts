/**
 * The files that decide what the agent may do, wherever they lie: settings files, and the scripts that hooks run. One that
 * lies in the workspace, or that a link leads to, must not be rewritten by the agent without a person's yes; nor must one
 * that is still missing be written by it, which would be the answer to its own question.
 */
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Workplace } from '../core/vocabulary.ts';
import type { HooksInForce } from '../hooks/hook.ts';
import { realPath } from './scopes.ts';

export function policyFiles(
  settings: readonly string[],
  { hooks }: HooksInForce,
  { project, home }: Pick<Workplace, 'project' | 'home'>,
): readonly string[] {
  const files = settings.filter(isAbsolute);
  const scripts = hooks.flatMap(({ handler }) =>
    handler.type === 'command'
      ? [handler.command, ...(handler.args ?? [])].flatMap((text) => filesNamed(text, project, home))
      : [],
  );
  return [...new Set([...files, ...scripts].flatMap((path) => [path, realPath(path)]))];
}

const PROJECT = '\u0000';

/** Words of a command that are files, as seen from the project. Generous: an interpreter among them does no harm. */
function filesNamed(command: string, project: string, home: string): readonly string[] {
  return command
    .replaceAll(/\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR\}?/g, PROJECT)
    .replaceAll(/["']/g, '')
    .split(/[\s;&|<>()]+/)
    .flatMap((word) => [word, ...word.split('=').slice(1)])
    .filter((word) => word.includes('/') || /\.\w+$/.test(word))
    .map((word) => word.replaceAll(PROJECT, project).replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, home))
    .map((word) => resolve(project, word))
    .filter(isFileOrMissing);
}

function isFileOrMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch {
    return true;
  }
}
