/** The bench itself, with next to nothing of each case: it must go on measuring. No figure is judged here. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAY_CASES } from '../../scripts/bench/cases.ts';
import { HOOKD, readContestant } from '../../scripts/bench/contestants.ts';
import { ENGINE_CASES } from '../../scripts/bench/engine-cases.ts';
import { type Measurement, measure } from '../../scripts/bench/measure.ts';
import { MessagesApi } from '../../scripts/bench/messages-api.ts';
import { reportOf, tableOf, writeDocs } from '../../scripts/bench/report.ts';

/** Two dozen processes one after the other, on a machine that may be busy. */
const LONGEST_MS = 300_000;

describe('the bench', () => {
  const cases = [...PLAY_CASES, ...ENGINE_CASES];
  let root: string;
  let api: MessagesApi;
  const measured: Measurement[] = [];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'hookd-bench-test-'));
    api = await MessagesApi.start();
  });

  afterAll(() => {
    api.close();
    rmSync(root, { recursive: true, force: true });
  });

  it(
    'gives a figure for every case',
    async () => {
      const settings = { api, contestants: [HOOKD], runs: 1, size: 'smoke', plays: new Map() } as const;
      for (const one of cases) measured.push(await measure(one, settings));
      const figures = measured.map(({ name, floor, contestants }) => ({
        name,
        floor: floor.median > 0,
        contestants: contestants.map((one) => [
          one.name,
          one.value.median > 0,
          Number.isFinite(one.ratio.median),
        ]),
      }));
      expect(figures).toEqual(
        cases.map(({ name }) => ({ name, floor: true, contestants: [['hookd', true, true]] })),
      );
    },
    LONGEST_MS,
  );

  it('puts the figures in a table, and between the marks of its page', () => {
    const report = reportOf(measured, 1, 0);
    const page = join(root, 'page.md');
    const marks = ['<!-- figures: npm run bench -- --write-docs -->', '<!-- end of figures -->'];
    writeFileSync(page, `before\n${marks.join('\nold\n')}\nafter\n`);
    writeDocs(page, report);
    const written = readFileSync(page, 'utf8');
    expect(written).toMatch(/^before\n[\s\S]*\nafter\n$/);
    expect(written).not.toContain('old');
    for (const { name, title } of cases) {
      expect(tableOf(report)).toContain(title);
      expect(written).toContain(`\`${name}\``);
    }
  });

  it('takes other contestants from a file, and says what is wrong with it', () => {
    const path = join(root, 'peer.json');
    const peer = { name: 'peer', command: ['peer', '-p', '{prompt}'], environment: { URL: '{url}' } };
    writeFileSync(path, JSON.stringify(peer));
    expect(readContestant(path)).toEqual(peer);
    writeFileSync(path, JSON.stringify({ name: 'peer', command: 'peer' }));
    expect(() => readContestant(path)).toThrow(
      'an adapter needs "name" (text) and "command" (a list of texts)',
    );
  });
});
