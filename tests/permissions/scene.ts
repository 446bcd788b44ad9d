/** A small world for decisions: rules from texts, files from a list, calls from a line. */
import { basename, dirname } from 'node:path';
import type {
  Behavior,
  Decision,
  HookVerdict,
  JsonObject,
  PermissionMode,
  Specifier,
  ToolCall,
  ToolUseId,
  Workplace,
} from '../../src/core/vocabulary.ts';
import { decide, type FilesView, newestDenial, type Permissions } from '../../src/permissions/decide.ts';
import type { FileKind } from '../../src/permissions/files-view.ts';
import { parseRule, type Rule } from '../../src/permissions/rule.ts';
import { compileRules } from '../../src/permissions/rule-set.ts';

export const WORKPLACE: Workplace = {
  project: '/work/proj',
  cwd: '/work/proj',
  home: '/home/u',
  hookdHome: '/home/u/.hookd',
  directories: ['/work/lib'],
};

export type RuleTexts = Partial<Record<Behavior, readonly string[]>>;

export function rulesOf(texts: RuleTexts): readonly Rule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (texts[list] ?? []).map((text, index) => {
      const source = { text, list, file: '/work/proj/.hookd/settings.json', line: index + 1, column: 1 };
      const parsed = parseRule(text, source, '/work/proj');
      if (!parsed.ok) throw new Error(parsed.problem);
      return parsed.rule;
    }),
  );
}

export function permissionsOf(texts: RuleTexts, disabled: readonly string[] = []): Permissions {
  return {
    rules: compileRules(rulesOf(texts)),
    mode: 'default',
    workplace: WORKPLACE,
    disabledBuiltins: new Set(disabled),
  };
}

/** Files by path, links as path → target; every directory above one of them exists. */
export function filesOf(paths: readonly string[], links: Readonly<Record<string, string>> = {}): FilesView {
  const directories = new Set<string>();
  for (const path of [...paths, ...Object.keys(links)]) {
    for (let above = dirname(path); !directories.has(above); above = dirname(above)) directories.add(above);
  }
  const realPath = (path: string): string => {
    const link = Object.keys(links).find((one) => path === one || path.startsWith(`${one}/`));
    return link === undefined ? path : realPath(`${links[link]}${path.slice(link.length)}`);
  };
  const kindOf = (path: string): FileKind => {
    if (Object.hasOwn(links, path)) return 'link';
    if (directories.has(path)) return 'directory';
    return paths.includes(path) ? 'other' : 'missing';
  };
  return {
    realPath,
    kindOf,
    entries: (directory) => {
      const all = [...paths, ...directories, ...Object.keys(links)];
      const below = all.filter((path) => path !== '/' && dirname(path) === directory);
      return [...new Set(below)].map((path) => ({ name: basename(path), kind: kindOf(path) }));
    },
  };
}

export const FILES = filesOf(
  [
    '/work/proj/f.txt',
    '/work/proj/.env',
    '/work/proj/src/a.ts',
    '/work/proj/secrets/key',
    '/work/lib/x',
    '/etc/passwd',
    '/home/u/n',
    '/home/u/.hookd/settings.json',
  ],
  { '/work/proj/out': '/etc', '/work/proj/env-link': '/work/proj/.env', '/work/proj/back': '/home/u/.hookd' },
);

export function callOf(
  name: string,
  specifier: Specifier,
  input: JsonObject = {},
  readOnly = false,
): ToolCall {
  return {
    id: 'toolu_1' as ToolUseId,
    tool: { name, description: '', inputSchema: {}, readOnly },
    input,
    specifier,
  };
}

export const bash = (command: string): ToolCall => callOf('Bash', { kind: 'command', command }, { command });
export const read = (path: string): ToolCall =>
  callOf('Read', { kind: 'path', access: 'read', path }, { file_path: path }, true);
export const write = (path: string): ToolCall =>
  callOf('Write', { kind: 'path', access: 'write', path }, { file_path: path });
export const edit = (path: string): ToolCall =>
  callOf('Edit', { kind: 'path', access: 'write', path }, { file_path: path });
export const glob = (path: string): ToolCall =>
  callOf('Glob', { kind: 'path', access: 'read', path }, {}, true);

export function judge(texts: RuleTexts, call: ToolCall, disabled: readonly string[] = []): Decision {
  return decide({ permissions: permissionsOf(texts, disabled), call, files: FILES });
}

export function judgeIn(
  mode: PermissionMode,
  texts: RuleTexts,
  call: ToolCall,
  hook?: HookVerdict,
): Decision {
  return decide({ permissions: { ...permissionsOf(texts), mode }, call, files: FILES, hook });
}

export const hookSays = (behavior: HookVerdict['behavior'], reason = 'It said so.'): HookVerdict => ({
  behavior,
  reason,
  hook: { event: 'PreToolUse', name: 'guard.sh', file: '/work/proj/.hookd/settings.json', line: 7 },
});

export function denialAfterApproval(texts: RuleTexts, call: ToolCall): Decision | undefined {
  return newestDenial({ permissions: permissionsOf(texts), call, files: FILES });
}
