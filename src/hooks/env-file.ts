/** `CLAUDE_ENV_FILE`: what SessionStart hooks leave for Bash, read as data and never run. */
import { systemCode } from '../core/errors.ts';
import { readRegular } from '../lib/read-regular.ts';

/** `export NAME=VALUE` lines, in order; the last one of a name counts. Quotes around a value are taken off; nothing is expanded. */
export function readEnvFile(path: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readRegular(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    throw error;
  }
  const variables = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, unquoted(value)] as const];
  });
  return Object.fromEntries(variables);
}

function unquoted(value: string): string {
  const single = /^'([^']*)'$/.exec(value)?.[1];
  if (single !== undefined) return single;
  const double = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
  return double === undefined ? value : double.replace(/\\(["\\$`])/g, '$1');
}
