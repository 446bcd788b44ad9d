/** Notices settings of Claude Code that guard something and are not read, so that nobody relies on them in vain. */
import { isObject } from '../core/json.ts';
import { readWhole } from './read-file.ts';

/** One sentence for all such files; none where there is none. */
export function noticeOfUnread(files: readonly string[]): readonly string[] {
  const guarding = files.flatMap((file) => {
    const what = guardsIn(file);
    return what.length === 0 ? [] : [`${file} (${what.join(', ')})`];
  });
  if (guarding.length === 0) return [];
  return [
    `These files of Claude Code are not read: ${guarding.join('; ')}. Start with --claude-settings (or HOOKD_CLAUDE_SETTINGS=1) to read them too.`,
  ];
}

function guardsIn(file: string): readonly string[] {
  const content = readWhole(file);
  if (content.kind !== 'content') return [];
  const text = new TextDecoder().decode(content.bytes);
  try {
    const value = JSON.parse(text) as unknown;
    if (!isObject(value)) return [];
    const permissions = isObject(value['permissions']) ? value['permissions'] : {};
    return [
      ...(holdsSomething(permissions['deny']) ? ['deny rules'] : []),
      ...(holdsSomething(permissions['ask']) ? ['ask rules'] : []),
      ...(holdsSomething(value['hooks']) ? ['hooks'] : []),
    ];
  } catch {
    // It is broken, and was meant to say something.
    return /"(?:deny|ask|hooks)"/.test(text) ? ['not valid JSON'] : [];
  }
}

function holdsSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
