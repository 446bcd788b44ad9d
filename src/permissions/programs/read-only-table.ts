/**
 * Commands that only read, with the options that keep it so. A command, an option or a form that is not here asks;
 * a row is added only when every use of it that the row admits changes nothing and runs nothing.
 */

export interface Row {
  /** Letters of options without a value, alone or in a cluster. */
  readonly flags?: string;
  /** Letters of options with a value, glued on (`-n5`) or separate: then it is judged as an operand, too. */
  readonly valued?: string;
  /** Letters of options whose value can only be glued on. */
  readonly optional?: string;
  readonly long?: string;
  /** What the operands are. `search`: a pattern first, unless -e or -f gave it, then files. */
  readonly operands: 'files' | 'search' | 'text' | 'none';
  /** Narrows the operands further; the separate value of an option is not one of them. */
  readonly only?: RegExp;
  /** No word may look so, wherever it stands. */
  readonly never?: RegExp;
  /** Reads what is below its operands, or the directory it runs in: always, or with one of these options. */
  readonly recursive?: RegExp | true;
  /** Two options that do not go together: recursion that follows links leads out of the workspace. */
  readonly follows?: RegExp;
  /** What it does with a directory would follow the links in it. */
  readonly noDirectories?: true;
}

const files = (flags = '', valued = '', long = ''): Row => ({ flags, valued, long, operands: 'files' });
const text = (flags = '', valued = '', long = ''): Row => ({ flags, valued, long, operands: 'text' });
const none = (flags = '', long = ''): Row => ({ flags, long, operands: 'none' });

const GREP: Row = {
  flags: 'abcEFGhHiIlLnoPqrsTvwxyzZ0123456789',
  valued: 'ABCmef',
  long: 'color colour include exclude exclude-dir line-number ignore-case count recursive word-regexp invert-match fixed-strings only-matching files-with-matches no-filename with-filename max-count context after-context before-context',
  operands: 'search',
  recursive: /^-[^-]*r|^--rec/,
};
const CHECKSUM = files('btz', '', 'tag zero');

const TABLE: Readonly<Record<string, Row>> = {
  ls: {
    ...files(
      'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
      'wTI',
      'all almost-all color human-readable reverse recursive size sort time group-directories-first full-time',
    ),
    recursive: /^-[^-]*R|^--rec/,
    follows: /^-[^-]*[LH]/,
  },
  cat: files('AbeEnstTuv', '', 'number show-all show-ends show-tabs number-nonblank squeeze-blank'),
  head: files('qvz0123456789', 'cn', 'lines bytes quiet verbose'),
  tail: files('fFqvz0123456789', 'cn', 'lines bytes quiet verbose follow'),
  wc: files('clmwL', '', 'bytes chars lines words max-line-length'),
  grep: GREP,
  egrep: GREP,
  rg: {
    flags: 'cFHiIlnNosSuvwx',
    valued: 'ABCmtTge',
    long: 'files hidden no-ignore glob type line-number ignore-case count fixed-strings files-with-matches json',
    operands: 'search',
    recursive: true,
  },
  fd: {
    flags: 'aHIpsg',
    valued: 'detE',
    long: 'hidden no-ignore type extension max-depth glob',
    operands: 'search',
    recursive: true,
  },
  sort: files(
    'bcCdfghiMmnrRsuVz',
    'kt',
    'numeric-sort reverse unique key field-separator ignore-case human-numeric-sort',
  ),
  cut: files('nsz', 'bcdf', 'bytes characters delimiter fields complement only-delimited output-delimiter'),
  tr: text('cCdst', '', 'complement delete squeeze-repeats truncate-set1'),
  diff: {
    ...files('abBdeEinNqsTtuwy', 'CUWx', 'brief unified color side-by-side ignore-case ignore-all-space'),
    noDirectories: true,
  },
  cmp: files('bls', 'in', 'silent quiet verbose print-bytes'),
  comm: files('123z', '', 'check-order nocheck-order total'),
  // `-z` runs programs that unpack, `-p` sets the time of the last access.
  file: files('bhiLNrs0', '', 'brief mime mime-type mime-encoding'),
  stat: files('fLt', 'c', 'format terse dereference printf'),
  du: files('abchkmsSx0', 'd', 'human-readable max-depth summarize total all'),
  df: files('ahHiklmPT', '', 'human-readable inodes total'),
  free: none('bkmghtw', 'human mega giga total wide'),
  // Without dashes an `e` shows the environment of each process.
  ps: { ...text('AfFjlu'), only: /^[afhjlmuvwx]+$/ },
  which: text('a'),
  type: text('aptPf'),
  true: text(),
  false: text(),
  sleep: { ...text(), only: /^\d+(?:\.\d+)?[smhd]?$/ },
  seq: text('w', 'fs'),
  basename: text('az', 's'),
  dirname: text('z'),
  realpath: files('eLmPqsz'),
  readlink: files('efmnqsvz'),
  tree: { ...files('aACdDfFhipqrstugx', 'L', 'dirsfirst du si noreport'), recursive: true },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha256sum: CHECKSUM,
  base64: files('di', 'w', 'decode wrap'),
  od: { ...files('abcdfiosvx', 'AjNt'), optional: 'w' },
  hexdump: files('bcCdovx', 'ns'),
  // It reads options from `@file`.
  strings: { ...files('ao', 'nte'), never: /^@/ },
  nl: files('p', 'bfhilnsvw'),
  tac: files('b', 's'),
  rev: files(),
  paste: files('sz', 'd'),
  column: files('tx', 'cs', 'table'),
  fold: files('bs', 'w'),
  fmt: files('cstu', 'w'),
  pr: files('adtT', 'hlow'),
  tsort: files(),
  numfmt: text('', '', 'to from suffix padding'),
  expr: text(),
  cal: { ...text('13jmswy'), only: /^\w+$/ },
  // `%n` sets the variable that is named, `%ln` and `%-5.*hn` too.
  printf: { ...text(), never: /%[^a-zA-Z%]*[hjlLtzq]*n/ },
  pwd: none(),
  whoami: none(),
  id: text('gGnruz'),
  date: { ...text('uR', 'd', 'utc date iso-8601 rfc-3339 universal'), optional: 'I', only: /^\+/ },
  uname: none('asnrvmpio', 'all'),
  hostname: none('sfiId', 'short fqdn'),
  arch: none(),
  nproc: none('', 'all'),
  uptime: none('ps', 'pretty since'),
  groups: none(),
  locale: none('a'),
  tput: { ...text(), only: /^(?:cols|lines|colors)$/ },
  history: none(),
  man: { ...text(), only: /^[\w.+-]+$/ },
  help: text(),
  lsof: none(),
  netstat: none('altnrsiu'),
  ss: none('altnrsiup'),
  ifconfig: none(),
  pgrep: text('aflnx', 'u'),
  'git status': files('sbuvz', '', 'short branch porcelain long ignored untracked-files show-stash'),
  'git log': files(
    'pq0123456789',
    'nSGL',
    'oneline graph all decorate stat patch author since until after before grep format pretty name-only name-status max-count follow no-merges merges reverse abbrev-commit shortstat numstat date first-parent',
  ),
  'git diff': files(
    'pwbRz',
    'UM',
    'stat cached staged name-only name-status shortstat numstat color word-diff check patch ignore-all-space diff-filter',
  ),
  'git show': files('pqs', '', 'stat oneline name-only name-status format pretty no-patch patch shortstat'),
  'git branch': none('avr', 'all list remotes show-current verbose'),
  'git remote': none('v', 'verbose'),
  'git tag': none('ln', 'list'),
  'git stash list': none(),
  'git blame': files('elswM', 'L', 'porcelain'),
  'git ls-files': files('cdmoskuz', '', 'others cached modified deleted exclude-standard'),
  'git ls-remote': none(),
  'git rev-parse': files('q', '', 'abbrev-ref short show-toplevel git-dir verify is-inside-work-tree'),
  'git rev-list': files('n', '', 'count all max-count'),
  'git merge-base': files('a', '', 'is-ancestor all'),
  'git config --get': text(),
  'git describe': text('', '', 'tags always dirty abbrev long all'),
  'git reflog': none(),
  'git grep': {
    flags: 'acEFGhHiIlLnPpqvwWz0123456789',
    valued: 'ABCme',
    long: 'line-number ignore-case count word-regexp files-with-matches name-only fixed-strings extended-regexp perl-regexp invert-match cached untracked heading break',
    operands: 'search',
    // `:/` and `:(top)` begin at the top of the repository, which may be above the workspace.
    only: /^[^:]/,
    recursive: true,
  },
  'git cat-file': files('tspe'),
  'git worktree list': none('', 'porcelain'),
  'git shortlog': none('sne', 'summary numbered email'),
  'docker ps': none('aqls', 'all quiet no-trunc'),
  'docker images': none('aq', 'all quiet'),
  'docker logs': text(),
  'docker inspect': text(),
};

/** By the program's name, and its sub-command. */
export const ROWS: ReadonlyMap<string, Row> = new Map(Object.entries(TABLE));
