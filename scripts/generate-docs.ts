/**
 * Writes the tables of the docs that follow from the code, between their markers.
 * `--check` writes nothing and fails when a table is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerSchema } from '../src/hooks/answer-schema.ts';
import {
  type Blocking,
  COMMON_PAYLOAD,
  eventRow,
  HOOK_EVENTS,
  type HookEvent,
  NEVER_FIRES,
} from '../src/hooks/events.ts';
import { GroupSchema, HandlerSchema } from '../src/settings/hook-schema.ts';
import { publishedSchema } from '../src/settings/schema.ts';
import {
  UNSUPPORTED_PERMISSIONS,
  UNSUPPORTED_TOP_LEVEL,
  type UnsupportedKey,
} from '../src/settings/unsupported.ts';
import { commonFields, recordJsonSchema, recordKinds, recordShapes } from './audit-docs.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Page {
  readonly file: string;
  /** The name in the marker → what stands between it and the end marker. */
  readonly tables: Readonly<Record<string, () => string>>;
}

const PAGES: readonly Page[] = [
  {
    file: 'docs/settings.md',
    tables: {
      'settings keys': settingsKeys,
      'hook fields': hookFields,
      'gate events': gateEvents,
      'unsupported settings': unsupportedSettings,
    },
  },
  { file: 'docs/hooks.md', tables: { 'hook events': hookEvents } },
  {
    file: 'docs/audit.md',
    tables: { 'common fields': commonFields, 'record kinds': recordKinds, 'record shapes': recordShapes },
  },
];

/** What settings may hold, what hooks read and may answer, what a record holds: for editors, tests and readers. */
const SCHEMA_FILES: Readonly<Record<string, () => string>> = {
  'docs/hooks.schema.json': hookSchemas,
  'docs/audit.schema.json': () => `${JSON.stringify(recordJsonSchema(), null, 1)}\n`,
  'docs/settings.schema.json': () => `${JSON.stringify(publishedSchema(), null, 2)}\n`,
};

/** The pages as they are and as they would be written. */
export function generatedPages(): readonly {
  readonly file: string;
  readonly now: string;
  readonly fresh: string;
}[] {
  const schemas = Object.entries(SCHEMA_FILES).map(([file, write]) => {
    return { file, now: readIfThere(file), fresh: write() };
  });
  const pages = PAGES.map(({ file, tables }) => {
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
  return [...pages, ...schemas];
}

function readIfThere(file: string): string {
  return existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
}

interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: SchemaNode;
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
    child.properties === undefined || key === 'hooks'
      ? [[`${prefix}${key}`, child] as const]
      : keysOf(child, `${prefix}${key}.`),
  );
}

function typeWords(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(' or ');
  if (node.type === 'array') return node.items?.type === 'string' ? 'list of strings' : 'list';
  if (node.exclusiveMinimum !== undefined) return `number above ${node.exclusiveMinimum}`;
  if (node.maximum !== undefined) return `number from ${node.minimum ?? 0} to ${node.maximum}`;
  return node.type === 'integer' ? `whole number from ${node.minimum ?? 0}` : String(node.type ?? '');
}

function scopeWords(node: SchemaNode): string {
  return (node['x-scopes'] ?? [])
    .map((scope) => (scope === 'trusted-project' ? 'project if trusted' : scope.replace('-', ' ')))
    .join(', ');
}

function hookFields(): string {
  const schemas = JSON.parse(JSON.stringify([GroupSchema, HandlerSchema])) as readonly [
    SchemaNode,
    SchemaNode,
  ];
  const rows = schemas.flatMap((schema, index) =>
    Object.entries(schema.properties ?? {}).map(([field, node]) => {
      const name = index === 0 ? field : `hooks[].${field}`;
      return `| \`${name}\` | ${typeWords(node)} | ${(node.description ?? '').replaceAll('|', '\\|')} |`;
    }),
  );
  return ['| Field | Value | What it does |', '|---|---|---|', ...rows].join('\n');
}

const EXIT2_WORDS: Readonly<Record<Blocking, string>> = {
  deny: 'the call is denied',
  block: 'what was about to happen does not',
  feedback: 'the model is told; what happened stays',
  stop: 'the turn ends',
  goOn: 'the model works on',
  nothing: 'nothing',
};

function hookEvents(): string {
  const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || '–';
  const rows = Object.keys(HOOK_EVENTS).map((name) => {
    const row = eventRow(name as HookEvent);
    const subject = row.subject === undefined ? '–' : `\`${row.subject}\``;
    const cells = [
      `\`${name}\`${row.isGate ? ' (gate)' : ''}`,
      row.doc,
      subject,
      listed(Object.keys(row.payload.properties)),
      EXIT2_WORDS[row.exit2],
      listed(row.answers),
      row.onFailure,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| Event | When, and what a hook may do | Matcher compares | Fields | Exit 2, or a block | Answer may hold | `onFailure` |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function hookSchemas(): string {
  const events = Object.keys(HOOK_EVENTS).map((name) => {
    const { payload } = eventRow(name as HookEvent);
    const properties = { ...COMMON_PAYLOAD.properties, ...payload.properties };
    const required = [...(COMMON_PAYLOAD.required ?? []), ...(payload.required ?? [])];
    return [name, { payload: { ...payload, properties, required }, answer: answerSchema(name as HookEvent) }];
  });
  return `${JSON.stringify(Object.fromEntries(events), null, 1)}\n`;
}

function gateEvents(): string {
  const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const events = Object.entries(HOOK_EVENTS);
  const gates = events.filter(([, row]) => row.isGate).map(([name]) => name);
  const others = events.filter(([, row]) => !row.isGate).map(([name]) => name);
  return [
    `- Gate events, which can hold something back: ${listed(gates)}.`,
    `- Other events: ${listed(others)}.`,
    `- Events of Claude Code that never fire here, so that their hooks load with a note and never run: ${listed(NEVER_FIRES)}.`,
  ].join('\n');
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
