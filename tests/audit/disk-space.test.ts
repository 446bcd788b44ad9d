/** Room on the disk: warned below the upper mark, nothing new below the floor, and back again by itself. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoredRecord } from '../../src/audit/chain.ts';
import { CHANNEL_DEFAULTS } from '../../src/audit/channel-settings.ts';
import { diskSpace, SpaceWatch } from '../../src/audit/disk-space.ts';
import type { DiskSpace } from '../../src/audit/record-values.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { auditRecords, hookd, makeWorkspace, modelScript } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const EVERYTHING = 2 ** 52;
const freshDirectory = () => mkdtempSync(join(tmpdir(), 'hookd-space-'));

it('each crossing is recorded and told once, and the way back too', () => {
  const directory = join(freshDirectory(), 'audit', 'w');
  const trail = new Trail(AuditWriter.create(directory));
  const told: string[] = [];
  const stop = trail.watch((words) => told.push(words));
  const marks = (lowWaterBytes: number, floorBytes: number) =>
    trail.configure({ ...CHANNEL_DEFAULTS, lowWaterBytes, floorBytes });
  const isRefused = () => {
    try {
      trail.assertRoom();
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
      return true;
    }
  };
  const refusals: boolean[] = [];
  for (const [low, floor] of [
    [0, 0],
    [EVERYTHING, 0],
    [EVERYTHING, 0],
    [EVERYTHING, EVERYTHING],
    [EVERYTHING, EVERYTHING],
    [EVERYTHING, 0],
    [0, 0],
  ] as const) {
    marks(low, floor);
    refusals.push(isRefused());
  }
  stop();
  marks(EVERYTHING, 0);
  trail.assertRoom();
  expect(refusals).toEqual([false, false, false, true, true, false, false]);
  const lines = readFileSync(join(directory, '000001.jsonl'), 'utf8').trimEnd().split('\n');
  const states = lines.map((line) => (JSON.parse(line) as StoredRecord)['state']);
  expect(states).toEqual(['low', 'below_floor', 'low', 'enough', 'low']);
  expect(told).toEqual([
    expect.stringMatching(/^Only .* are free .*audit\.lowWater/),
    expect.stringMatching(/nothing new begins/),
    expect.stringMatching(/^Only .*audit\.lowWater/),
    expect.stringMatching(/enough again/),
  ]);
});

it('a crossing that could not be recorded is told by the next look', () => {
  const watch = new SpaceWatch();
  const seen: DiskSpace['state'][] = [];
  const settings = { ...CHANNEL_DEFAULTS, lowWaterBytes: EVERYTHING, floorBytes: 0 };
  const failing = () => {
    throw new Error('not recorded');
  };
  expect(() => watch.look('/', settings, failing)).toThrow('not recorded');
  for (let n = 0; n < 2; n++) watch.look('/', settings, ({ state }) => seen.push(state));
  expect(seen).toEqual(['low']);
});

it('the defaults leave a small file system usable, and what cannot be looked at is unavailable', () => {
  const { low_water, floor } = diskSpace(freshDirectory(), CHANNEL_DEFAULTS);
  expect(low_water).toBeGreaterThan(floor);
  expect(floor).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(() => diskSpace(join(freshDirectory(), 'none'), CHANNEL_DEFAULTS)).toThrow(
    expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }),
  );
});

it('below the floor no prompt, no hook and no call begins: exit 4, and a warning below the upper mark', async () => {
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch hook-ran' }] }] };
  const workspace = makeWorkspace({ settings: { audit: { floor: 2 ** 32 }, hooks } });
  const script = modelScript(workspace, [[text('ok')]]);
  const refused = await hookd(workspace, ['-p', 'go', '--model-script', script]);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toMatch(/hookd: AUDIT_UNAVAILABLE: Only .*audit\.floor/);
  expect(() => readFileSync(join(workspace.project, 'hook-ran'))).toThrow(/ENOENT/);
  expect(auditRecords(workspace).map(({ kind }) => kind)).not.toContain('prompt');

  writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ audit: { lowWater: 2 ** 32 } }));
  const warned = await hookd(workspace, ['-p', 'go', '--model-script', script]);
  expect(warned).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(warned.stderr).toMatch(/^hookd: warning: Only .*audit\.lowWater/m);
});

it('a floor that is saved while a session runs stops its next call, and the one after it goes on when it is taken away', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash(touch *)'] } } });
  const file = join(workspace.home, 'settings.json');
  mkdirSync(join(workspace.project, 'marks'));
  const save = (audit: object) =>
    writeFileSync(file, JSON.stringify({ permissions: { allow: ['Bash(touch *)'] }, audit }));
  const turns = [
    [toolUse('Bash', { command: 'touch marks/1' })],
    [toolUse('Bash', { command: 'touch marks/2' })],
  ];
  await expect(
    play(turns, {
      workspace,
      onEvent: (event) => {
        if (event.kind === 'tool_result') save({ floor: 2 ** 32 });
      },
    }),
  ).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  rmSync(file);
  save({});
  const { end } = await play([[toolUse('Bash', { command: 'touch marks/3' })], [text('ok')]], { workspace });
  expect(end.reason).toBe('completed');
});
