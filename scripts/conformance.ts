/**
 * Plays tables of what other hosts do against hookd.
 *   npx tsx scripts/conformance.ts permissions FILE [--only ID,ID] [--json OUT]
 *   npx tsx scripts/conformance.ts hooks FILE [--only ID,ID] [--json OUT] [--verbose]
 *   npx tsx scripts/conformance.ts peers [NAME] [--json OUT] [--verbose]
 * Exit 1 when a permission row is looser than what it expects, or a hook case is wrong.
 */
import { parseArgs } from 'node:util';
import { playHooks } from './conformance-hooks.ts';
import { playPeers } from './conformance-peers.ts';
import { playPermissions } from './conformance-permissions.ts';

const USAGE =
  'usage: npx tsx scripts/conformance.ts permissions FILE | hooks FILE | peers [NAME]  [--only ID,ID] [--json OUT] [--verbose]';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

async function play([kind, file]: readonly string[]): Promise<number> {
  const { json, verbose } = values;
  if (kind === 'peers') return playPeers({ name: file, json, verbose });
  const played = kind === 'permissions' ? playPermissions : kind === 'hooks' ? playHooks : undefined;
  if (played === undefined || file === undefined) {
    console.error(USAGE);
    return 2;
  }
  return played({ file, only: values.only?.split(','), json, verbose });
}

process.exit(await play(positionals));
