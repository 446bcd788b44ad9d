/**
 * The files that decide what the agent may do, wherever they lie: settings files, and the scripts that hooks run. One that
 * lies in the workspace, or that a link leads to, must not be rewritten by the agent without a person's yes.
 */
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { HooksInForce } from '../hooks/hook.ts';
import { realPath } from './scopes.ts';

export function policyFiles(
  settings: readonly string[],
  { hooks }: HooksInForce,
  project: string,
): readonly string[] {
  const files = settings.filter(isAbsolute);
  const scripts = hooks.flatMap(({ handler }) =>
    handler.type === 'command'
      ? [handler.command, ...(handler.args ?? [])].flatMap((text) => filesNamed(text, project))
      : [],
  );
  return [...new Set([...files, ...scripts].flatMap((path) => [path, realPath(path)]))];
}

const PROJECT = '\u0000';

/** Words of a command that are files, as seen from the project. Generous: an interpreter among them does no harm. */
function filesNamed(command: string, project: string): readonly string[] {
  return command
    .replaceAll(/\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR\}?/g, PROJECT)
    .replaceAll(/["']/g, '')
    .split(/[\s;&|<>()]+/)
    .filter((word) => word.includes('/') || /\.\w+$/.test(word))
    .map((word) => resolve(project, word.replaceAll(PROJECT, project)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}
