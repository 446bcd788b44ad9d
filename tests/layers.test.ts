/** The import order of the folders, and the doors to the outside world. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');
/** A folder may import folders to its left only. */
const ORDER = [
  'lib',
  'core',
  'audit',
  'permissions',
  'tools',
  'hooks',
  'settings',
  'model',
  'agent',
  'daemon',
  'cli',
];
/** Folders that are handed their slice of the settings instead of importing them. */
const DATA_PATH = ['audit', 'permissions', 'tools', 'hooks', 'agent'];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(SRC, name), 'utf8') }));

const imports = files.flatMap(({ name, text }) =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({
    name,
    target: match[1] ?? '',
  })),
);

function folderOf(name: string): string {
  return name.split('/')[0] ?? '';
}

function violations(bad: (name: string, target: string) => boolean): readonly string[] {
  return imports
    .filter(({ name, target }) => bad(name, target))
    .map(({ name, target }) => `${name} → ${target}`);
}

function isOneOf(name: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => (entry.endsWith('/') ? name.startsWith(entry) : name === entry));
}

describe('the layers of src', () => {
  it('are all there to be checked', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(200);
    expect(
      [...new Set(files.map(({ name }) => folderOf(name)))].filter((folder) => !ORDER.includes(folder)),
    ).toEqual([]);
  });

  it('import only to the left', () => {
    const wrong = violations((name, target) => {
      if (!target.startsWith('.')) return false;
      const to = folderOf(relative(SRC, resolve(SRC, dirname(name), target)));
      return ORDER.indexOf(to) > ORDER.indexOf(folderOf(name));
    });
    expect(wrong).toEqual([]);
  });

  it('read a command without a thought of what is allowed', () => {
    const inside = (name: string): string => /^permissions\/(shell|programs)\//.exec(name)?.[1] ?? '';
    const known: Readonly<Record<string, readonly string[]>> = {
      shell: ['shell'],
      programs: ['shell', 'programs'],
    };
    const wrong = files.flatMap(({ name, text }) =>
      // A type is erased.
      [...text.matchAll(/^(?:import|export)(?! type) [^;]*?from '(\.[^']+)'/gm)]
        .map((match) => relative(SRC, resolve(SRC, dirname(name), match[1] ?? '')))
        .filter((to) => to.startsWith('permissions/') && known[inside(name)]?.includes(inside(to)) === false)
        .map((to) => `${name} → ${to}`),
    );
    expect(files.filter(({ name }) => inside(name) === 'shell').length).toBeGreaterThan(20);
    expect(files.filter(({ name }) => inside(name) === 'programs').length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  it('keep settings out of the data path', () => {
    const wrong = violations(
      (name, target) => DATA_PATH.includes(folderOf(name)) && target.includes('/settings/'),
    );
    expect(wrong).toEqual([]);
  });

  it('start child processes in one place', () => {
    const wrong = violations(
      (name, target) =>
        /^(execa|(node:)?child_process)$/.test(target) &&
        !['lib/subprocess.ts', 'lib/start-child.ts', 'lib/spawner.ts'].includes(name),
    );
    expect(wrong).toEqual([]);
  });

  it('reach the network only where a client or a server belongs', () => {
    const allowed = [
      'daemon/',
      'cli/client.ts',
      'model/',
      'hooks/http.ts',
      'lib/child-streams.ts',
      'lib/fifo.ts',
    ];
    const wrong = violations(
      (name, target) =>
        /^(node:)?(net|http|https|http2|tls|dgram|dns)$|^@anthropic-ai/.test(target) &&
        !isOneOf(name, allowed),
    );
    expect(wrong).toEqual([]);
  });

  it('read the environment of the process only at the rim', () => {
    const allowed = ['daemon/daemon.ts', 'cli/', 'lib/subprocess.ts'];
    const wrong = files.filter(({ name, text }) => /process\.env\b/.test(text) && !isOneOf(name, allowed));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('mint permits in one place, for one caller', () => {
    const wrong = files.filter(
      ({ name, text }) =>
        /\bmintPermit\b/.test(text) && !isOneOf(name, ['permissions/permit.ts', 'agent/authorize.ts']),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('have no dumping grounds', () => {
    const names = files.filter(({ name }) =>
      /(^|\/)(utils?|helpers?|common|manager|types|index)\.ts$/.test(name),
    );
    expect(names.map(({ name }) => name)).toEqual([]);
  });

  it('keep files short, or say why not in their header', () => {
    const long = files.filter(
      ({ text }) => text.split('\n').length > 250 && !/\blong\b/i.test(text.slice(0, text.indexOf('*/'))),
    );
    expect(long.map(({ name }) => name)).toEqual([]);
  });
});
