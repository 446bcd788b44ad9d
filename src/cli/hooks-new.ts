/** `hookd hooks new EVENT --lang L [--out FILE]`: a hook to begin with, and the settings lines that switch it on. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import { EXIT, HookdError, messageOf, systemCode } from '../core/errors.ts';
import { eventRow, type HookEvent } from '../hooks/events.ts';
import { isOnPath } from '../hooks/program.ts';
import { EXTENSIONS, LANGUAGES, type Language, NEEDS, startingPoint } from '../hooks/starting-point.ts';
import { eventNamed } from './hooks-run.ts';
import { settingsInReach } from './hooks-settings.ts';
import type { Output } from './output.ts';
import { givenPath } from './start-directory.ts';

export interface NewOptions {
  readonly event: string;
  readonly lang: Language | undefined;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export function newCommand({ event: name, lang, out, json, env }: NewOptions, output: Output): number {
  const event = eventNamed(name);
  const language = lang ?? languageOf(out);
  const file = out === undefined ? undefined : resolve(givenPath(out));
  const command =
    file === undefined ? `~/.hookd/hooks/${hookName(event)}${EXTENSIONS[language]}` : commandFor(file, env);
  const { text, settings } = startingPoint(event, language, command);
  if (file !== undefined) write(file, text);
  if (json) {
    output.result(
      JSON.stringify({ event, language, file: file ?? null, text, settings: JSON.parse(settings) }),
    );
  } else if (file === undefined) {
    output.result(text.trimEnd());
  } else {
    output.result(`Wrote ${file}. It has no opinion yet. To switch it on, add to settings.json:`);
    output.result(settings);
    output.result(`Then try it: hookd hooks run ${event}${tryFlags(event)}`);
  }
  const missing = NEEDS[language].filter((needed) => !isOnPath(needed, env['PATH'] ?? ''));
  if (missing.length > 0)
    output.note(`hookd: warning: it needs ${missing.join(' and ')}, not found on the PATH.`);
  return EXIT.done;
}

function languageOf(out: string | undefined): Language {
  const extension = out === undefined ? '' : extname(out);
  const found = LANGUAGES.find((language) => EXTENSIONS[language] === extension);
  if (found !== undefined) return found;
  if (extension === '.js' || extension === '.cjs') return 'node';
  throw new HookdError('USAGE', `Say in which language: --lang ${LANGUAGES.join('|')}.`);
}

/** `pre-tool-use` */
function hookName(event: HookEvent): string {
  return event.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

function commandFor(file: string, env: NodeJS.ProcessEnv): string {
  const { project } = settingsInReach({}, env).program;
  const inside = relative(project, file);
  if (!inside.startsWith('..')) return `"$CLAUDE_PROJECT_DIR"/${shellWord(inside)}`;
  return shellWord(file);
}

/** As a shell reads it, in quotes where it must be. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Never over what is there. */
function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx', mode: 0o755 });
    chmodSync(file, 0o755);
  } catch (error) {
    const why = systemCode(error) === 'EEXIST' ? 'there is something already' : messageOf(error);
    throw new HookdError('USAGE', `${file} was not written: ${why}.`);
  }
}

function tryFlags(event: HookEvent): string {
  return eventRow(event).subject === 'tool_name' ? ` --tool Bash --input '{"command":"ls"}'` : '';
}
