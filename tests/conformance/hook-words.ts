/** The words of a hook that must reach the model, or the result, unchanged; the frame around them may differ. */
import type { HookCase } from './hook-cases.ts';

/** Words of hooks are written in capitals in the cases; names of variables follow a `$`. */
const WORD = /(?<![$A-Za-z0-9_{-])[A-Z][A-Z0-9]{2,}(?![A-Za-z0-9_])/g;

/** Words that the case's hooks may say, and that were `heard` there but not here. */
export function lostWords(
  one: HookCase,
  heardHere: { readonly model: string; readonly result: string },
): readonly string[] {
  const { settings, localSettings, userSettings, flagSettings, files, homeFiles, httpHook, expected } = one;
  const written = JSON.stringify([
    settings,
    localSettings,
    userSettings,
    flagSettings,
    files,
    homeFiles,
    httpHook,
  ]);
  const words = [...new Set(written.match(WORD) ?? [])];
  const model = JSON.stringify([expected.tool_results, expected.injected]);
  const result = JSON.stringify(expected.core.final_text ?? '');
  const isIn = (text: string) => (word: string) => text.includes(word);
  return [
    ...words.filter(isIn(model)).filter((word) => !isIn(heardHere.model)(word)),
    ...words.filter(isIn(result)).filter((word) => !isIn(heardHere.result)(word)),
  ];
}
