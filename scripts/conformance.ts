/**
 * Plays tables of what another host does against hookd.
 *   npx tsx scripts/conformance.ts permissions FILE [--only ID,ID] [--json OUT]
 *   npx tsx scripts/conformance.ts hooks FILE [--only ID,ID] [--json OUT] [--verbose]
 * Exit 1 when a permission row is looser than what it expects, or a hook case is wrong.
 */
import { parseArgs } from 'node:util';
import { playHooks } from './conformance-hooks.ts';
import { playPermissions } from './conformance-permissions.ts';

const PLAYED = { permissions: playPermissions, hooks: playHooks };

const USAGE = `usage: npx tsx scripts/conformance.ts ${Object.keys(PLAYED).join('|')} FILE [--only ID,ID] [--json OUT] [--verbose]`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const [kind, file] = positionals;
if (file === undefined || (kind !== 'permissions' && kind !== 'hooks')) {
  console.error(USAGE);
  process.exit(2);
}
const { only, json, verbose } = values;
process.exit(await PLAYED[kind]({ file, only: only?.split(','), json, verbose }));
