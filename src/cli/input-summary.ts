/** What a tool is called with, in a few words. */

/** The field that says most, else the whole input. */
export function inputSummary(input: unknown): string {
  if (typeof input !== 'object' || input === null) return JSON.stringify(input) ?? '';
  const fields = input as Readonly<Record<string, unknown>>;
  for (const name of ['command', 'file_path', 'path', 'pattern']) {
    if (typeof fields[name] === 'string') return fields[name];
  }
  return JSON.stringify(input);
}
