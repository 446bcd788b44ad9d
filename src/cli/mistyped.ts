/** A single word where a prompt may stand, which is, or nearly is, the name of a command: it is hardly meant for the model. */
import { HookdError } from '../core/errors.ts';
import { nearMiss } from '../lib/near-miss.ts';

/** Every command with its sub-commands. */
export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  run: [],
  demo: [],
  approvals: ['list', 'rules', 'allow', 'deny', 'watch'],
  sessions: ['list', 'show', 'attach', 'interrupt', 'end'],
  daemon: ['run', 'start', 'stop', 'restart', 'status', 'logs', 'unit'],
  audit: ['tail', 'show', 'stats', 'export', 'verify'],
  trust: [],
  doctor: [],
  hooks: ['list', 'run', 'lint', 'new'],
  policy: ['explain', 'test', 'replay'],
  init: [],
  settings: ['check', 'show', 'schema', 'accept'],
  completion: [],
};

/** What people try of other programs. */
const OTHERS: Readonly<Record<string, string>> = { help: '--help', version: '--version' };

/** Throws USAGE for `hookd statsu`. `words` are those before a `--`: what stands behind one is a prompt. */
export function refuseMistyped(words: readonly string[]): void {
  const [word, ...more] = words;
  if (word === undefined || more.length > 0 || /\s/.test(word)) return;
  const meant = commandsLike(word);
  if (meant.length === 0) return;
  const named = meant.map((command) => `"hookd ${command}"`).join(' or ');
  throw new HookdError(
    'USAGE',
    `There is no command ${JSON.stringify(word)}. Did you mean ${named}? As a prompt: hookd -- ${word}`,
  );
}

function commandsLike(word: string): readonly string[] {
  const parts = Object.entries(COMMANDS);
  const names = new Set([
    ...Object.keys(COMMANDS),
    ...parts.flatMap(([, subs]) => subs),
    ...Object.keys(OTHERS),
  ]);
  const name = names.has(word) ? word : nearMiss(word, [...names]);
  if (name === undefined) return [];
  const other = OTHERS[name];
  if (other !== undefined) return [other];
  if (Object.hasOwn(COMMANDS, name)) return [name];
  return parts.flatMap(([command, subs]) => (subs.includes(name) ? [`${command} ${name}`] : []));
}
