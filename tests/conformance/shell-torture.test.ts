import { expect, test } from 'vitest';
import { type Analysis, analyseCommand } from '../../src/permissions/shell/commands.ts';
import torture from './shell-torture.json' with { type: 'json' };

interface Item {
  readonly id: string;
  readonly cmd: string;
  readonly valid: boolean;
  readonly commands: readonly (readonly (string | null)[])[];
  readonly redirects: readonly (readonly [string, string | null])[];
}

const items = torture.items as unknown as readonly Item[];
const start = { cwd: '/work', home: '/home/u' };

const analysed = items.map((item) => ({ item, analysis: analyseCommand(item.cmd, start) }));
const understood = analysed.filter(({ analysis }) => analysis.why === undefined);

function argvs(analysis: Analysis): readonly string[] {
  return analysis.commands.map(({ words }) =>
    JSON.stringify(words.map((word) => (word.kind === 'static' ? word.value : null))),
  );
}

/** Every word that is claimed to be known must be right; a known word may be called dynamic, which is stricter. */
function covers(found: readonly (string | null)[], wanted: readonly (string | null)[]): boolean {
  return (
    found.length === wanted.length && found.every((word, index) => word === null || word === wanted[index])
  );
}

test('text that is not valid bash is never understood', () => {
  const invalid = analysed.filter(({ item }) => !item.valid);
  expect(invalid.length).toBeGreaterThan(20);
  expect(invalid.filter(({ analysis }) => analysis.why === undefined).map(({ item }) => item.id)).toEqual(
    KNOWN_VALID_ELSEWHERE,
  );
});

test('every command that bash may run is found where the text is understood', () => {
  expect(understood.length).toBeGreaterThan(80);
  const missed = understood.flatMap(({ item, analysis }) => {
    const found = argvs(analysis).map((text) => JSON.parse(text) as (string | null)[]);
    return item.commands
      .filter((wanted) => !found.some((argv) => covers(argv, wanted)))
      .map((wanted) => `${item.id} ${JSON.stringify(wanted)}`);
  });
  expect(missed).toEqual([]);
});

test('every redirection to a file is found where the text is understood', () => {
  const missed = understood.flatMap(({ item, analysis }) => {
    const found = analysis.commands.flatMap(({ redirects }) => redirects);
    return item.redirects
      .filter(
        ([operator, target]) =>
          !found.some(
            (one) =>
              one.operator === operator && (one.target.kind !== 'static' || one.target.value === target),
          ),
      )
      .map((wanted) => `${item.id} ${JSON.stringify(wanted)}`);
  });
  expect(missed).toEqual([]);
});

/** Accepted by the parser and refused by bash: nothing runs, so nothing is lost. */
const KNOWN_VALID_ELSEWHERE: readonly string[] = [];
