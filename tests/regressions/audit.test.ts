/** Faults that logs of other hosts have had, by the public thread that reported each, and what happens here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { CHANNEL_DEFAULTS } from '../../src/audit/channel-settings.ts';
import { Trail } from '../../src/audit/trail.ts';
import { verifyAll, verifyFile } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { withFaults } from '../audit/faults.ts';
import {
  auditRecords,
  hookd,
  makeWorkspace,
  modelScript,
  startHookd,
  until,
  type Workspace,
} from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

// Made-up values of the right shape, put together here so that no scanner takes this file for a leak.
const OPENAI = `sk-proj-${'aB3xYz09'.repeat(6)}`;
const AWS = `AKIA${'ABCD1234'.repeat(2)}`;
const INTERNAL = `itk_${'a1B2'.repeat(8)}`;

const filesUnder = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
const heldBy = (directory: string, words: string) =>
  filesUnder(directory).filter((path) => readFileSync(path).includes(words));
const audit = ({ home }: Workspace) => join(home, 'audit');

describe('secrets', () => {
  it('in the output of a tool are masked in the log, and nowhere else (google-gemini/gemini-cli#22225)', async () => {
    const cfg = `KEY=${OPENAI}\nID=${AWS}\nINTERNAL=${INTERNAL}\nPLAIN=kept\n`;
    const { workspace, results, messages } = await play(
      [[toolUse('Bash', { command: 'cat cfg; cp cfg copy' }, 'toolu_cat')], [text('done')]],
      {
        files: { cfg },
        settings: {
          permissions: { allow: ['Bash(cat *)', 'Bash(cp *)'] },
          audit: { redact: [{ name: 'internal', pattern: 'itk_[A-Za-z0-9]{32}' }] },
        },
      },
    );
    expect(results[0]?.text).toContain(OPENAI);
    expect(JSON.stringify(messages)).toContain(INTERNAL);
    expect(readFileSync(join(workspace.project, 'copy'), 'utf8')).toBe(cfg);
    for (const secret of [OPENAI, AWS, INTERNAL]) expect(heldBy(audit(workspace), secret)).toEqual([]);
    const result = auditRecords(workspace).find(({ kind }) => kind === 'tool_result');
    expect(String(result?.['text'])).toMatch(
      /^KEY=\[REDACTED:openai-key:[0-9a-f]{8}\]\nID=\[REDACTED:aws-key-id:[0-9a-f]{8}\]\nINTERNAL=\[REDACTED:internal:[0-9a-f]{8}\]\nPLAIN=kept/,
    );
  });

  it('of the environment and of commands are in no log, and the files are nobody else’s (slopus/happy#1297)', async () => {
    const key = 'correct-horse-battery-staple';
    const workspace = makeWorkspace({
      env: { ANTHROPIC_API_KEY: key },
      settings: { permissions: { allow: ['Bash(echo *)', 'Bash(printenv)'] } },
    });
    const script = modelScript(workspace, [
      [
        toolUse('Bash', { command: `echo --env KEY=${OPENAI} ${key}` }),
        toolUse('Bash', { command: 'printenv' }),
      ],
      [text('done')],
    ]);
    const { code } = await hookd(workspace, ['run', 'x', '--model-script', script]);
    expect(code).toBe(0);
    expect(filesUnder(audit(workspace))).toHaveLength(1);
    for (const secret of [key, OPENAI]) {
      expect(heldBy(audit(workspace), secret)).toEqual([]);
      expect(
        existsSync(join(workspace.home, 'hookd.log'))
          ? heldBy(workspace.home, secret).filter((path) => path.endsWith('.log'))
          : [],
      ).toEqual([]);
    }
    const modes = filesUnder(audit(workspace)).map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600]);
    expect(statSync(audit(workspace)).mode & 0o777).toBe(0o700);
  });
});

describe('the log', () => {
  it('has whole lines only, whoever writes at the same time (pinojs/pino#1098)', async () => {
    const directory = join(mkdtempSync(join(tmpdir(), 'hookd-many-')), 'audit');
    const trails = Array.from(
      { length: 8 },
      (_, n) => new Trail(AuditWriter.create(join(directory, `w${n}`))),
    );
    for (let n = 0; n < 50; n++)
      for (const trail of trails) trail.record('prompt', { text: 'x'.repeat(20_000) });
    await Promise.all(trails.map((trail) => trail.close()));
    const reports = verifyAll(directory);
    expect(reports.map(({ records, problem, notes }) => ({ records, problem, notes }))).toEqual(
      Array.from({ length: 8 }, () => ({ records: 50, problem: undefined, notes: [] })),
    );
  });

  it('is not begun by a start that a wrong flag ends, and no stack is shown (pinojs/pino#2326)', async () => {
    const workspace = makeWorkspace();
    const { code, stderr } = await hookd(workspace, ['run', 'x', '--no-such-flag']);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(audit(workspace))).toBe(false);
  });

  it('goes on when nobody reads what hookd says, and does not grow for it (openwong2kim/wmux#792)', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash(echo *)'] } } });
    const turns = Array.from({ length: 10 }, (_, n) => [
      toolUse('Bash', { command: `echo ${n}` }),
      text(`turn ${n}`),
    ]);
    const script = modelScript(workspace, [...turns, [text('done')]]);
    const running = startHookd(workspace, [
      'run',
      'x',
      '--model-script',
      script,
      '--output-format',
      'stream-json',
      '--verbose',
    ]);
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    await running.finished;
    await until(() => auditRecords(workspace).at(-1)?.kind === 'daemon_stopped', 'the end of the log');
    const records = auditRecords(workspace);
    expect(records.filter(({ kind }) => kind === 'tool_result')).toHaveLength(10);
    expect(verifyAll(audit(workspace)).map(({ problem }) => problem)).toEqual([undefined]);
    const sizes = filesUnder(workspace.home).map((path) => statSync(path).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  });

  it('has every record that was made, however the process ends (pinojs/pino#2054)', async () => {
    const ends = {
      exit: 'process.exit(0)',
      throw: "throw new Error('x')",
      kill: "process.kill(process.pid, 'SIGKILL')",
    };
    const program = (end: string) => `
      import { Trail } from './src/audit/trail.ts';
      import { AuditWriter } from './src/audit/writer.ts';
      const trail = new Trail(AuditWriter.create(process.argv[1]));
      for (let n = 0; n < 2000; n++) trail.record('prompt', { text: String(n).padStart(300, '.') });
      ${end};`;
    const roots = await Promise.all(
      Object.values(ends).map(async (end) => {
        const root = mkdtempSync(join(tmpdir(), 'hookd-ends-'));
        const args = ['--import', 'tsx', '--input-type=module', '-e', program(end), join(root, 'audit', 'w')];
        const child = spawn(process.execPath, args, { stdio: 'ignore' });
        await once(child, 'exit');
        return root;
      }),
    );
    for (const root of roots) {
      const [report] = verifyAll(join(root, 'audit'));
      expect(report).toMatchObject({ problem: undefined, notes: [] });
      const lines = readFileSync(join(root, 'audit', 'w', '000001.jsonl'), 'utf8').split('\n');
      const prompts = lines.filter((line) => line.includes('"kind":"prompt"'));
      expect([prompts.length, lines.at(-1)]).toEqual([2000, '']);
      expect(prompts.at(-1)).toContain('.1999');
      rmSync(root, { recursive: true });
    }
  });

  it('goes on in new files in the middle of a flood, and loses nothing in between (pinojs/sonic-boom#30, hAcKlyc/MyAgents#493)', async () => {
    const directory = join(mkdtempSync(join(tmpdir(), 'hookd-flood-')), 'audit');
    const writer = AuditWriter.create(join(directory, 'w'));
    writer.settings = { ...CHANNEL_DEFAULTS, rotateBytes: 20_000 };
    const trail = new Trail(writer);
    const barriers: Promise<void>[] = [];
    for (let n = 0; n < 1000; n++) {
      trail.record('prompt', { text: `${n} ${'x'.repeat(200)}` });
      if (n % 10 === 0) barriers.push(trail.durable());
      if (n % 50 === 0) await Promise.all(barriers);
    }
    await Promise.all([...barriers, trail.close()]);
    const files = filesUnder(directory).sort();
    expect(files.length).toBeGreaterThan(5);
    expect(verifyAll(directory)).toMatchObject([{ problem: undefined, notes: [], segments: files.length }]);
    const texts = files.flatMap((file) => readFileSync(file, 'utf8').match(/"text":"\d+ /g) ?? []);
    expect(texts).toEqual(Array.from({ length: 1000 }, (_, n) => `"text":"${n} `));
  });
});

describe('a log that cannot be written', () => {
  it('stops calls until it can, and half a line is never taken for one (MoonshotAI/kimi-code#2902)', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash(touch *)'] } } });
    const daemon = await Daemon.open({ env: workspace.env });
    const touches = ['one', 'two'].map((name) => [toolUse('Bash', { command: `touch ${name}` })]);
    const session = await daemon.startSession({
      startDirectory: workspace.project,
      flags: {},
      approvals: nobody,
      model: { model: createScriptedModel([...touches, [text('ok')]]), name: 'scripted' },
      onEvent: () => undefined,
    });
    const prompt = () => session.prompt('go', new AbortController().signal);
    const isFull = { writeSync: () => true };
    await withFaults(isFull, 'ENOSPC', async () => {
      await expect(prompt()).rejects.toMatchObject({
        code: 'AUDIT_UNAVAILABLE',
        message: expect.stringContaining('ENOSPC'),
      });
    });
    expect(readdirSync(workspace.project)).toEqual([]);
    expect(await prompt()).toMatchObject({ reason: 'completed' });
    expect(readdirSync(workspace.project)).toEqual(['one', 'two']);
    await daemon.close('test');
    expect(verifyAll(audit(workspace)).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it('because its required sink has gone refuses calls until it is back, and says so (pinojs/pino#2351)', async () => {
    const told: string[] = [];
    const workspace = makeWorkspace();
    const [here, gone] = ['sink', 'gone'].map((name) => join(workspace.root, name)) as [string, string];
    mkdirSync(here);
    const settings = {
      permissions: { allow: ['Bash(touch *)'] },
      audit: { sinkTimeout: 0.3, sinks: [{ type: 'file', path: join(here, 'copy.jsonl'), required: true }] },
    };
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(settings));
    const daemon = await Daemon.open({ env: workspace.env });
    const touches = ['one', 'two', 'three'].map((name) => [toolUse('Bash', { command: `touch ${name}` })]);
    const session = await daemon.startSession({
      startDirectory: workspace.project,
      flags: {},
      approvals: nobody,
      model: { model: createScriptedModel([...touches, [text('ok')]]), name: 'scripted' },
      onEvent: (event) => {
        if (event.kind === 'warning') told.push(event.text);
        if (event.kind === 'tool_result' && told.length === 0 && existsSync(here)) renameSync(here, gone);
      },
    });
    const prompt = () => session.prompt('go', new AbortController().signal);
    await expect(prompt()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(readdirSync(workspace.project)).toEqual(['one']);
    expect(told.join('\n')).toContain('copy.jsonl');
    renameSync(gone, here);
    // A sink that fails is tried less and less often.
    await vi.waitFor(async () => expect(await prompt()).toMatchObject({ reason: 'completed' }), 30_000);
    await daemon.close('test');
    expect(verifyFile(join(here, 'copy.jsonl')).head).toBe(verifyAll(audit(workspace))[0]?.head);
  });
});
