/** `hookd demo`: the real loop, gates, tools and audit in a temporary directory; only the model is a script. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Approvals } from '../agent/ask-human.ts';
import { verifyAll, verifyFile } from '../audit/verify.ts';
import { EXIT, HookdError } from '../core/errors.ts';
import type { HookEnded, SessionEvent } from '../core/protocol.ts';
import { Daemon } from '../daemon/daemon.ts';
import { auditDirectoryOf, hookdHomeOf } from '../daemon/hookd-home.ts';
import { type ModelAccess, openModel } from '../daemon/model-access.ts';
import { createScriptedModel } from '../model/scripted.ts';
import type { Asking } from './ask-person.ts';
import { COLUMNS } from './columns.ts';
import { makeDemoHooks } from './demo-hooks.ts';
import { DEMO_SETTINGS, flaky, LESSONS, type Lesson, type LessonName } from './demo-lessons.ts';
import { LineInput } from './line-input.ts';
import { type Output, oneLine, printable } from './output.ts';
import { eventLines } from './render.ts';
import { closeQuietly } from './session-host.ts';
import { interruptSignal } from './signals.ts';
import { terminalApprovals } from './terminal-approvals.ts';

export interface DemoOptions {
  readonly lesson: LessonName | undefined;
  readonly ask: boolean;
  readonly real: boolean;
  readonly keep: boolean;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
}

/** Returns the exit code: 0 when all was as it should be, the audit's verdicts too. */
export async function demoCommand(options: DemoOptions, output: Output): Promise<number> {
  if (options.ask && process.stdin.isTTY !== true) {
    throw new HookdError('USAGE', '--ask puts a real question: it needs a terminal.');
  }
  const place = preparePlace();
  const say = options.json ? () => undefined : output.result;
  try {
    say(`A fresh workspace: ${place.project}`);
    say(`Its policy (${place.home}/settings.json): ${JSON.stringify(DEMO_SETTINGS.permissions)}`);
    await playLessons(options, place, say, output);
    return showAudit(auditDirectoryOf(place.home), options.json, say, output);
  } finally {
    if (options.keep) say(`\nLeft for you to look at: ${place.root}`);
    else rmSync(place.root, { recursive: true, force: true });
  }
}

function preparePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-demo-')));
  const place = { root, home: join(root, 'home'), project: join(root, 'project') };
  mkdirSync(place.home, { mode: 0o700 });
  mkdirSync(place.project);
  writeSettings(place, DEMO_SETTINGS);
  return place;
}

function writeSettings({ home }: Place, settings: object): void {
  writeFileSync(join(home, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}

async function playLessons(
  options: DemoOptions,
  place: Place,
  say: (line: string) => void,
  output: Output,
): Promise<void> {
  const { env } = options;
  const real = options.real
    ? await openModel({ env, hookdHome: hookdHomeOf(env), name: undefined, script: undefined })
    : undefined;
  const daemon = await Daemon.open({ env: { ...env, HOOKD_HOME: place.home } });
  const terminal = options.ask ? new LineInput({ input: process.stdin, output: process.stdout }) : undefined;
  const approvals = terminal === undefined ? saysNo : terminalApprovals(askingAt(terminal, output));
  const interrupt = interruptSignal();
  try {
    for (const lesson of LESSONS) {
      if (options.lesson !== undefined && options.lesson !== lesson.name) continue;
      await playLesson({ lesson, daemon, place, approvals, real, interrupt, say, output });
    }
    await daemon.close('completed');
  } catch (error) {
    await closeQuietly(daemon, 'failed');
    throw error;
  } finally {
    terminal?.close();
  }
}

function askingAt(input: LineInput, { result, colours }: Output): Asking {
  input.hide();
  input.onInterrupt = () => void process.kill(process.pid, 'SIGINT');
  const columns = () => process.stdout.columns || COLUMNS;
  return { input, say: result, colours, columns, explain: undefined };
}

const saysNo: Approvals = {
  ask: async () => ({
    answer: 'deny',
    client: 'demo',
    reason: 'no (the demonstration; --ask puts the real question)',
  }),
};

interface Stage {
  readonly lesson: Lesson;
  readonly daemon: Daemon;
  readonly place: Place;
  readonly approvals: Approvals;
  readonly real: ModelAccess | undefined;
  readonly interrupt: AbortSignal;
  readonly say: (line: string) => void;
  readonly output: Output;
}

async function playLesson(stage: Stage): Promise<void> {
  const { lesson, daemon, place, approvals, real, interrupt, say, output } = stage;
  const { colours } = output;
  say(`\n${colours.bold(`── ${lesson.name}  ${lesson.title}`)}`);
  if (lesson.withHooks) writeSettings(place, { ...DEMO_SETTINGS, hooks: makeDemoHooks(place.home) });
  const turns = lesson.steps.flatMap((step) => step.turns);
  // A session that is over sees the settings of the next lesson, too.
  let isOver = false;
  const session = await daemon.startSession({
    startDirectory: place.project,
    flags: {},
    approvals,
    onEvent: (event) => {
      if (!isOver) for (const line of demoLines(event, output)) say(line);
    },
    model: real ?? { model: createScriptedModel(turns), name: 'scripted' },
    moreTools: [flaky],
  });
  for (const { lookAt, prompt } of lesson.steps) {
    say(colours.cyan(`\nLook at: ${lookAt}.`));
    const end = await session.prompt(prompt, interrupt);
    if (end.reason === 'interrupted')
      throw new HookdError('INTERRUPTED', 'The demonstration was interrupted.');
    if (end.reason === 'hook_stopped') say(colours.yellow(`turn     ended by a hook: ${end.detail ?? ''}`));
    else if (end.reason !== 'completed') throw new HookdError('MODEL_FAILED', end.detail ?? end.reason);
  }
  isOver = true;
}

function demoLines(event: SessionEvent, { colours, columns }: Output): readonly string[] {
  if (event.kind === 'hook_ended') {
    const { hook, ended } = event;
    const words = oneLine(ended.stderr.trim() || ended.stdout.trim(), 120);
    return [
      colours.magenta(
        `  hook   ${hook.event} ${basename(hook.name.replace(/'$/, ''))}: ${hookEnd(ended)} ${words}`.trimEnd(),
      ),
    ];
  }
  if (event.kind === 'prompt') return [`you      ${event.prompt.text}`];
  if (event.kind === 'request')
    return [colours.dim(`request  with ${event.messages} ${event.messages === 1 ? 'message' : 'messages'}`)];
  if (event.kind === 'response') {
    return event.response.content.flatMap((block) =>
      block.type === 'text' ? [`model    ${printable(block.text)}`] : [],
    );
  }
  return eventLines(event, { colours, columns: columns ?? COLUMNS });
}

function hookEnd({ exitCode, outcome, hasNoVerdict }: HookEnded): string {
  if (hasNoVerdict) return 'gave no verdict';
  return outcome === 'success' ? 'ok' : `exit ${exitCode}`;
}

/** The log of the demonstration is sound; a copy with one changed byte is not, and the line is named. */
function showAudit(
  auditDirectory: string,
  json: boolean,
  say: (line: string) => void,
  output: Output,
): number {
  const { colours } = output;
  const reports = verifyAll(auditDirectory);
  const [report] = reports;
  if (report === undefined) throw new HookdError('INTERNAL', 'The demonstration left no audit log.');
  const sound = reports.every(({ problem }) => problem === undefined);
  say(`\n${colours.bold('── The audit: every step above is on record, and no record can change unseen')}`);
  say(
    `verify   ${report.records} records in ${auditDirectory}/${report.writer}: ${sound ? 'sound' : 'NOT sound'}`,
  );

  const original = join(auditDirectory, report.writer, '000001.jsonl');
  const copy = join(dirname(auditDirectory), 'changed-copy.jsonl');
  const changed = changeOneByte(readFileSync(original), Math.floor(report.records / 2));
  writeFileSync(copy, changed.bytes);
  say(`         now a copy with one byte of line ${changed.line} changed:`);
  const { problem } = verifyFile(copy);
  const noticed = problem?.line === changed.line;
  say(
    `verify   ${problem === undefined ? 'sound (it should not be)' : `line ${problem.line} ${problem.message}`}`,
  );
  if (json)
    output.result(JSON.stringify({ records: report.records, sound, changedLine: changed.line, noticed }));
  return sound && noticed ? EXIT.done : EXIT.failed;
}

/** Flips the lowest bit of one byte in the middle of a line. Lines count from 1. */
function changeOneByte(original: Buffer, line: number): { bytes: Buffer; line: number } {
  const bytes = Buffer.from(original);
  let start = 0;
  for (let number = 1; number < line; number++) start = bytes.indexOf('\n', start) + 1;
  const middle = Math.floor((start + bytes.indexOf('\n', start)) / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return { bytes, line };
}
