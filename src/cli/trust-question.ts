/** What a project's settings would switch on, and the question whether they may. The project chose the words: none of them passes for ours. */
import type { Interface } from 'node:readline/promises';
import type { ReviewedFile } from '../settings/trust-review.ts';
import { wrapped } from './columns.ts';
import { escaped, printable } from './output.ts';

/** As many entries of one file are shown; a person would not read more. */
const MOST_SHOWN = 200;

/** One line an entry, behind a bar; longer ones go on in further lines, behind the same bar. */
export function reviewRows(files: readonly ReviewedFile[]): readonly string[] {
  return files
    .filter(({ loosens }) => loosens.length > 0)
    .flatMap(({ file, loosens }) => {
      const left = loosens.length - MOST_SHOWN;
      return [
        `  ${exact(file)}`,
        ...loosens.slice(0, MOST_SHOWN).flatMap((text) => wrapped(exact(text), '    │   ', '    │ ')),
        ...(left > 0 ? [`    … and ${left} more, which are not shown: read the file.`] : []),
      ];
    });
}

/** Nothing in it is invisible, and none of it begins a line. */
function exact(text: string): string {
  return printable(text)
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replace(/(?! )[\p{Default_Ignorable_Code_Point}\p{Format}\p{Space_Separator}\u2800]/gu, escaped);
}

/** What is not a clear yes is a no; so is an end of the input. */
export async function saysYes(readline: Interface, question: string): Promise<boolean> {
  const closed = new AbortController();
  const close = () => closed.abort();
  readline.once('close', close).once('SIGINT', close);
  try {
    return /^\s*y(es)?\s*$/i.test(await readline.question(question, { signal: closed.signal }));
  } catch {
    return false;
  } finally {
    readline.off('close', close).off('SIGINT', close);
  }
}
