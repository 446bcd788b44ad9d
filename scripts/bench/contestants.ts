/**
 * Who is measured: the floor, hookd, and whoever an adapter file names. An adapter is JSON:
 *   { "name": "peer", "command": ["peer", "-p", "{prompt}"], "environment": { "ANTHROPIC_BASE_URL": "{url}" },
 *     "settings": "{home}/.peer/settings.json" }
 * {url}, {prompt}, {home} (an empty directory of its own, $HOME), {project} (the start directory) and {spec} are filled in.
 * `settings` is where rules and hooks are written, in the layout of Claude Code's settings.json; who has none is left
 * out of the cases that need them.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly settings?: string;
}

const ROOT = resolve(import.meta.dirname, '../..');

export const FLOOR: Contestant = {
  name: 'floor',
  command: [process.execPath, join(ROOT, 'scripts/bench/floor-agent.mjs'), '{url}', '{spec}', '{prompt}'],
  environment: {},
};

export const HOOKD: Contestant = {
  name: 'hookd',
  command: [
    process.execPath,
    process.env['HOOKD_BIN'] ?? join(ROOT, 'dist/hookd.cjs'),
    '-p',
    '{prompt}',
    '--max-turns',
    '2000',
  ],
  environment: {
    HOOKD_HOME: '{home}/.hookd',
    ANTHROPIC_BASE_URL: '{url}',
    ANTHROPIC_API_KEY: 'sk-none-at-all',
  },
  settings: '{home}/.hookd/settings.json',
};

/** Throws with what is wrong with the file. */
export function readContestant(path: string): Contestant {
  const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<Contestant>;
  const { name, command, environment = {}, settings } = value;
  const isText = (one: unknown) => typeof one === 'string';
  if (!isText(name) || !Array.isArray(command) || command.length === 0 || !command.every(isText))
    throw new Error(`${path}: an adapter needs "name" (text) and "command" (a list of texts).`);
  if (typeof environment !== 'object' || !Object.values(environment).every(isText))
    throw new Error(`${path}: "environment" is an object of texts.`);
  return { name, command, environment, ...(settings === undefined ? {} : { settings }) };
}

export function filled(text: string, places: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole);
}
