/** Runs the built hookd as a person would: a process with its own home, project and environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StoredRecord } from '../../src/audit/chain.ts';

/** HOOKD_BIN names another build than the one in dist/. */
export const HOOKD = process.env['HOOKD_BIN'] ?? resolve(import.meta.dirname, '../../dist/hookd.cjs');

export interface Workspace {
  readonly root: string;
  /** $HOOKD_HOME. */
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface WorkspaceOptions {
  readonly settings?: unknown;
  readonly projectSettings?: unknown;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export function makeWorkspace(options: WorkspaceOptions = {}): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-e2e-')));
  const home = join(root, 'user', '.hookd');
  const project = join(root, 'project');
  mkdirSync(home, { recursive: true });
  mkdirSync(project);
  if (options.settings !== undefined)
    writeFileSync(join(home, 'settings.json'), JSON.stringify(options.settings, null, 2));
  if (options.projectSettings !== undefined) {
    mkdirSync(join(project, '.hookd'));
    writeFileSync(join(project, '.hookd/settings.json'), JSON.stringify(options.projectSettings, null, 2));
  }
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(root, 'user'),
    HOOKD_HOME: home,
    NO_COLOR: '1',
    ...options.env,
  };
  return { root, home, project, env };
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** What it has said so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
}

export function startHookd(workspace: Workspace, args: readonly string[], input = ''): Running {
  const child = spawn(process.execPath, [HOOKD, ...args], {
    cwd: workspace.project,
    env: workspace.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  child.stdin.on('error', () => undefined).end(input);
  const finished = new Promise<Finished>((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, ...output }));
  });
  return { child, finished, output };
}

export function hookd(workspace: Workspace, args: readonly string[], input?: string): Promise<Finished> {
  return startHookd(workspace, args, input).finished;
}

/** Writes a script for the model and returns its path. */
export function modelScript(workspace: Workspace, turns: readonly unknown[], name = 'script.json'): string {
  const path = join(workspace.root, name);
  writeFileSync(path, JSON.stringify(turns));
  return path;
}

/** All complete records, chain after chain. */
export function auditRecords(workspace: Workspace): readonly StoredRecord[] {
  const audit = join(workspace.home, 'audit');
  return readdirSync(audit)
    .sort()
    .flatMap((writer) =>
      readdirSync(join(audit, writer))
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .flatMap((name) =>
          readFileSync(join(audit, writer, name), 'utf8')
            .split('\n')
            .slice(0, -1),
        ),
    )
    .map((line) => JSON.parse(line) as StoredRecord);
}

export function kindsOf(records: readonly StoredRecord[]): readonly string[] {
  return records.map((record) => record.kind);
}

/** Resolves when `condition` holds; looks at it again and again, for at most 20 s. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 45_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
