/** Kimi's rules, its idea of a workspace, and its list of files with secrets, which is settings here: the example file's. */
import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/core/vocabulary.ts';
import type { FilesView } from '../../src/permissions/files-view.ts';
import { isInside } from '../../src/permissions/path-rule.ts';
import { Place } from '../../src/permissions/place.ts';
import { parseRule } from '../../src/permissions/rule.ts';
import { normalisePath } from '../../src/tools/path.ts';
import { compared, type Peer, type PeerRow, rowFor, tableOf } from './peer.ts';
import type { Sandbox } from './rows.ts';

type Workspace = { readonly workspaceDir: string; readonly additionalDirs: readonly string[] };

type Entry = { readonly row: number } & (
  | { readonly fn: 'parsePattern'; readonly args: readonly [string]; readonly expected: JsonObject }
  | { readonly fn: 'isWithinDirectory'; readonly args: readonly [string, string]; readonly expected: boolean }
  | {
      readonly fn: 'isWithinWorkspace';
      readonly args: readonly [string, Workspace];
      readonly expected: boolean;
    }
  | { readonly fn: 'canonicalizePath'; readonly args: readonly [string, string]; readonly expected: string }
  | { readonly fn: 'assertPathAllowed'; readonly args: readonly [string]; readonly expected: string }
  | { readonly fn: 'isSensitiveFile'; readonly args: readonly [string]; readonly expected: boolean }
);

export const kimiRules: Peer = (sandbox) =>
  tableOf<Entry>('kimi-permission-rules').map((entry) => play(entry, sandbox));

function play(entry: Entry, sandbox: Sandbox): PeerRow {
  const { row } = entry;
  const input = `${entry.fn} ${JSON.stringify(entry.args)}`;
  switch (entry.fn) {
    case 'parsePattern':
      return { row, input, ...same(entry.expected, partsOf(entry.args[0])) };
    case 'isWithinDirectory':
      return { row, input, ...same(entry.expected, isInside(entry.args[1], entry.args[0])) };
    case 'isWithinWorkspace':
      return { row, input, ...same(entry.expected, inWorkspace(...entry.args)) };
    case 'canonicalizePath': {
      const [path, cwd] = entry.args;
      return { row, input, ...same(entry.expected, normalisePath(path, { cwd, home: '/home/u' })) };
    }
    case 'assertPathAllowed':
      return {
        row,
        input,
        ...compared('allow', sandbox.judge(rowFor('Read', { file_path: entry.args[0] }))),
      };
    case 'isSensitiveFile':
      return { row, input, ...guarded(entry.args[0], entry.expected, sandbox) };
  }
}

function same(expected: unknown, found: unknown): Pick<PeerRow, 'verdict' | 'why'> {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  return { verdict: wanted === got ? 'agree' : 'looser', why: `expected ${wanted}, got ${got}` };
}

/** Tool names are exact here, so that the table's own are taken for known ones. */
function partsOf(text: string): JsonObject {
  const [name = ''] = text.split('(', 1);
  const source = { text, list: 'deny', file: '/p/settings.json', line: 1, column: 1 } as const;
  const parsed = parseRule(text, source, '/p', new Set([name]));
  if (!parsed.ok) return { throws: true };
  const content = text.slice(name.length + 1, -1);
  return content === '' ? { toolName: name } : { toolName: name, argPattern: content };
}

/** Paths of the table mean nothing on this machine. */
const EMPTY: FilesView = { realPath: (path) => path, kindOf: () => 'missing', entries: () => [] };

function inWorkspace(path: string, { workspaceDir, additionalDirs }: Workspace): boolean {
  const workplace = {
    project: workspaceDir,
    cwd: workspaceDir,
    home: '/home/u',
    hookdHome: '/home/u/.hookd',
  };
  return new Place({ ...workplace, directories: additionalDirs }, EMPTY).inWorkspace(path);
}

const example = JSON.parse(
  readFileSync(new URL('../../settings.example.json', import.meta.url), 'utf8'),
) as JsonObject;

/** `/home/user` is the user's home. */
function guarded(file: string, expected: boolean, sandbox: Sandbox): Pick<PeerRow, 'verdict' | 'why'> {
  const path = file.replace(/^\/home\/user\//, '$HOME/');
  const answer = sandbox.judge(rowFor('Read', { file_path: path }, { settings: { user: example } }));
  const denied = answer.kind === 'decided' && answer.behavior === 'deny';
  const why = `${expected ? 'a secret' : 'none'}; the example settings ${denied ? 'deny' : 'do not deny'} it`;
  if (denied === expected) return { verdict: 'agree', why };
  return { verdict: denied ? 'stricter' : 'elsewhere', why };
}
