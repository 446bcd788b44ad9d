/** Compares hookd with the tables of other projects. Prints a line a project, and every row that is looser, stricter ones with --verbose. */
import { writeFileSync } from 'node:fs';
import type { PeerVerdict } from '../tests/conformance/peer.ts';
import { PEERS } from '../tests/conformance/peer-table.ts';
import { Sandbox } from '../tests/conformance/rows.ts';

interface PlayedPeers {
  /** One project, or all. */
  readonly name: string | undefined;
  readonly json: string | undefined;
  readonly verbose: boolean;
}

/** Answers the exit code: 2 for a project that is not here. */
export function playPeers({ name, json, verbose }: PlayedPeers): number {
  const chosen = Object.entries(PEERS).filter(([peer]) => name === undefined || peer === name);
  if (chosen.length === 0) {
    console.error(`no table is called ${name}; there are ${Object.keys(PEERS).join(', ')}`);
    return 2;
  }
  const sandbox = new Sandbox();
  const results = chosen.map(([peer, play]) => ({ peer, rows: play(sandbox) }));
  sandbox.remove();
  for (const { peer, rows } of results) {
    const count = (verdict: PeerVerdict): number => rows.filter((row) => row.verdict === verdict).length;
    console.log(
      `${peer}: agree ${count('agree')} · stricter ${count('stricter')} · looser ${count('looser')} · refused ${count('refused')} · elsewhere ${count('elsewhere')}`,
    );
    const told = verbose ? ['looser', 'refused', 'elsewhere', 'stricter'] : ['looser'];
    for (const { row, verdict, input, why } of rows.filter((one) => told.includes(one.verdict)))
      console.log(
        `  ${verdict.padEnd(9)} ${String(row).padStart(4)} ${JSON.stringify(input).slice(0, 160)}\n                 ${why.slice(0, 200)}`,
      );
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`);
  return 0;
}
