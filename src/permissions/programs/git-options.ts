/** Options of git's sub-commands that name files, or something that git runs; of their other options nothing is said here. */
import type { OptionTable } from './options.ts';

const table = (long: string, letters: Partial<OptionTable> = {}): OptionTable => ({
  flags: '',
  long,
  ...letters,
});

const FETCH = table('upload-pack:run');
const REMOTE = table('upload-pack:run receive-pack:run exec:run');
const ORDERED = table('output:write', { read: 'O' });
const MESSAGE = table('file:read template:read', { read: 'F' });
const REPORT = table('output-directory:write', { write: 'o' });
const BLAME = table('contents:read ignore-revs-file:read', { read: 'S' });

const TABLES: Readonly<Record<string, OptionTable>> = {
  clone: table('upload-pack:run config:text separate-git-dir:write', { text: 'c', run: 'u' }),
  fetch: FETCH,
  pull: FETCH,
  push: REMOTE,
  'ls-remote': REMOTE,
  'fetch-pack': REMOTE,
  'send-pack': REMOTE,
  archive: table('exec:run output:write add-file:read', { write: 'o' }),
  rebase: table('exec:run', { run: 'x' }),
  grep: table('open-files-in-pager:run', { run: 'O', read: 'f' }),
  difftool: table('extcmd:run', { run: 'x' }),
  'send-email': table('sendmail-cmd:run to-cmd:run cc-cmd:run header-cmd:run smtp-server:run'),
  'filter-branch': table(
    'setup:run subdirectory-filter:text env-filter:run tree-filter:run index-filter:run parent-filter:run msg-filter:run commit-filter:run tag-name-filter:run',
  ),
  daemon: table('access-hook:run'),
  instaweb: table('httpd:run browser:run', { run: 'db' }),
  'web--browse': table('browser:run', { run: 'b' }),
  commit: table('file:read template:read', { read: 'Ft' }),
  tag: MESSAGE,
  notes: MESSAGE,
  merge: MESSAGE,
  'commit-tree': MESSAGE,
  blame: BLAME,
  annotate: BLAME,
  diff: ORDERED,
  log: ORDERED,
  show: ORDERED,
  whatchanged: ORDERED,
  'diff-tree': ORDERED,
  'diff-index': ORDERED,
  'diff-files': ORDERED,
  'format-patch': table('output-directory:write signature-file:read', { read: 'O', write: 'o' }),
  'checkout-index': table('prefix:write'),
  'read-tree': table('index-output:write'),
  'ls-files': table('exclude-from:read', { read: 'X' }),
  init: table('separate-git-dir:write'),
  mailsplit: table('', { write: 'o' }),
  bugreport: REPORT,
  diagnose: REPORT,
  'index-pack': table('', { write: 'o' }),
  'fast-export': table('export-marks:write import-marks:read'),
  'fast-import': table('export-marks:write export-pack-edges:write import-marks:read'),
  'credential-store': table('file:write'),
};

const BY_COMMAND: ReadonlyMap<string, OptionTable> = new Map(Object.entries(TABLES));

export const gitOptions = (command: string): OptionTable | undefined => BY_COMMAND.get(command);
