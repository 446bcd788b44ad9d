/** What a settings file says about the audit log. A key that is lost there is an error: somebody relies on it. */
import type { AuditSettings } from '../audit/channel-settings.ts';
import { AuditSchema } from './audit-schema.ts';
import { isObject, type JsonDocument } from './json.ts';
import { nearMiss } from './near-miss.ts';
import { type SettingsOrigin, speaksOfAudit } from './origin.ts';
import { keyText, type SettingsProblem } from './problem.ts';

export interface ReadAudit {
  readonly values: { readonly audit?: AuditSettings };
  readonly problems: readonly SettingsProblem[];
}

const KEYS: readonly string[] = Object.keys(AuditSchema.properties);

/** The schema's errors are reported elsewhere; when there are any, nothing of the file counts. */
export function readAudit(origin: SettingsOrigin, document: JsonDocument): ReadAudit {
  const audit = isObject(document.value) ? document.value['audit'] : undefined;
  if (!isObject(audit) || !speaksOfAudit(origin)) return { values: {}, problems: [] };
  const problems = Object.keys(audit).flatMap((key): readonly SettingsProblem[] => {
    if (KEYS.includes(key)) return [];
    const path = ['audit', key];
    const near = nearMiss(key, KEYS);
    return [
      {
        ...{ severity: 'error', file: origin.file, ...document.placeOfKey(path), key: keyText(path) },
        message: 'unknown key: the audit log would not be kept as this says',
        ...(near === undefined ? {} : { nearMiss: near }),
        advice: 'Correct or remove it.',
      },
    ];
  });
  return { values: { audit: audit as AuditSettings }, problems };
}
