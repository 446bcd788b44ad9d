/** A pseudo-terminal around the built hookd, through util-linux's `script`: typed keys go in, what a person sees comes out. */
import { spawn, spawnSync } from 'node:child_process';
import { HOOKD, until, type Workspace } from './hookd.ts';

export const hasTerminal = spawnSync('script', ['--version']).status === 0;
if (!hasTerminal) console.warn('not run: the terminal tests need the command "script"');

export interface Terminal {
  /** Everything shown so far, without colours. */
  readonly screen: () => string;
  /** Types once `text` has been shown after what was there before. */
  readonly sees: (text: string | RegExp) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly exitCode: Promise<number | null>;
}

/** Without a daemon, unless `env` says so. */
export function openTerminal(
  workspace: Workspace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = { HOOKD_NO_DAEMON: '1' },
): Terminal {
  const command = [process.execPath, HOOKD, ...args]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ');
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: workspace.project,
    env: { ...workspace.env, ...env, TERM: 'xterm', COLUMNS: '100' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  child.stdin.on('error', () => undefined);
  const screen = () => plain(shown);
  return {
    screen,
    async sees(wanted) {
      const find = () => {
        const rest = screen().slice(seen);
        if (typeof wanted === 'string')
          return rest.includes(wanted) ? rest.indexOf(wanted) + wanted.length : -1;
        const match = wanted.exec(rest);
        return match === null ? -1 : match.index + match[0].length;
      };
      await until(
        () => find() >= 0,
        `${String(wanted)} on the screen, which shows: ${JSON.stringify(screen().slice(seen))}`,
      );
      seen += find();
    },
    type: (keys) => void child.stdin.write(keys),
    exitCode: new Promise((done) => child.on('close', (code) => done(code))),
  };
}

/** Without escape sequences and carriage returns. */
function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '');
}
