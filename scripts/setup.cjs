// Makes a fresh clone ready: checks Node, installs the packages, builds dist/. Does nothing that is done already.
// Written in old syntax on purpose: a too old Node must get one clear line, not a syntax error.
'use strict';

var childProcess = require('child_process');
var fs = require('fs');
var path = require('path');

var ROOT = path.dirname(__dirname);
var NEEDED = [20, 19];

function say(text) {
  process.stderr.write('hookd setup: ' + text + '\n');
}

/** Returns what is wrong with a Node version such as "v18.2.0", or null. */
function refusal(version) {
  var parts = version.replace(/^v/, '').split('.').map(Number);
  var newEnough = parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1]);
  if (newEnough) return null;
  return 'hookd needs Node ' + NEEDED.join('.') + ' or newer; this is ' + version + '.';
}

function run(title, command, args) {
  say(title);
  var result = childProcess.spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (result.error || result.status !== 0) {
    say(title + ' failed' + (result.error ? ': ' + result.error.message : '') + '.');
    process.exit(1);
  }
}

function newestChange(entry) {
  var stats = fs.statSync(entry);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return fs
    .readdirSync(entry)
    .reduce((newest, name) => Math.max(newest, newestChange(path.join(entry, name))), 0);
}

function timeOf(file) {
  try {
    return fs.statSync(path.join(ROOT, file)).mtimeMs;
  } catch (error) {
    return 0;
  }
}

function packagesAreInstalled() {
  return timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json');
}

function buildIsFresh() {
  var sources = [
    'src',
    'scripts/build.mjs',
    'scripts/validators.mjs',
    'scripts/lighter-packages.mjs',
    'package-lock.json',
  ].map((entry) => newestChange(path.join(ROOT, entry)));
  return timeOf('dist/main.js') >= Math.max.apply(null, sources);
}

function main() {
  var problem = refusal(process.version);
  if (problem) {
    process.stderr.write(problem + '\n');
    process.exit(1);
  }
  if (!packagesAreInstalled()) {
    run('installing packages (npm ci; the only step that uses the network)', 'npm', [
      'ci',
      // Also where NODE_ENV says production: the build needs them.
      '--include=dev',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
    // npm keeps the lock file's time where it is newer than its own: the check above must hold next time.
    fs.utimesSync(path.join(ROOT, 'node_modules/.package-lock.json'), new Date(), new Date());
  }
  if (!buildIsFresh()) run('building dist/', process.execPath, ['scripts/build.mjs']);
}

main();
