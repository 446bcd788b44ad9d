/** What a settings file says about the audit log. A word that is lost there is an error: somebody relies on it. */
import { isAbsolute } from 'node:path';
import type { AuditSettings, SinkSettings } from '../audit/channel-settings.ts';
import { parseTokenPattern, type TokenPattern } from '../audit/token-pattern.ts';
import { isObject } from '../core/json.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { AuditSchema, RedactSchema, SinkSchema } from './audit-schema.ts';
import type { JsonDocument, JsonPath } from './json.ts';
import { type SettingsOrigin, speaksOfAudit } from './origin.ts';
import { describeValue, keyText, type SettingsProblem } from './problem.ts';

export interface ReadAudit {
  readonly values: { readonly audit?: AuditSettings };
  readonly problems: readonly SettingsProblem[];
}

const AUDIT_KEYS: readonly string[] = Object.keys(AuditSchema.properties);
const SINK_KEYS: readonly string[] = Object.keys(SinkSchema.properties);
const REDACT_KEYS: readonly string[] = Object.keys(RedactSchema.properties);

type Facts = Pick<SettingsProblem, 'message' | 'expected' | 'found' | 'nearMiss'>;
type Report = (path: JsonPath, facts: Facts) => void;

/** The schema's errors are reported elsewhere; when there are any, nothing of the file counts. */
export function readAudit(origin: SettingsOrigin, document: JsonDocument): ReadAudit {
  const audit = isObject(document.value) ? document.value['audit'] : undefined;
  if (!isObject(audit) || !speaksOfAudit(origin)) return { values: {}, problems: [] };
  const problems: SettingsProblem[] = [];
  const report: Report = (path, facts) => {
    const place = { ...document.placeOfKey(path), key: keyText(path) };
    problems.push({
      severity: 'error',
      file: origin.file,
      ...place,
      ...facts,
      advice: 'Correct or remove it.',
    });
  };
  unknownKeys(audit, AUDIT_KEYS, ['audit'], report);
  const { sinks: written, redact: shapes, ...others } = audit;
  const sinks = Array.isArray(written)
    ? written.flatMap((sink: unknown, index) => readSink(sink, ['audit', 'sinks', index], report))
    : undefined;
  const redact = Array.isArray(shapes)
    ? shapes.flatMap((shape: unknown, index) => readShape(shape, ['audit', 'redact', index], report))
    : undefined;
  const values = {
    ...(others as AuditSettings),
    ...(sinks === undefined ? {} : { sinks }),
    ...(redact === undefined ? {} : { redact }),
  };
  return { values: { audit: values }, problems };
}

function unknownKeys(
  object: object,
  known: readonly string[],
  path: readonly (string | number)[],
  report: Report,
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const near = nearMiss(key, known);
    const message = 'unknown key: the audit log would not be kept as this says';
    report([...path, key], { message, ...(near === undefined ? {} : { nearMiss: near }) });
  }
}

function readShape(
  shape: unknown,
  path: readonly (string | number)[],
  report: Report,
): readonly TokenPattern[] {
  if (!isObject(shape)) return [];
  unknownKeys(shape, REDACT_KEYS, path, report);
  const { name, pattern } = shape;
  if (!isString(name) || !isString(pattern)) return [];
  const parsed = parseTokenPattern(name, pattern);
  if (parsed.ok) return [parsed.pattern];
  const message = `it cannot be used, from its character ${parsed.at + 1} on: ${parsed.problem}`;
  report([...path, 'pattern'], {
    message,
    expected: 'a fixed beginning, then characters and classes with counts, as in `itk_[A-Za-z0-9]{32}`',
    found: describeValue(pattern),
  });
  return [];
}

function readSink(
  sink: unknown,
  path: readonly (string | number)[],
  report: Report,
): readonly SinkSettings[] {
  if (!isObject(sink)) return [];
  unknownKeys(sink, SINK_KEYS, path, report);
  const { type, path: file, command, args } = sink;
  const required = sink['required'] === true;
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const stray = (key: string) =>
    report([...path, key], { message: `means nothing for a sink of type "${String(type)}"` });
  if (type === 'file') {
    for (const key of ['command', 'args']) if (key in sink) stray(key);
    const isPlace = isText(file) && (isAbsolute(file) || file.startsWith('~/')) && !file.endsWith('/');
    if (isPlace) return [{ type, path: file, required }];
    const place = 'path' in sink ? [...path, 'path'] : path;
    report(place, {
      message: 'a sink of type "file" needs a path',
      expected: 'a file, absolute or `~/…`',
      ...found(file),
    });
    return [];
  }
  if (type !== 'command') return [];
  if ('path' in sink) stray('path');
  if (isText(command)) {
    const list = Array.isArray(args) ? { args: args.filter(isString) } : {};
    return [{ type, command, ...list, required }];
  }
  const message = 'a sink of type "command" needs a command';
  report('command' in sink ? [...path, 'command'] : path, { message, ...found(command) });
  return [];
}

const found = (value: unknown) => (value === undefined ? {} : { found: describeValue(value) });
const isString = (value: unknown): value is string => typeof value === 'string';
