/** Parts of the gate without processes, each beside the least that could do the same, in turns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decide } from '../../src/permissions/decide.ts';
import { analyseCommand } from '../../src/permissions/shell/commands.ts';
import { bash, FILES, permissionsOf, WORKPLACE } from '../../tests/permissions/scene.ts';
import { auditRounds, rate } from './audit-loop.ts';
import type { Named, Size } from './cases.ts';
import { settingsText } from './play.ts';

export interface EngineCase extends Named {
  readonly kind: 'engine';
  readonly measure: (size: Size, runs: number) => Promise<readonly EngineRound[]>;
}

export interface EngineRound {
  readonly floor: number;
  readonly hookd: number;
}

const DECISIONS = { full: 3000, smoke: 50 } as const;
const AUDIT_MS = { full: 500, smoke: 60 } as const;
/** As `scripts/audit-rate.ts`, or the two would not say the same: rounds of half a second differ by a fifth. */
const AUDIT_ROUNDS = 10;
const SESSIONS = 8;

export const ENGINE_CASES: readonly EngineCase[] = [
  {
    kind: 'engine',
    name: 'decisions',
    title: 'decisions a second, 500 rules, each command a new one; floor: its parse alone',
    unit: '/s',
    measure: async (size, runs) => {
      const { permissions: texts } = JSON.parse(settingsText([], 500)) as { permissions: object };
      const permissions = permissionsOf(texts);
      const start = { cwd: WORKPLACE.cwd, home: WORKPLACE.home };
      const count = DECISIONS[size];
      const once = (round: number): EngineRound => ({
        floor: perSecond(count, (n) => analyseCommand(`npm run build && npm test -- ${round}x${n}`, start)),
        hookd: perSecond(count, (n) => {
          decide({ permissions, call: bash(`npm run build && npm test -- ${round}y${n}`), files: FILES });
        }),
      });
      once(-1);
      return Array.from({ length: runs }, (_, round) => once(round));
    },
  },
  {
    kind: 'engine',
    name: 'audit',
    title: 'audit records a second, 8 sessions, 2 durable barriers for 8 records; floor: ready-made lines',
    unit: '/s',
    aim: { kind: 'ratio', atLeast: 0.7 },
    measure: async (size, runs) => {
      const root = mkdtempSync(join(tmpdir(), 'hookd-bench-audit-'));
      try {
        const options = { sessions: SESSIONS, ms: AUDIT_MS[size] };
        const count = size === 'full' ? Math.max(AUDIT_ROUNDS, runs) : runs;
        const rounds: EngineRound[] = [];
        for await (const { ours, bare } of auditRounds(root, count, options))
          rounds.push({ floor: rate(bare), hookd: rate(ours) });
        return rounds;
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  },
];

function perSecond(count: number, work: (n: number) => void): number {
  const began = performance.now();
  for (let n = 0; n < count; n++) work(n);
  return (1000 * count) / (performance.now() - began);
}
