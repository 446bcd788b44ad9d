/** Claude Code's flags of a row as hookd takes them: it has the same names, and one value a flag. */
import type { CommandLine } from '../../src/settings/command-line.ts';

interface RowFlags {
  readonly flags: readonly string[];
  readonly mode: string;
  /** The text given to `--settings`. */
  readonly inline: string | undefined;
}

/** A flag that is not here has nothing to do with permissions. */
export function commandLineOf({ flags, mode, inline }: RowFlags): CommandLine {
  const values = new Map<string, string[]>();
  let last: string[] = [];
  for (const word of flags) {
    if (word.startsWith('--')) {
      const [name = '', ...value] = word.split('=');
      last = values.get(name) ?? [];
      values.set(name, last);
      if (value.length > 0) last.push(value.join('='));
    } else {
      last.push(word);
    }
  }
  const of = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => values.get(name) ?? []);
  const skips = values.has('--dangerously-skip-permissions') ? 'bypassPermissions' : undefined;
  const asked = mode === 'default' ? undefined : mode;
  return {
    settings: [...of('--settings'), ...(inline === undefined ? [] : [inline])],
    allowedTools: of('--allowedTools', '--allowed-tools'),
    disallowedTools: of('--disallowedTools', '--disallowed-tools'),
    addDirs: of('--add-dir'),
    settingSources: of('--setting-sources').at(-1),
    permissionMode: of('--permission-mode').at(-1) ?? skips ?? asked,
  };
}
