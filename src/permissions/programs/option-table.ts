/** The options of programs that name files, write them or run something: what an allow rule for the program does not cover by itself. */
import type { OptionTable } from './options.ts';

const GREP: OptionTable = {
  flags: 'EFGPivwxyczsnHhoqaIrRbLlTUVuZ0123456789',
  text: 'emABCdD',
  read: 'f',
  long: 'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count null-data no-messages line-number with-filename no-filename only-matching quiet silent text recursive dereference-recursive byte-offset files-without-match files-with-matches initial-tab binary unix-byte-offsets null version help line-buffered color? colour? regexp:text max-count:text after-context:text before-context:text context:text devices:text directories:text binary-files:text exclude:text include:text exclude-dir:text label:text group-separator:text no-group-separator file:read exclude-from:read',
};
const GAWK: OptionTable = {
  flags: '',
  write: 'odp',
  long: 'dump-variables:write pretty-print:write profile:write debug:read',
};
const BASE64: OptionTable = { flags: '', read: 'i', write: 'o', long: 'input:read output:write' };
const GIT_DIFF = 'output:write ext-diff?:run textconv?:run output-indicator-new:text order-file:read';

export const OPTION_TABLES: ReadonlyMap<string, OptionTable> = new Map([
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  [
    'rg',
    {
      flags: 'FPSUVaciHIlLnNopqsvuwxzhb0.',
      text: 'egtTmABCdjMEr',
      read: 'f',
      long: 'hidden no-ignore no-ignore-vcs no-ignore-parent ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match count count-matches files files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename heading no-heading null json vimgrep pretty stats multiline multiline-dotall pcre2 text follow quiet trim type-list unrestricted search-zip version help passthru column byte-offset crlf no-config no-messages one-file-system regexp:text glob:text iglob:text type:text type-not:text max-count:text after-context:text before-context:text context:text max-depth:text threads:text max-columns:text encoding:text replace:text color:text colors:text sort:text sortr:text max-filesize:text engine:text file:read ignore-file:read pre:run pre-glob:text hostname-bin:run',
    },
  ],
  [
    'sort',
    {
      flags: 'bdfgiMhnRrVcCmsuz',
      text: 'kSt',
      write: 'oT',
      long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse version-sort check? merge stable unique zero-terminated debug help version sort:text batch-size:text key:text buffer-size:text field-separator:text parallel:text output:write temporary-directory:write files0-from:read random-source:read compress-program:run',
    },
  ],
  [
    'date',
    {
      flags: 'uR',
      text: 'ds',
      read: 'fr',
      optional: 'I',
      long: 'date:text set:text file:read reference:read iso-8601? rfc-3339:text rfc-email utc universal debug resolution help version',
    },
  ],
  [
    'sed',
    {
      flags: 'nErsuz',
      text: 'el',
      read: 'f',
      optional: 'i',
      long: 'quiet silent regexp-extended separate unbuffered null-data zero-terminated posix debug sandbox follow-symlinks binary in-place? expression:text line-length:text file:read help version',
    },
  ],
  [
    'cp',
    {
      flags: 'abdfiHlLnPpRrsTuvxZ',
      text: 'S',
      write: 't',
      long: 'archive attributes-only backup? copy-contents debug dereference force interactive link no-dereference no-clobber no-target-directory one-file-system parents preserve? no-preserve:text recursive reflink? remove-destination sparse:text strip-trailing-slashes suffix:text symbolic-link target-directory:write update? verbose context? help version',
    },
  ],
  [
    'mv',
    {
      flags: 'bfinTuvZ',
      text: 'S',
      write: 't',
      long: 'backup? debug exchange force interactive no-clobber no-copy no-target-directory strip-trailing-slashes suffix:text target-directory:write update? verbose context help version',
    },
  ],
  [
    'install',
    {
      flags: 'bcCdDpsTvZ',
      text: 'gmoS',
      write: 't',
      long: 'backup? compare directory group:text mode:text owner:text preserve-timestamps strip strip-program:run suffix:text target-directory:write no-target-directory verbose preserve-context context? help version',
    },
  ],
  [
    'ln',
    {
      flags: 'bdFfiLnPrsTv',
      text: 'S',
      write: 't',
      long: 'backup? directory force interactive logical no-dereference physical relative suffix:text symbolic target-directory:write no-target-directory verbose help version',
    },
  ],
  [
    'tar',
    {
      flags: 'AcdrtuxkmpvwzjJZaSOPWhlBins',
      text: 'bHKLNV',
      read: 'TX',
      write: 'fCg',
      run: 'IF',
      long: 'create extract get list append update concatenate catenate diff compare delete verbose gzip bzip2 xz zstd lzip lzma auto-compress keep-old-files overwrite preserve-permissions numeric-owner wildcards sparse verify absolute-names dereference remove-files? one-file-system same-owner no-same-owner totals strip-components:text exclude:text exclude-vcs owner:text group:text mode:text mtime:text transform:text format:text file:write directory:write listed-incremental:write files-from:read exclude-from:read use-compress-program:run to-command:run checkpoint? checkpoint-action:run rmt-command:run rsh-command:run info-script:run new-volume-script:run',
    },
  ],
  [
    'diff',
    {
      flags: 'abBcdeEilnNpqrstTuwyZ',
      text: 'CFIUWxS',
      read: 'X',
      long: 'brief unified? context? color? recursive no-dereference side-by-side ignore-case ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space report-identical-files new-file unidirectional-new-file text minimal strip-trailing-cr suppress-common-lines left-column expand-tabs normal ed rcs help version label:text width:text exclude:text ignore-matching-lines:text starting-file:text tabsize:text exclude-from:read from-file:read to-file:read',
    },
  ],
  [
    'uniq',
    {
      flags: 'cdDiuz',
      text: 'fsw',
      long: 'count repeated all-repeated? skip-fields:text group? ignore-case skip-chars:text unique zero-terminated check-chars:text help version',
    },
  ],
  [
    'tree',
    {
      flags: 'aACdDfFghilnNpqQrRsStuUvxXJ',
      text: 'HILPT',
      write: 'o',
      long: 'dirsfirst du si noreport prune filelimit:text charset:text fromfile output:write',
    },
  ],
  [
    'curl',
    {
      flags: '',
      text: 'AXHuemxwCrzyY',
      read: 'KTdFbE',
      write: 'oDc',
      long: 'output:write output-dir:write dump-header:write cookie-jar:write trace:write trace-ascii:write stderr:write upload-file:read config:read data:read data-binary:read form:read json:read cookie:read cert:read key:read cacert:read capath:read netrc-file:read etag-compare:read etag-save:write libcurl:write hsts:write alt-svc:write ssl-sessions:write crlfile:read proxy-cert:read proxy-key:read proxy-cacert:read proxy-capath:read proxy-crlfile:read unix-socket:write',
    },
  ],
  [
    'wget',
    {
      flags: '',
      text: 'eUtT',
      read: 'i',
      write: 'OoPa',
      long: 'output-document:write output-file:write append-output:write directory-prefix:write save-cookies:write input-file:read post-file:read body-file:read load-cookies:read use-askpass:run config:read input-metalink:read certificate:read private-key:read ca-certificate:read warc-file:write warc-tempdir:write warc-dedup:read rejected-log:write hsts-file:write',
    },
  ],
  ['xargs', { flags: 'rtpxo0', text: 'dEIinLPs', read: 'a', long: 'arg-file:read' }],
  ['file', { flags: '', read: 'fm', long: 'files-from:read magic-file:read' }],
  ['strace', { flags: '', write: 'o', long: 'output:write' }],
  ['time', { flags: '', write: 'o', long: 'output:write' }],
  ['csplit', { flags: '', text: 'bn', write: 'f', long: 'prefix:write suffix-format:text digits:text' }],
  ['split', { flags: '', text: 'abCln', long: 'filter:run' }],
  ['script', { flags: '', write: 'OBT', run: 'c', long: 'log-out:write log-io:write command:run' }],
  ['git', { flags: '', long: GIT_DIFF }],
  ['gcc', { flags: '', write: 'o', long: '' }],
  ['openssl', { flags: '', long: '' }],
  ['unzip', { flags: '', write: 'd', long: '' }],
  [
    'patch',
    {
      flags: '',
      text: 'pBFVYz',
      read: 'i',
      write: 'odr',
      long: 'input:read output:write directory:write reject-file:write',
    },
  ],
  [
    'rsync',
    {
      flags: '',
      text: 'BMTf',
      run: 'e',
      long: 'rsh:run rsync-path:run exclude:text include:text filter:text',
    },
  ],
  [
    'man',
    { flags: '', text: 'LmrRsSeEC', run: 'P', long: 'pager:run locale:text systems:text sections:text' },
  ],
  [
    'hyperfine',
    { flags: '', text: 'wmMrLnNuS', run: 'psCc', long: 'prepare:run setup:run cleanup:run conclude:run' },
  ],
  ['nodemon', { flags: '', run: 'x', long: 'exec:run' }],
  ['xterm', { flags: '', long: '' }],
  ['zstd', { flags: '', write: 'oD', long: '' }],
  ['less', { flags: '', write: 'oO', long: 'log-file:write LOG-FILE:write' }],
  ...['awk', 'gawk'].map((name) => [name, GAWK] as const),
  ...['base64', 'base32'].map((name) => [name, BASE64] as const),
  ['iconv', { flags: '', text: 'ft', write: 'o', long: 'output:write' }],
  ['shuf', { flags: '', write: 'o', long: 'output:write random-source:read' }],
  ['gpg', { flags: '', write: 'o', long: 'output:write' }],
  ['pv', { flags: '', write: 'o', long: 'output:write' }],
]);

/** Tables that name all options of the program: what they do not know is refused. The others only know some that name files. */
export const COMPLETE_TABLES: ReadonlySet<string> = new Set(
  'grep egrep fgrep rg sort date sed cp mv install ln tar diff uniq'.split(' '),
);
