/**
 * Does what README.md says, command by command, exactly as written: in a fresh clone, with a PATH that holds node, npm,
 * bash, git and coreutils only. Usage: npx tsx scripts/follow-readme.ts [--all]. Without --all `npm test` is left out and
 * the packages of this checkout are taken; with it they are installed (some minutes, and the network).
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAMS = ['node', 'npm', 'bash', 'sh', 'git'];
/** Those of coreutils that a machine without them could not even start a shell script with. */
const COREUTILS =
  'basename cat chmod cp cut date dirname du echo env expr false head id install ln ls md5sum mkdir mkfifo mktemp mv nproc pwd readlink realpath rm rmdir seq sha256sum sleep sort stat tail tee test timeout touch tr true tty uname uniq wc whoami'.split(
    ' ',
  );

export interface Followed {
  /** Each command with what it printed; the last one is the one that failed, if any did. */
  readonly commands: readonly {
    readonly command: string;
    readonly code: number | null;
    readonly output: string;
  }[];
  readonly ok: boolean;
}

export function readmeCommands(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap((block) =>
    (block[1] ?? '').split('\n').filter((line) => line.trim() !== ''),
  );
}

export function followReadme(options: {
  readonly all: boolean;
  readonly report?: (line: string) => void;
}): Followed {
  const base = mkdtempSync(join(tmpdir(), 'hookd-readme-'));
  try {
    return followIn(base, options);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function followIn(
  base: string,
  { all, report = () => undefined }: Parameters<typeof followReadme>[0],
): Followed {
  // Some tests run a part as another user.
  chmodSync(base, 0o755);
  const clone = join(base, 'hookd');
  const cloned = spawnSync('git', ['clone', '-q', '--no-hardlinks', ROOT, clone], { encoding: 'utf8' });
  if (cloned.status !== 0) throw new Error(`git clone failed: ${cloned.stderr}`);
  if (!all) takePackages(clone);
  const home = join(base, 'home');
  mkdirSync(home);
  const env = {
    PATH: restrictedPath(join(base, 'bin')),
    HOME: home,
    npm_config_cache: join(base, 'npm-cache'),
  };
  const commands: Followed['commands'][number][] = [];
  for (const command of readmeCommands(readFileSync(join(clone, 'README.md'), 'utf8'))) {
    if (!all && /^npm test\b/.test(command)) continue;
    report(`$ ${command}`);
    const ended = spawnSync('bash', ['-c', command], {
      cwd: clone,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const output = `${ended.stdout}${ended.stderr}`;
    report(output);
    commands.push({ command, code: ended.status, output });
    if (ended.status !== 0) return { commands, ok: false };
  }
  return { commands, ok: true };
}

function takePackages(clone: string): void {
  cpSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const now = new Date();
  utimesSync(join(clone, 'node_modules/.package-lock.json'), now, now);
}

function restrictedPath(directory: string): string {
  mkdirSync(directory);
  const places = (process.env['PATH'] ?? '').split(':');
  for (const name of [...PROGRAMS, ...COREUTILS]) {
    const found = places.map((place) => join(place, name)).find((path) => existsSync(path));
    if (found === undefined) throw new Error(`There is no ${name} on PATH.`);
    symlinkSync(found, join(directory, name));
  }
  return directory;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, commands } = followReadme({
    all: process.argv.includes('--all'),
    report: (line) => console.log(line),
  });
  console.log(ok ? `all ${commands.length} commands of README.md worked` : 'README.md does not hold');
  process.exitCode = ok ? 0 : 1;
}
