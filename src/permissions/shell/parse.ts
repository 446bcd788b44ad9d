/** Bash text to syntax tree: unbash, and nothing that the guard does not vouch for. */
import { type ParsedScript, parse } from 'unbash';
import { turnsPosix } from './dialect.ts';
import { takesTooMuchEffort } from './effort.ts';
import { problemOfScript } from './guard.ts';
import { staticValue } from './word.ts';

export type ParsedCommand =
  | { readonly ok: true; readonly script: ParsedScript }
  /** `script` is what was understood all the same: deny rules look at it, nothing else may. */
  | {
      readonly ok: false;
      readonly why: string;
      readonly script: ParsedScript | undefined;
      /** It is built to be endless work. */
      readonly endless?: true;
    };

/** Beyond this nothing is parsed at all. */
const LONGEST_COMMAND = 65_536;
/** Nesting costs the parser stack and time; no honest command comes near. */
const DEEPEST_NESTING = 60;
const SUBSTITUTIONS = /`|[$<>]\(|\$\{/g;
const MOST_SUBSTITUTIONS = 200;
/** What begins commands, expansions, assignments and terms: the parser takes about 7 µs for each (scripts/decision-speed.ts). */
const MARKS = /[;&|\n$=+]/g;
const MOST_MARKS = 4000;

export function parseCommand(text: string): ParsedCommand {
  if (text.length > LONGEST_COMMAND)
    return { ok: false, why: 'it is too long to be analysed', script: undefined };
  if (nestingOf(text) > DEEPEST_NESTING)
    return { ok: false, why: 'it opens too many brackets', script: undefined };
  // Before what counts all of it: it stops as soon as it has seen enough.
  if (takesTooMuchEffort(text))
    return { ok: false, why: 'it has too many parts to be analysed', script: undefined, endless: true };
  if ((text.match(SUBSTITUTIONS)?.length ?? 0) > MOST_SUBSTITUTIONS)
    return { ok: false, why: 'it opens too many brackets', script: undefined };
  if (text.length > MOST_MARKS && (text.match(MARKS)?.length ?? 0) > MOST_MARKS)
    return { ok: false, why: 'it has too many parts to be analysed', script: undefined };
  let script: ParsedScript;
  try {
    script = parse(text);
  } catch {
    return { ok: false, why: 'it cannot be parsed', script: undefined };
  }
  const why =
    problemOfScript(text, script) ??
    (turnsPosix(text, script) ? 'it may read quotes by the standard' : undefined);
  return why === undefined ? { ok: true, script } : { ok: false, why, script };
}

/** How deep brackets stand in each other, quoted ones too. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > deepest) deepest = depth;
        break;
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        if (depth > 0) depth--;
    }
  }
  return deepest;
}

/** Characters that mean only themselves, wherever they stand; of `=` that is not so in front. */
const ONLY_WORDS = /^[\w.,:@%+/-]+(?: [\w.,:@%+/-]+)*$/;
/** As first words they begin something else than a command. */
const RESERVED = new Set(
  'if then elif else fi do done case esac while until for select in function time coproc'.split(' '),
);

/** The words of a text of nothing but words, told without a parse: most rules are such texts, and many commands. */
export function onlyWords(text: string): readonly string[] | undefined {
  if (!ONLY_WORDS.test(text)) return undefined;
  const words = text.split(' ');
  return RESERVED.has(words[0] ?? '') ? undefined : words;
}

/** The words of a text that is one plain command: no operator, no expansion, no redirection. */
export const plainWords = (text: string): readonly string[] | undefined =>
  onlyWords(text) ?? parsedWords(text);

/** The same for any text, by the grammar. */
export function parsedWords(text: string): readonly string[] | undefined {
  const parsed = parseCommand(text);
  if (!parsed.ok) return undefined;
  const [statement, ...more] = parsed.script.commands;
  const command = statement?.command;
  if (statement?.background || more.length > 0 || command?.type !== 'Command') return undefined;
  if (command.name === undefined || command.prefix.length > 0 || command.redirects.length > 0)
    return undefined;
  const words = [command.name, ...command.args].map((word) =>
    word.type === 'Word' ? staticValue(word) : undefined,
  );
  return words.every((word) => word !== undefined) ? words : undefined;
}
