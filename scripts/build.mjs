// Bundles the CLI into dist/: one file to start, and chunks for what is loaded only when it is needed (the SDK, yargs).
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lighterPackages } from './lighter-packages.mjs';
import { readyValidators } from './validators.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(join(root, 'dist'), { recursive: true, force: true });
const options = {
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // jsonc-parser's CommonJS form asks for its parts in a way that no bundler can follow.
  mainFields: ['module', 'main'],
  define: { HOOKD_VERSION: JSON.stringify(version) },
  // CommonJS packages inside an ES module bundle still ask for `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
};
const validators = await readyValidators(root, options);
const { metafile } = await build({
  ...options,
  entryPoints: {
    main: join(root, 'src/cli/main.ts'),
    thin: join(root, 'src/cli/thin.ts'),
    // Started as a thread, by this name.
    'check-worker': join(root, 'src/audit/check-worker.ts'),
  },
  outdir: join(root, 'dist'),
  bundle: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  plugins: [validators.plugin, lighterPackages],
  metafile: true,
});

// The launcher is in old syntax: a too old Node gets one line, not a syntax error.
writeFileSync(
  join(root, 'dist/hookd.cjs'),
  `#!/usr/bin/env node
'use strict';
// Node answers this signal with a debugger on a port: whoever may send it could run code in the gate.
process.on('SIGUSR1', function () {});
var parts = process.versions.node.split('.').map(Number);
if (parts[0] < 20 || (parts[0] === 20 && parts[1] < 19)) {
  process.stderr.write('hookd needs Node 20.19 or newer; this is ' + process.version + '.\\n');
  process.exit(1);
}
var args = process.argv.slice(2);
// What only asks the daemon or the audit log something is not to wait for the rest of the program.
var isThin = args.length < 6 && /^(approvals list|sessions list|daemon status|audit tail)$/.test(args[0] + ' ' + args[1]);
(isThin ? import('./thin.js').then(function (thin) { return thin.playThin(args); }) : Promise.resolve(false)).then(
  function (isDone) {
    return isDone || import('./main.js').then(function (main) { return main.main(args); });
  },
).catch(function (error) {
  process.stderr.write('hookd: ' + ((error && error.stack) || error) + '\\n');
  process.exit(1);
});
`,
);
chmodSync(join(root, 'dist/hookd.cjs'), 0o755);

// The packages are in the bundle, so their licences go with it.
const packages = new Set(
  [metafile, validators.metafile]
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
);
const notices = [...packages].sort().map((directory) => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, directory)).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  const text = file === undefined ? '' : `\n\n${readFileSync(join(root, directory, file), 'utf8').trim()}`;
  return `${name} ${version}: ${license}${text}`;
});
writeFileSync(
  join(root, 'dist/THIRD-PARTY-LICENSES.txt'),
  `hookd holds these packages.\n\n${notices.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`,
);
