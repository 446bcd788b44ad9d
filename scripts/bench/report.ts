/** The bench's figures as a table for a terminal and for docs/PERFORMANCE.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Measurement, Standing } from './measure.ts';
import type { Spread } from './statistics.ts';

export interface Report {
  readonly machine: {
    readonly node: string;
    readonly cores: number;
    readonly memoryGb: number;
    /** Others at work disturb what is measured: load before the first and after the last case. */
    readonly load: readonly [number, number];
  };
  readonly day: string;
  readonly runs: number;
  readonly cases: readonly Measurement[];
}

export function reportOf(cases: readonly Measurement[], runs: number, loadBefore: number): Report {
  return {
    machine: {
      node: process.version,
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 2 ** 30),
      load: [loadBefore, loadavg()[0] ?? Number.NaN],
    },
    day: new Date().toISOString().slice(0, 10),
    runs,
    cases,
  };
}

const HEADER = ['case', 'what', 'unit', 'floor', 'contestant', 'value', 'ratio', 'aim'] as const;

function rowsOf({ name, title, unit, floor, contestants }: Measurement): readonly (readonly string[])[] {
  return contestants.map((one) => [
    name,
    title,
    unit,
    figure(floor.median),
    one.name,
    figure(one.value.median),
    ratioText(one),
    one.aim === undefined ? '' : `${one.aim.words}: ${one.aim.isKept ? 'kept' : 'missed'}`,
  ]);
}

function ratioText({ ratio, isNoisy }: Standing): string {
  return `${ratio.median.toFixed(2)} (${rangeOf(ratio)})${isNoisy ? ' noisy' : ''}`;
}

function rangeOf({ low, high }: Spread): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
}

export function tableOf({ machine, day, runs, cases }: Report): string {
  const rows = [[...HEADER], ...cases.flatMap(rowsOf)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [
    ...lines,
    '',
    `${day}, Node ${machine.node}, ${machine.cores} cores, load ${machine.load.map((one) => one.toFixed(1)).join(' → ')}; medians of ${runs} rounds; in brackets the middle half of the rounds' ratios`,
  ].join('\n');
}

const BEGIN = '<!-- figures: npm run bench -- --write-docs -->';
const END = '<!-- end of figures -->';

/** Puts the figures between the markers of the page. Throws when the page has no markers. */
export function writeDocs(path: string, report: Report): void {
  const page = readFileSync(path, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`${path} has no markers for the figures.`);
  writeFileSync(path, `${page.slice(0, from + BEGIN.length)}\n${markdownOf(report)}\n${page.slice(to)}`);
}

function markdownOf({ machine, day, runs, cases }: Report): string {
  const rows = cases.flatMap(rowsOf).map(([name, title, unit, floor, who, value, ratio, aim]) => {
    const whose = who === 'hookd' ? '' : ` (${who})`;
    return `| ${title}${whose} | \`${name}\` | ${floor} ${unit} | ${value} ${unit} | ${ratio} | ${aim} |`;
  });
  const load = machine.load.map((one) => one.toFixed(1)).join(' to ');
  return [
    `Measured on ${day}: Node ${machine.node}, ${machine.cores} cores, ${machine.memoryGb} GB, load average ${load}; medians of ${runs} rounds.`,
    '',
    '| What | case | floor | hookd | ratio (middle half of the rounds) | aim |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
