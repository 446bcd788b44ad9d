/**
 * A sink that is a program: it reads the records as lines on its standard input. What is in its pipe counts as taken;
 * since a program that ends may lose that, the next one gets the chain from its beginning.
 */
import { endGroup } from '../lib/process-group.ts';
import { startFed } from '../lib/subprocess.ts';
import type { SinkSettings } from './channel-settings.ts';
import type { SinkTarget } from './sink.ts';

/** Where sinks run: not in a project, and without what is taken from all children. */
export interface SinkSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type CommandSettings = Extract<SinkSettings, { type: 'command' }>;

/** Characters of what the program said last, for the message when it ends. */
const KEPT_WORDS = 300;
const KILL_WAIT_MS = 2000;

/** `onEnd` is told when the program ends by itself. */
export function openCommandSink(
  { command, args }: CommandSettings,
  { cwd, env }: SinkSurroundings,
  onEnd: (error: Error) => void,
): SinkTarget {
  const run = args === undefined ? { file: 'bash', args: ['-c', command] } : { file: command, args };
  const child = startFed({ ...run, cwd, env });
  let words = '';
  let end: Error | undefined;
  let isClosing = false;
  const ended = new Promise<void>((resolve) => {
    const settle = (why: string) => {
      if (end !== undefined) return;
      const said = words.trim() === '' ? '' : `: ${words.trim()}`;
      end = new Error(`${why}${said}`);
      resolve();
      if (!isClosing) onEnd(end);
    };
    child.once('error', (error) => settle(`it could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      settle(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
    );
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_WORDS);
  });
  // Its end says more than the broken pipe.
  child.stdin.on('error', () => undefined);
  return {
    take(lines) {
      return new Promise((resolve, reject) => {
        void ended.then(() => reject(end));
        child.stdin.write(lines, (error) => {
          if (error === null || error === undefined) resolve();
        });
      });
    },
    async close(graceMs) {
      isClosing = true;
      child.stdin.end();
      const patience = new Promise<void>((resolve) => {
        setTimeout(resolve, graceMs).unref();
      });
      await Promise.race([ended, patience]);
      if (end === undefined && child.pid !== undefined) await endGroup(child.pid, graceMs, KILL_WAIT_MS);
      child.stdin.destroy();
      child.stderr.destroy();
    },
  };
}
