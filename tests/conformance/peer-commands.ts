/** Tables of commands that say what only reads, or what is dangerous: without any rule nothing of the latter is allowed. */
import { compared, type Peer, type PeerRow, rowFor, tableOf } from './peer.ts';

type Entry = readonly [
  row: number,
  source: string,
  expected: 'allow' | 'ask',
  command: string | readonly string[],
];

export const commandTable =
  (name: string): Peer =>
  (sandbox) =>
    tableOf<Entry>(name).map(([row, , expected, written]): PeerRow => {
      const command = typeof written === 'string' ? written : written.map(quoted).join(' ');
      const answer = sandbox.judge(rowFor('Bash', { command }));
      const denied = answer.kind === 'decided' && answer.behavior === 'deny' && expected === 'ask';
      return {
        ...{ row, input: command },
        ...(denied ? { verdict: 'agree', why: answer.reason } : compared(expected, answer)),
      };
    });

const quoted = (word: string): string =>
  /^[\w.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
