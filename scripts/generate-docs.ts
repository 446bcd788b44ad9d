/**
 * Writes the tables of the docs that follow from the code, between their markers.
 * `--check` writes nothing and fails when a table is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedSchema } from '../src/settings/schema.ts';
import {
  UNSUPPORTED_PERMISSIONS,
  UNSUPPORTED_TOP_LEVEL,
  type UnsupportedKey,
} from '../src/settings/unsupported.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Page {
  readonly file: string;
  /** The name in the marker → what stands between it and the end marker. */
  readonly tables: Readonly<Record<string, () => string>>;
}

const PAGES: readonly Page[] = [
  {
    file: 'docs/settings.md',
    tables: { 'settings keys': settingsKeys, 'unsupported settings': unsupportedSettings },
  },
];

/** The pages as they are and as they would be written. */
export function generatedPages(): readonly {
  readonly file: string;
  readonly now: string;
  readonly fresh: string;
}[] {
  return PAGES.map(({ file, tables }) => {
    const now = readFileSync(join(ROOT, file), 'utf8');
    let fresh = now;
    for (const [name, write] of Object.entries(tables)) {
      const [begin, end] = [`<!-- generated: ${name} -->`, '<!-- end generated -->'];
      const start = fresh.indexOf(begin);
      const stop = fresh.indexOf(end, start);
      if (start < 0 || stop < 0) throw new Error(`${file}: the markers of "${name}" are missing`);
      fresh = `${fresh.slice(0, start + begin.length)}\n${write()}\n${fresh.slice(stop)}`;
    }
    return { file, now, fresh };
  });
}

interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly 'x-scopes'?: readonly string[];
}

function settingsKeys(): string {
  const rows = keysOf(publishedSchema() as SchemaNode, '').map(
    ([key, node]) => `| \`${key}\` | ${typeWords(node)} | ${scopeWords(node)} | ${node.description ?? ''} |`,
  );
  return ['| Key | Value | Counts in | What it does |', '|---|---|---|---|', ...rows].join('\n');
}

function keysOf(node: SchemaNode, prefix: string): readonly (readonly [string, SchemaNode])[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
    child.properties === undefined
      ? [[`${prefix}${key}`, child] as const]
      : keysOf(child, `${prefix}${key}.`),
  );
}

function typeWords(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(' or ');
  if (node.type === 'array') return 'list of strings';
  return node.type === 'integer' ? `whole number from ${node.minimum ?? 0}` : (node.type ?? '');
}

function scopeWords(node: SchemaNode): string {
  return (node['x-scopes'] ?? []).map((scope) => scope.replace('-', ' ')).join(', ');
}

function unsupportedSettings(): string {
  const rows = [
    ...[...UNSUPPORTED_TOP_LEVEL].map(([key, row]) => [key, row] as const),
    ...[...UNSUPPORTED_PERMISSIONS].map(([key, row]) => [`permissions.${key}`, row] as const),
  ];
  const refused = rows.filter(([, row]) => row.guards !== undefined);
  const ignored = rows.filter(([, row]) => row.guards === undefined);
  return [
    'Refused, because without them more would get through than their writer relies on:',
    '',
    ...refused.map(([key, row]) => `- \`${key}\`: ${lossOf(row)}`),
    '',
    `Ignored, with a warning: ${ignored.map(([key]) => `\`${key}\``).join(', ')}.`,
  ].join('\n');
}

const lossOf = (row: UnsupportedKey): string => row.loss ?? '';

function main(isCheck: boolean): number {
  const stale = generatedPages().filter(({ now, fresh }) => now !== fresh);
  for (const { file, fresh } of stale) {
    if (isCheck) console.error(`${file} is stale: run "npx tsx scripts/generate-docs.ts"`);
    else writeFileSync(join(ROOT, file), fresh);
  }
  return isCheck && stale.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.includes('--check'));
