/** A thread that helps to verify: it checks pieces that nobody has taken yet, until there are none. See `check-ahead.ts`. */
import { workerData } from 'node:worker_threads';
import { type Errand, type Finding, PieceList } from './piece-list.ts';

const { files, pieceBytes, shared, port } = workerData as Errand;
const pieces = new PieceList(files, pieceBytes, shared);
for (let index = pieces.take(); index < pieces.length; index = pieces.take()) {
  port.postMessage({ index, stretch: pieces.check(index) } satisfies Finding);
  pieces.finish();
}
port.close();
