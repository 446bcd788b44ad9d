/** Fields of stored records in words. Records are data that anybody may have written: nothing about their shape is taken for granted. */
import { basename } from 'node:path';
import { inputSummary } from './input-summary.ts';

/** A text as it is; of a large one its beginning and its size; of anything else its JSON. */
export function text(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const head = at(value, 'head');
  const bytes = at(value, 'bytes');
  if (typeof head === 'string' && typeof bytes === 'number') return `${head}… (${bytes} bytes)`;
  return JSON.stringify(value);
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Of a hook: the event, and what is run. */
export function hookWords(hook: unknown): string {
  return `${text(at(hook, 'event'))} ${text(at(hook, 'name'))}`;
}

/** `settings.json:12`; with the whole path where there is room for it. */
export function placeWords(source: unknown, isWhole = false): string {
  const file = text(at(source, 'file'));
  const line = text(at(source, 'line'));
  if (file === '') return '';
  return `${isWhole ? file : basename(file)}${line === '' ? '' : `:${line}`}`;
}

/** Who or what decided. */
export function causeWords(cause: unknown, isWhole = false): string {
  const rule = at(cause, 'rule');
  const hook = at(cause, 'hook');
  switch (at(cause, 'kind')) {
    case 'rule':
      return `${text(at(rule, 'list'))} rule ${text(at(rule, 'text'))} (${placeWords(rule, isWhole)})`;
    case 'hook':
      return `hook ${hookWords(hook)} (${placeWords(hook, isWhole)})`;
    case 'mode':
      return `mode ${text(at(cause, 'mode'))}`;
    case 'builtin':
      return `built-in rule ${text(at(cause, 'name'))}`;
    case 'human':
      return `a person (${text(at(cause, 'client'))})`;
    case 'unanswered':
      return `nobody answered: ${text(at(cause, 'why'))}`;
    default:
      return text(cause);
  }
}

/** How a run ended: `exit 2`, `signal SIGKILL`, `timed out`. */
export function endWords(end: unknown): string {
  switch (at(end, 'kind')) {
    case 'exited':
      return `exit ${text(at(end, 'code'))}`;
    case 'signalled':
      return `signal ${text(at(end, 'signal'))}`;
    case 'timedOut':
      return 'timed out';
    case 'notStarted':
      return `not started: ${text(at(end, 'message'))}`;
    default:
      return text(at(end, 'kind'));
  }
}

/** The field of a tool's input that says most, else all of it. */
export function inputWords(input: unknown): string {
  return at(input, 'bytes') === undefined ? inputSummary(input) : text(input);
}

/** `12 ms`, `3.4 s`, `2 min 5 s`; nothing for what is no number. */
export function durationWords(ms: unknown): string {
  if (typeof ms !== 'number') return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
