/** What the docs say of the audit's records: a table a kind, and one JSON Schema for all, both from the schemas of the source. */
import type { TSchema } from 'typebox';
import { COMMON_FIELDS, RECORD_SCHEMAS } from '../src/audit/record-schema.ts';
import * as shapes from '../src/audit/record-shapes.ts';

interface Node {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly 'x-words'?: string;
}

const KINDS: readonly (readonly [string, Node])[] = Object.entries(RECORD_SCHEMAS).map(([kind, schema]) => [
  kind,
  plain(schema),
]);

/** Shapes with a table of their own. */
const SHAPES: readonly Node[] = Object.values(shapes)
  .flatMap((shape) => (typeof shape === 'object' && 'title' in shape ? [plain(shape)] : []))
  .filter(({ title }, index, all) => all.findIndex((other) => other.title === title) === index)
  // The order of a module's names is the loader's.
  .sort((a, b) => ((a.title ?? '') < (b.title ?? '') ? -1 : 1));

function plain(schema: TSchema | object): Node {
  return JSON.parse(JSON.stringify(schema)) as Node;
}

export function commonFields(): string {
  return tableOf(plain(COMMON_FIELDS));
}

export function recordKinds(): string {
  return KINDS.map(([kind, schema]) => `### \`${kind}\`\n\n${schema.description}\n\n${tableOf(schema)}`).join(
    '\n\n',
  );
}

export function recordShapes(): string {
  return SHAPES.map((shape) => `**${shape.title}**\n\n${tableOf(shape)}`).join('\n\n');
}

function tableOf({ properties, required }: Node): string {
  const rows = Object.entries(properties ?? {}).map(([field, node]) => {
    const name = `\`${field}\`${required?.includes(field) === true ? '' : ' ?'}`;
    return `| ${name} | ${wordsOf(node)} | ${(node.description ?? '').replaceAll('|', '\\|')} |`;
  });
  return ['| field | type | means |', '|---|---|---|', ...rows].join('\n');
}

function wordsOf({ title, type, enum: values, ...node }: Node): string {
  if (node['x-words'] !== undefined) return node['x-words'];
  if (title !== undefined) return title;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(' ');
  const words = (Array.isArray(type) ? type : [type]).join(' or ');
  return words.replace('integer', 'whole number');
}

/** `strict`: a field that is not described does not fit. A later version may add fields: what is published lets them be. */
export function recordJsonSchema(strict = false): object {
  const common = plain(COMMON_FIELDS);
  const records = KINDS.map(([kind, { description, properties, required }]) => ({
    title: kind,
    description,
    type: 'object',
    properties: {
      ...common.properties,
      kind: { const: kind },

      ...properties,
    },
    required: [...(common.required ?? []), ...(required ?? [])],
  }));
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'hookd audit record',
    description: 'One line of an audit file of hookd.',
    type: 'object',
    oneOf: records,
    $defs: { large: plain(shapes.LargeValue) },
  };
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      // The words for the tables mean nothing to a validator.
      if (key === 'x-words') return undefined;
      const isShape = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value;
      return strict && isShape ? { ...value, additionalProperties: false } : value;
    }),
  ) as object;
}
