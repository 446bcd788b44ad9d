/**
 * Plays rows of permission decisions: the row's files in a temporary directory, its settings read as a user with
 * `--claude-settings` has them read, its call parsed by the tool and judged by `decide`. Nothing is executed.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Behavior, Decision, JsonObject, ToolCall } from '../../src/core/vocabulary.ts';
import { decide, type Permissions } from '../../src/permissions/decide.ts';
import { realFiles } from '../../src/permissions/files-view.ts';
import { BUILTIN_DENIAL_NAMES } from '../../src/permissions/guards/builtin.ts';
import type { CommandLine } from '../../src/settings/command-line.ts';
import { isError, type SettingsProblem } from '../../src/settings/problem.ts';
import { SettingsStore } from '../../src/settings/store.ts';
import { callElsewhere } from '../../src/tools/elsewhere.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { callToJudge } from '../../src/tools/tool.ts';
import { commandLineOf } from './row-flags.ts';

/** A settings file: its content, its text, or its bytes. */
export type FileContent = string | { readonly $base64: string } | JsonObject;

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly mode: string;
  /** Lists of the project's settings file, instead of `settings`. */
  readonly rules?: Partial<Record<Behavior, readonly unknown[]>>;
  readonly settings?: Partial<Record<'user' | 'project' | 'local' | 'flag', FileContent>>;
  readonly flags?: readonly string[];
  readonly trusted?: boolean;
  readonly fixture?: {
    readonly files?: Readonly<Record<string, string>>;
    readonly symlinks?: Readonly<Record<string, string>>;
    readonly dirs?: readonly string[];
    readonly git?: boolean;
  };
  readonly tool: string;
  readonly input: JsonObject;
  readonly expected: Behavior;
  readonly observed: Behavior;
  readonly note?: string;
}

export type Answer =
  | { readonly kind: 'decided'; readonly behavior: Behavior; readonly reason: string }
  /** No session starts with such settings; the errors say why. */
  | { readonly kind: 'refused'; readonly errors: readonly SettingsProblem[] };

type Opened =
  | { readonly ok: true; readonly permissions: Permissions }
  | { readonly ok: false; readonly errors: readonly SettingsProblem[] };

export function rowsIn(jsonLines: string): readonly Row[] {
  return jsonLines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Claude Code has no deny list of its own. */
const HOOKD_SETTINGS = JSON.stringify({ permissions: { disableBuiltinRules: BUILTIN_DENIAL_NAMES } });

/** The environment that the rows were observed in. */
const isSet = (name: string): boolean => /^(?:PATH|HOME|USER|LANG|TERM|TMPDIR|E[AB])$/.test(name);

export class Sandbox {
  readonly #parent = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-conformance-')));
  readonly #proj = join(this.#parent, 'proj');
  readonly #home = join(this.#parent, 'home');
  readonly #out = join(this.#parent, 'outside');
  #prepared: string | undefined;
  #opened: Opened = { ok: false, errors: [] };

  judge(raw: Row): Answer {
    const row = this.#placed(raw);
    const opened = this.#open(row);
    if (!opened.ok) return { kind: 'refused', errors: opened.errors };
    const { permissions } = opened;
    const call = callOf(row, permissions);
    const { behavior, reason } =
      typeof call === 'string' ? unfit(call) : decide({ permissions, call, files: realFiles, isSet });
    return { kind: 'decided', behavior, reason };
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }

  #placed(row: Row): Row {
    const text = JSON.stringify(row)
      .replaceAll('$PROJ', this.#proj)
      .replaceAll('$HOME', this.#home)
      .replaceAll('$OUT', this.#out);
    return JSON.parse(text) as Row;
  }

  /** Decisions change nothing, so rows that want the same files and settings share them. */
  #open({ fixture = {}, mode, rules, settings, flags = [], trusted = true }: Row): Opened {
    const files: NonNullable<Row['settings']> = settings ?? {
      project: { permissions: (rules ?? {}) as JsonObject },
    };
    const wanted = JSON.stringify([fixture, mode, files, flags, trusted]);
    if (wanted === this.#prepared) return this.#opened;
    this.#prepared = wanted;
    this.#clear();
    this.#fill(fixture);
    this.#save(join(this.#home, '.hookd/settings.json'), HOOKD_SETTINGS);
    this.#save(join(this.#home, '.claude/settings.json'), files.user);
    this.#save(join(this.#proj, '.claude/settings.json'), files.project);
    this.#save(join(this.#proj, '.claude/settings.local.json'), files.local);
    const line = commandLineOf({
      flags,
      mode,
      inline: files.flag === undefined ? undefined : textOf(files.flag),
    });
    this.#opened = this.#load({ ...line, claudeSettings: true, trustProject: trusted });
    return this.#opened;
  }

  #load(flags: CommandLine): Opened {
    const where = { startDirectory: this.#proj, home: this.#home, hookdHome: join(this.#home, '.hookd') };
    // Nobody administers the machine of a row.
    const managed = {
      directory: join(this.#parent, 'none'),
      claudeDirectory: join(this.#parent, 'none'),
      owner: 0,
    };
    const opened = SettingsStore.open({ ...where, managed, flags, onEvent: () => {} });
    if (!opened.ok) return { ok: false, errors: opened.problems.filter(isError) };
    return { ok: true, permissions: opened.store.current().permissions };
  }

  #clear(): void {
    rmSync(this.#parent, { recursive: true, force: true });
    for (const directory of [this.#proj, this.#home, this.#out]) mkdirSync(directory, { recursive: true });
  }

  #fill({ files = {}, symlinks = {}, dirs = [], git }: NonNullable<Row['fixture']>): void {
    if (git === true) mkdirSync(join(this.#proj, '.git'));
    for (const directory of dirs) mkdirSync(resolve(this.#proj, directory), { recursive: true });
    for (const [path, content] of Object.entries(files)) this.#save(resolve(this.#proj, path), content);
    for (const [path, target] of Object.entries(symlinks)) {
      mkdirSync(dirname(resolve(this.#proj, path)), { recursive: true });
      symlinkSync(target, resolve(this.#proj, path));
    }
  }

  #save(file: string, content: FileContent | undefined): void {
    if (content === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytesOf(content));
  }
}

function callOf({ tool: name, input }: Row, { workplace }: Permissions): ToolCall | string {
  const tool = TOOLS.find((one) => one.name === name);
  return tool === undefined ? callElsewhere(name, input, workplace) : callToJudge(tool, input, workplace);
}

/** The tool refuses such an input before any rule is asked: nothing runs. */
function unfit(problem: string): Pick<Decision, 'behavior' | 'reason'> {
  return { behavior: 'deny', reason: `The input does not fit: ${problem}.` };
}

function bytesOf(content: FileContent): Buffer {
  const encoded = typeof content === 'object' ? content['$base64'] : undefined;
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : Buffer.from(textOf(content));
}

const textOf = (content: FileContent): string =>
  typeof content === 'string' ? content : JSON.stringify(content);
