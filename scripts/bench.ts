/**
 * What hookd costs beside the floor: the least that an agent loop can do through the SDK (scripts/bench/floor-agent.mjs).
 *   npm run bench                                     # all cases, 5 rounds each: about 6 minutes
 *   npm run bench -- --only read,bash --runs 9        # two cases: under a minute
 *   npm run bench -- --contestant peer.json           # another agent beside it (scripts/bench/contestants.ts)
 *   npm run bench -- --json | --write-docs            # as JSON; into the table of docs/PERFORMANCE.md
 * A scripted Messages API on loopback plays the model. All contestants take turns within each round, and each is
 * compared with the floor of its own round. Needs neither key nor network. Exit 1 when a case could not be measured,
 * not when an aim is missed: figures of a busy machine prove nothing.
 */
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PLAY_CASES } from './bench/cases.ts';
import { HOOKD, readContestant } from './bench/contestants.ts';
import { ENGINE_CASES } from './bench/engine-cases.ts';
import { type Case, type Measurement, measure } from './bench/measure.ts';
import { MessagesApi } from './bench/messages-api.ts';
import { reportOf, tableOf, writeDocs } from './bench/report.ts';

const DOCS = resolve(import.meta.dirname, '../docs/PERFORMANCE.md');

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '5' },
    contestant: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
  },
});

const all: readonly Case[] = [...PLAY_CASES, ...ENGINE_CASES];
const wanted = values.only.flatMap((names) => names.split(','));
const unknown = wanted.filter((name) => !all.some((one) => one.name === name));
const runs = Number(values.runs);
if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1) {
  console.error(
    unknown.length > 0
      ? `There is no case ${unknown.join(', ')}. The cases: ${all.map(({ name }) => name).join(', ')}.`
      : '--runs takes a whole number from 1.',
  );
  process.exit(2);
}
const cases = wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
const contestants = [HOOKD, ...values.contestant.map(readContestant)];
const loadBefore = loadavg()[0] ?? Number.NaN;
const api = await MessagesApi.start();
const measured: Measurement[] = [];
try {
  const plays = new Map();
  for (const one of cases) {
    process.stderr.write(`${one.name} …\n`);
    const size = values.smoke ? 'smoke' : 'full';
    try {
      measured.push(await measure(one, { api, contestants, runs, size, plays }));
    } catch (error) {
      process.stderr.write(`${one.name}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  }
} finally {
  api.close();
}
const report = reportOf(measured, runs, loadBefore);
console.log(values.json ? JSON.stringify(report) : tableOf(report));
if (values['write-docs']) writeDocs(DOCS, report);
