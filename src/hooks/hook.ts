/** One configured hook, one run of it, and what the run said: the words of this folder. */
import type { HookRef, JsonObject } from '../core/vocabulary.ts';
import type { ProcessEnd } from '../lib/subprocess.ts';
import type { HookEvent } from './events.ts';

/** What to do when a hook could not answer. `ask`: a person decides. */
export type OnFailure = 'ask' | 'block' | 'continue';

export type Handler =
  /** Without `args` the command goes to a shell; with `args` it is an executable and no shell is involved. */
  | {
      readonly type: 'command';
      readonly command: string;
      readonly args?: readonly string[];
      readonly shell: 'bash' | 'powershell';
    }
  | {
      readonly type: 'http';
      readonly url: string;
      /** Values may name variables, of which only `allowedEnvVars` are filled in. */
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
      /** What those who may restrict http hooks say of the URL; undefined: nothing. */
      readonly reach?: 'listed' | 'refused';
    }
  /** A handler type that is known or not, but not run here: on a gate event it counts as failed. */
  | { readonly type: 'unsupported'; readonly name: string };

/** Scopes in the order of their authority, the highest first. */
export const HOOK_SCOPES = ['managed', 'command-line', 'user', 'local', 'project'] as const;
export type HookScope = (typeof HOOK_SCOPES)[number];

export interface HookSource {
  /** An absolute path, or the name of a flag. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly scope: HookScope;
  /** `claude`: the file is one that Claude Code reads too. */
  readonly dialect: 'hookd' | 'claude';
}

export interface Hook {
  readonly event: HookEvent;
  /** As written; undefined matches all. */
  readonly matcher: string | undefined;
  readonly handler: Handler;
  /** undefined: the default of the event. */
  readonly timeoutMs: number | undefined;
  /** A permission rule that the call must fit, as written. */
  readonly condition: string | undefined;
  /** Not awaited; its verdict does not count. */
  readonly isAsync: boolean;
  /** undefined: the default of the event. */
  readonly onFailure: OnFailure | undefined;
  readonly statusMessage: string | undefined;
  readonly source: HookSource;
}

/** All hooks in force in configured order: by authority, then file order. Frozen; one object a settings snapshot. */
export interface HooksInForce {
  readonly hooks: readonly Hook[];
}

/** How one run ended; for http: `exited(0)` is a 2xx answer, `notStarted` everything that is none. */
export interface HookRun {
  readonly hook: Hook;
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
  /** More than the cap was written: the run ended as failed. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Processes of its group that still ran when it had exited; null where that cannot be told. */
  readonly survivors: number | null;
}

/**
 * What one run said. `block` is a denial on gate events and "not so" on the others (feedback on PostToolUse, go on
 * working on Stop). Verdict `none`: no opinion.
 */
export interface HookOutcome {
  readonly verdict: 'block' | 'ask' | 'allow' | 'none';
  /** For people and the model; always there on `block` and `ask`. */
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedToolOutput?: unknown;
  readonly additionalContext?: string;
  readonly systemMessage?: string;
  /** `continue: false`: the turn ends. */
  readonly stop?: { readonly reason?: string };
  /** PermissionRequest `interrupt: true`. */
  readonly interrupt?: boolean;
  /** The run could not answer, and what `onFailure` made of it. */
  readonly failure?: { readonly what: string; readonly became: OnFailure };
  /** What the user should know: an answer that was ignored or only half understood. */
  readonly warnings: readonly string[];
}

/** A hook's name for people and records. */
export function hookRef({ event, handler, source }: Hook): HookRef {
  const name =
    handler.type === 'command'
      ? [handler.command, ...(handler.args ?? [])].join(' ')
      : handler.type === 'http'
        ? handler.url
        : handler.name;
  return { event, name, file: source.file, line: source.line };
}
