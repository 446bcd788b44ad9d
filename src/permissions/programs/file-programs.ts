/** The programs whose operands are files, by what they do with them. */

/** `search`: the first operand is a pattern or a program unless an option gave it. `both`: read and written. `copy`: the last is written. */
export type FileRow = 'read' | 'write' | 'both' | 'search' | 'copy';

const row = (kind: FileRow, names: string): readonly (readonly [string, FileRow])[] =>
  names.split(' ').map((name) => [name, kind] as const);

export const FILE_PROGRAMS: ReadonlyMap<string, FileRow> = new Map([
  ...row(
    'read',
    'cat head tail less more od hexdump hd strings base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum',
  ),
  ...row(
    'read',
    'sha512sum b2sum cksum sum wc cut paste column fold fmt pr nl tac rev diff cmp comm join stat file ls dir sort',
  ),
  ...row(
    'read',
    'vdir iconv shuf tsort look expand unexpand source . bash sh dash zsh ksh cd pushd mapfile readarray',
  ),
  ...row('read', 'zcat bat batcat view bzcat xzcat zless zmore most ul shasum tree'),
  ...row(
    'search',
    'zgrep zegrep zfgrep bzgrep xzgrep grep egrep fgrep rgrep rg ag ack awk gawk mawk nawk jq yq',
  ),
  ...row('write', 'tee touch mkdir rm rmdir unlink shred truncate chmod chown chgrp mkfifo mknod sponge'),
  ...row('both', 'cp mv ln install dd vim vi nano ed ex emacs rsync scp patch'),
  ...row('copy', 'uniq xxd split csplit'),
]);

/** Programs that show names or words, not contents. */
export const HARMLESS = new Set(
  'echo printf du readlink realpath test [ [[ find pwd which basename dirname true false seq date df type hash export'.split(
    ' ',
  ),
);
