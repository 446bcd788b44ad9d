/**
 * The files that decide what the agent may do, wherever they lie: settings files, the scripts that hooks run, and what
 * keeps the records elsewhere. One that lies in the workspace, or that a link leads to, must not be rewritten by the agent
 * without a person's yes; nor must one that is still missing be written by it: the answer to its own question.
 */
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { SinkSettings } from '../audit/channel-settings.ts';
import type { Workplace } from '../core/vocabulary.ts';
import type { HooksInForce } from '../hooks/hook.ts';
import { realPath } from './scopes.ts';

export function policyFiles(
  settings: readonly string[],
  { hooks }: HooksInForce,
  sinks: readonly SinkSettings[],
  { project, home, hookdHome }: Pick<Workplace, 'project' | 'home' | 'hookdHome'>,
): readonly string[] {
  const files = settings.filter(isAbsolute);
  const scripts = hooks.flatMap(({ handler }) =>
    handler.type === 'command'
      ? [handler.command, ...(handler.args ?? [])].flatMap((text) => filesNamed(text, project, home))
      : [],
  );
  // What was recorded elsewhere must not be rewritten by the agent either, nor the program that records it.
  const recorders = sinks.flatMap((sink) =>
    sink.type === 'file'
      ? [sink.path]
      : [sink.command, ...(sink.args ?? [])].flatMap((text) => filesNamed(text, hookdHome, home)),
  );
  return [...new Set([...files, ...scripts, ...recorders].flatMap((path) => [path, realPath(path)]))];
}

const PROJECT = '\u0000';

/** Words of a command that are files, as seen from where it runs. Generous: an interpreter among them does no harm. */
function filesNamed(command: string, base: string, home: string): readonly string[] {
  return command
    .replaceAll(/\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR\}?/g, PROJECT)
    .replaceAll(/["']/g, '')
    .split(/[\s;&|<>()]+/)
    .flatMap((word) => [word, ...word.split('=').slice(1)])
    .filter((word) => word.includes('/') || /\.\w+$/.test(word))
    .map((word) => word.replaceAll(PROJECT, base).replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, home))
    .map((word) => resolve(base, word))
    .filter(isFileOrMissing);
}

function isFileOrMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch {
    return true;
  }
}
