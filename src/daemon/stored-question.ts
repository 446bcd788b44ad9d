/** Is what stands in `approvals.json` a question that was put here? One that is not must not hide the others from clients. */
import { isObject } from '../core/json.ts';
import type { PendingApproval } from '../core/protocol.ts';

export function isQuestionOf(session: string, value: unknown): value is PendingApproval {
  if (!isObject(value)) return false;
  const { input, rewrittenBy, decision, toolUseId, alwaysRule, expiresAt } = value;
  return (
    value['session'] === session &&
    hasTexts(value, ['id', 'subject', 'inputDigest', 'requestedAt']) &&
    [toolUseId, alwaysRule, expiresAt].every((text) => text === undefined || typeof text === 'string') &&
    isObject(input) &&
    (rewrittenBy === undefined || hasTexts(rewrittenBy, ['event', 'name', 'file'])) &&
    hasTexts(decision, ['behavior', 'reason']) &&
    isCause(decision['cause'])
  );
}

function isCause(cause: unknown): boolean {
  if (!hasTexts(cause, ['kind'])) return false;
  if (cause['kind'] === 'rule') return hasTexts(cause['rule'], ['text', 'list', 'file']);
  return cause['kind'] !== 'hook' || hasTexts(cause['hook'], ['event', 'name', 'file']);
}

function hasTexts(value: unknown, keys: readonly string[]): value is Readonly<Record<string, unknown>> {
  return isObject(value) && keys.every((key) => typeof value[key] === 'string');
}
