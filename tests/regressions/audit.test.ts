/** Faults that logs of other hosts have had, by the public thread that reported each, and what happens here. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
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
});
