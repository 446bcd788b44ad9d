/** Sinks: files and programs that get every durable record, and what a barrier does when a required one does not. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/audit/chain.ts';
import {
  CHANNEL_DEFAULTS,
  type ChannelSettings,
  type SinkSettings,
} from '../../src/audit/channel-settings.ts';
import { Trail } from '../../src/audit/trail.ts';
import { verifyAll, verifyFile } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { hookd, makeWorkspace, modelScript, until } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { first, withFaults } from './faults.ts';

const open: Trail[] = [];
afterEach(async () => {
  for (const trail of open.splice(0)) await trail.close().catch(() => undefined);
});

interface Made {
  readonly root: string;
  readonly trail: Trail;
  readonly told: string[];
  readonly main: () => readonly string[];
  readonly use: (sinks: readonly SinkSettings[], more?: Partial<ChannelSettings>) => void;
}

function chain(): Made {
  const root = mkdtempSync(join(tmpdir(), 'hookd-sinks-'));
  const directory = join(root, 'audit', 'w');
  const trail = new Trail(AuditWriter.create(directory));
  open.push(trail);
  const told: string[] = [];
  trail.watch((words) => told.push(words));
  const run = { cwd: root, env: { PATH: process.env['PATH'] ?? '', SHLVL: '1' } };
  return {
    root,
    trail,
    told,
    main: () => linesOf(join(directory, '000001.jsonl')),
    use: (sinks, more = {}) =>
      trail.configure({ ...CHANNEL_DEFAULTS, sinkTimeoutMs: 5000, ...more, sinks }, run),
  };
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
const prompt = (trail: Trail, words: string) => trail.record('prompt', { text: words });
const states = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as StoredRecord)
    .filter(({ kind }) => kind === 'sink_state')
    .map((record) => record['state']);
const holds = (path: string, words: string) => () => linesOf(path).some((line) => line.includes(words));

describe('a file sink', () => {
  it('gets the chain from its beginning, line for line, and nothing that is not durable', async () => {
    const { root, trail, use, main } = chain();
    const path = join(root, 'copy.jsonl');
    prompt(trail, 'before the sink');
    use([{ type: 'file', path, required: true }]);
    await trail.durable();
    prompt(trail, 'not durable');
    expect(linesOf(path)).toEqual(main().slice(0, -1));
    await trail.close();
    expect(linesOf(path)).toEqual(main());
    expect(verifyFile(path)).toMatchObject({ problem: undefined, records: 3 });
    expect(execFileSync('stat', ['-c', '%a', path], { encoding: 'utf8' })).toBe('600\n');
  });

  it('gets each record once, where the chain left a file that failed and one that was full', async () => {
    const { root, trail, use } = chain();
    const path = join(root, 'copy.jsonl');
    use([{ type: 'file', path, required: true }], { rotateBytes: 2000 });
    for (let n = 0; n < 4; n++) {
      for (const words of ['a', 'b', 'c']) prompt(trail, words.repeat(300));
      if (n % 2 === 0) await trail.durable();
      await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
        expect(() => prompt(trail, 'fails')).toThrow(/ENOSPC/);
      });
    }
    await trail.close();
    const [report] = verifyAll(join(root, 'audit'));
    expect(report).toMatchObject({ problem: undefined });
    expect(report?.segments).toBeGreaterThan(4);
    expect(verifyFile(path)).toMatchObject({ problem: undefined, records: report?.records });
  });

  it('ends a line that an earlier writer left half written', async () => {
    const { root, trail, use, main } = chain();
    const path = join(root, 'copy.jsonl');
    writeFileSync(path, '{"torn');
    use([{ type: 'file', path, required: true }]);
    await trail.close();
    expect(linesOf(path)).toEqual(['{"torn', ...main()]);
  });

  it('that is rotated away goes on in a new file, says so, and loses nothing', async () => {
    const { root, trail, use } = chain();
    const path = join(root, 'copy.jsonl');
    use([{ type: 'file', path, required: true }]);
    prompt(trail, 'one');
    await trail.durable();
    renameSync(path, `${path}.1`);
    prompt(trail, 'two');
    await trail.durable();
    await trail.close();
    expect([...linesOf(`${path}.1`), ...linesOf(path)].map((line) => JSON.parse(line).seq)).toEqual(
      Array.from({ length: [...linesOf(`${path}.1`), ...linesOf(path)].length }, (_, n) => n + 1),
    );
    expect(states(linesOf(path))).toContain('failed');
  });

  it.each([
    ['a link', (path: string) => symlinkSync('/dev/null', path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a directory', (path: string) => mkdirSync(path)],
  ])('is not %s', async (_, make) => {
    const { root, trail, use, told } = chain();
    const path = join(root, 'copy');
    make(path);
    use([{ type: 'file', path, required: true }], { sinkTimeoutMs: 300 });
    prompt(trail, 'x');
    await expect(trail.durable()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(told.join()).toMatch(/takes no records/);
    rmSync(path, { recursive: true });
    use([], {});
  });

  it('does not lie in the audit directory', async () => {
    const { trail, use } = chain();
    const path = join(dirname(trail.head.file), 'copy');
    use([{ type: 'file', path, required: true }], { sinkTimeoutMs: 300 });
    prompt(trail, 'x');
    await expect(trail.durable()).rejects.toThrow(/lies in the audit directory/);
    expect(existsSync(path)).toBe(false);
    use([], {});
  });
});

describe('a required sink that takes nothing', () => {
  it('makes the barrier fail in time; when it works again so does the barrier, and it has everything', async () => {
    const { root, trail, use, main, told } = chain();
    const path = join(root, 'away', 'copy.jsonl');
    use([{ type: 'file', path, required: true }], { sinkTimeoutMs: 400 });
    prompt(trail, 'one');
    const began = performance.now();
    await expect(trail.durable()).rejects.toMatchObject({
      code: 'AUDIT_UNAVAILABLE',
      message: expect.stringMatching(
        /required audit sink .*copy\.jsonl" has not taken the last \d+ records within 0\.4 s \(ENOENT/,
      ),
    });
    expect(performance.now() - began).toBeLessThan(3000);
    mkdirSync(join(root, 'away'));
    use([{ type: 'file', path, required: true }], { sinkTimeoutMs: 5000 });
    prompt(trail, 'two');
    await trail.durable();
    await until(() => states(main()).includes('current'), 'the sink to be current');
    await trail.close();
    expect(linesOf(path)).toEqual(main());
    expect(states(main())).toEqual(['started', 'failed', 'current']);
    expect(told).toEqual([expect.stringMatching(/it is required/), expect.stringMatching(/has caught up/)]);
  });

  it('is waited for as long as the settings say, also for weeks', async () => {
    const { root, trail, use, main } = chain();
    const path = join(root, 'away', 'copy.jsonl');
    use([{ type: 'file', path, required: true }], { sinkTimeoutMs: 40 * 24 * 60 * 60_000 });
    prompt(trail, 'one');
    const durable = trail.durable();
    durable.catch(() => undefined);
    await until(() => states(main()).includes('failed'), 'the sink to fail');
    mkdirSync(join(root, 'away'));
    await durable;
    expect(linesOf(path)).toContain(main().find((line) => line.includes('"one"')));
  });

  it('does not keep what is durable from other sinks', async () => {
    const { root, trail, use, main } = chain();
    const good = join(root, 'good.jsonl');
    use(
      [
        { type: 'file', path: join(root, 'away', 'bad.jsonl'), required: true },
        { type: 'file', path: good, required: false },
      ],
      { sinkTimeoutMs: 100 },
    );
    prompt(trail, 'one');
    await expect(trail.close()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(linesOf(good)).toContain(main().find((line) => line.includes('"one"')));
  });
});

it('a sink that is not required fails without holding anything up: a record and a warning', async () => {
  const { root, trail, use, main, told } = chain();
  use([{ type: 'file', path: join(root, 'away', 'copy.jsonl'), required: false }]);
  prompt(trail, 'one');
  await trail.durable();
  await until(() => states(main()).includes('failed'), 'the record');
  prompt(trail, 'two');
  await trail.durable();
  await trail.close();
  expect(told).toEqual([
    expect.stringMatching(/copy\.jsonl" takes no records: ENOENT.*the log itself is complete/),
    expect.stringMatching(/did not get the end/),
  ]);
});

describe('a command sink', () => {
  it('reads the records as lines, to the end', async () => {
    const { root, trail, use, main } = chain();
    use([{ type: 'command', command: 'cat > copy.jsonl', required: true }]);
    prompt(trail, 'one');
    await trail.durable();
    await trail.close();
    expect(linesOf(join(root, 'copy.jsonl'))).toEqual(main());
  });

  it('with args is a program and no shell', async () => {
    const { root, trail, use, main } = chain();
    use([{ type: 'command', command: 'tee', args: ['a b.jsonl'], required: true }]);
    prompt(trail, 'one');
    await trail.close();
    expect(linesOf(join(root, 'a b.jsonl'))).toEqual(main());
  });

  it('that ends is started again and gets the chain from its beginning', async () => {
    const { root, trail, use, main, told } = chain();
    const copy = join(root, 'copy.jsonl');
    // The first run reads one line and ends.
    const command =
      '[ -e ran ] && exec cat > copy.jsonl; touch ran; head -n 1 > first.jsonl; echo broken >&2; exit 3';
    use([{ type: 'command', command, required: true }]);
    prompt(trail, 'one');
    await trail.durable();
    await until(() => states(main()).includes('failed'), 'its end on record');
    prompt(trail, 'two');
    await trail.durable();
    await until(holds(copy, '"two"'), 'the second run to have both');
    await trail.close();
    expect(linesOf(copy)).toEqual(main());
    expect(told[0]).toMatch(/it ended with code 3: broken/);
  });

  it('that cannot be started makes a required barrier fail, with the reason', async () => {
    const { trail, use } = chain();
    use([{ type: 'command', command: 'no-such-program-here', args: [], required: true }], {
      sinkTimeoutMs: 300,
    });
    prompt(trail, 'one');
    await expect(trail.durable()).rejects.toThrow(/could not be started: .*ENOENT/);
    use([], {});
  });

  it('that reads nothing holds up a required barrier only so long, and memory not at all', async () => {
    const { trail, use } = chain();
    use([{ type: 'command', command: 'exec sleep 60', required: true }], { sinkTimeoutMs: 300 });
    for (let n = 0; n < 40; n++) prompt(trail, 'x'.repeat(100_000));
    await expect(trail.durable()).rejects.toThrow(/has not taken the last \d+ records/);
    const { arrayBuffers } = process.memoryUsage();
    for (let n = 0; n < 300; n++) prompt(trail, 'x'.repeat(100_000));
    await expect(trail.durable()).rejects.toThrow(/has not taken/);
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(10_000_000);
    use([], {});
  });
});

it('a sink that takes nothing for five seconds lags: a record with how far, and a warning', async () => {
  const { trail, use, told, main } = chain();
  use([{ type: 'command', command: 'exec sleep 60', required: false }]);
  // More than a pipe holds.
  for (let n = 0; n < 40; n++) prompt(trail, 'x'.repeat(100_000));
  await trail.durable();
  await until(() => states(main()).includes('lagging'), 'the record');
  expect(told).toEqual([expect.stringMatching(/lags: no progress for 5 s\. It lacks \d\d of the records/)]);
  use([], {});
});

it('hookd itself: every record of a run is in both sinks, and a project cannot name one', async () => {
  const workspace = makeWorkspace({
    settings: {
      permissions: { allow: ['Bash(touch *)'] },
      audit: {
        sinks: [
          { type: 'file', path: '~/copy.jsonl', required: true },
          { type: 'command', command: 'cat > piped.jsonl' },
        ],
      },
    },
    projectSettings: { audit: { sinks: [{ type: 'command', command: 'cat > stolen.jsonl' }] } },
  });
  const script = modelScript(workspace, [[toolUse('Bash', { command: 'touch mark' })], [text('ok')]]);
  const { code, stderr } = await hookd(workspace, ['-p', 'go', '--model-script', script]);
  expect({ code, warnings: stderr.match(/a project cannot set this/g) }).toMatchObject({
    code: 0,
    warnings: ['a project cannot set this'],
  });
  const [report] = verifyAll(join(workspace.home, 'audit'));
  const copies = [join(workspace.root, 'user', 'copy.jsonl'), join(workspace.home, 'piped.jsonl')];
  for (const copy of copies)
    expect(verifyFile(copy)).toMatchObject({ problem: undefined, head: report?.head });
  for (const directory of [workspace.project, workspace.home])
    expect(existsSync(join(directory, 'stolen.jsonl'))).toBe(false);
});

it('hookd itself: without its required sink nothing runs: exit 4, no mark', async () => {
  const workspace = makeWorkspace({
    settings: {
      permissions: { allow: ['Bash(touch *)'] },
      audit: { sinkTimeout: 0.5, sinks: [{ type: 'file', path: '/nonexistent/copy.jsonl', required: true }] },
    },
  });
  const script = modelScript(workspace, [[toolUse('Bash', { command: 'touch mark' })], [text('ok')]]);
  const { code, stderr } = await hookd(workspace, ['-p', 'go', '--model-script', script]);
  expect(code).toBe(4);
  expect(stderr).toMatch(/hookd: AUDIT_UNAVAILABLE: The required audit sink .*ENOENT/);
  expect(existsSync(join(workspace.project, 'mark'))).toBe(false);
});

it('a sink that fails again and again is tried less and less often, and told of once', async () => {
  const { root, trail, use, told, main } = chain();
  use([
    { type: 'command', command: 'date +%s%N >> starts; head -c 10 > /dev/null; exit 7', required: false },
  ]);
  prompt(trail, 'one');
  await trail.durable();
  const starts = () => linesOf(join(root, 'starts')).map((time) => Number(time) / 1e6);
  await until(() => starts().length >= 4, 'the fourth start');
  const [, second = 0, third = 0, fourth = 0] = starts();
  expect(third - second).toBeGreaterThan(190);
  expect(fourth - third).toBeGreaterThan(390);
  await trail.close();
  expect(states(main())).toEqual(['started', 'failed']);
  expect(told.filter((words) => words.includes('takes no records'))).toHaveLength(1);
});
