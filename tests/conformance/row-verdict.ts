/** Compares what hookd answers to a row with what the row expects. */
import type { Behavior } from '../../src/core/vocabulary.ts';
import { describeProblem, type SettingsProblem } from '../../src/settings/problem.ts';
import { type Answer, type Row, Sandbox } from './rows.ts';

/** `refused`: no session starts with the row's settings, so that nothing of them runs. */
export type Verdict = 'agree' | 'stricter' | 'looser' | 'refused';

export interface Judged {
  readonly row: Row;
  readonly verdict: Verdict;
  readonly got: Behavior | 'refused';
  /** What hookd says about it. */
  readonly why: string;
  /** Why the settings are refused. */
  readonly errors: readonly SettingsProblem[];
}

const RANK: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };

export function judgeRows(rows: readonly Row[]): readonly Judged[] {
  const sandbox = new Sandbox();
  try {
    // Rows with the same files and settings follow each other, so that these are laid out once.
    const verdicts = new Map(inTurn(rows).map((row) => [row, verdictOn(row, sandbox.judge(row))]));
    return rows.flatMap((row) => {
      const verdict = verdicts.get(row);
      return verdict === undefined ? [] : [{ row, ...verdict }];
    });
  } finally {
    sandbox.remove();
  }
}

function inTurn(rows: readonly Row[]): readonly Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { mode, rules, settings, flags, trusted, fixture } = row;
    const key = JSON.stringify([mode, rules, settings, flags, trusted, fixture]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flat();
}

function verdictOn({ expected }: Row, answer: Answer): Omit<Judged, 'row'> {
  if (answer.kind === 'refused')
    return {
      ...{ verdict: 'refused', got: 'refused', errors: answer.errors },
      why: answer.errors.map(describeProblem).join(' '),
    };
  const { behavior, reason } = answer;
  const answered = { got: behavior, why: reason, errors: [] };
  if (behavior === expected) return { verdict: 'agree', ...answered };
  return { verdict: RANK[behavior] > RANK[expected] ? 'stricter' : 'looser', ...answered };
}

/** For people who look for the reason of a miss. */
export function linesOf({ row, verdict, got, why }: Judged): string {
  const { id, area, mode, tool, input, rules, settings, expected } = row;
  const policy = JSON.stringify(settings ?? rules);
  return [
    `${verdict.padEnd(8)} ${id} [${area}, ${mode}] expected ${expected}, got ${got}`,
    `         ${tool} ${shortened(JSON.stringify(input), 200)} with ${shortened(policy, 300)}`,
    `         ${shortened(why, 300)}`,
  ].join('\n');
}

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;
