/** What a running tool is given, and what it answers. */
import type { JsonObject, StartedProcess, ToolCall, ToolUse, Workplace } from '../core/vocabulary.ts';
import type { SeenFiles } from './seen-files.ts';
import type { SessionOutputs, WholeOutput } from './whole-output.ts';

/** What a running tool is given. */
export interface RunContext {
  readonly workplace: Workplace;
  /** Names that a list of files leaves out: a deny rule covers reading them. */
  readonly hides?: (path: string) => boolean;
  /** The environment of child processes: secrets and loader variables are already gone. */
  readonly env: Readonly<Record<string, string>>;
  /** The file that runs commands; absent: the bash on the PATH of `env`. */
  readonly bash?: (() => string) | undefined;
  /** What this session last saw of each file. */
  readonly seen: SeenFiles;
  /** The links-resolved path that was judged (path tools). What is opened must be this file, else the tool fails. */
  readonly target: string | undefined;
  /** Aborted on an interrupt: the tool stops what it started and returns. */
  readonly signal: AbortSignal;
  /** Puts a started child process on record, so that a crash leaves no unknown process. Throws when it cannot be recorded: the child must then be ended. */
  readonly started: (process: StartedProcess) => unknown;
  /** Shows those who watch what is printed, as it comes. */
  readonly show?: ((text: string) => void) | undefined;
  /** Keeps an output whole, once it is longer than what is shown of it. */
  readonly keepWhole?: ((shownCharacters: number) => WholeOutput) | undefined;
}

/** `text` is what the model reads. `ok: false` is an expected failure; a throw is a fault and reaches the model too. */
export interface RunOutcome {
  readonly ok: boolean;
  readonly text: string;
  /** What hooks get as `tool_response`. */
  readonly response?: JsonObject;
}

export const succeeded = (text: string, response?: JsonObject): RunOutcome =>
  response === undefined ? { ok: true, text } : { ok: true, text, response };
export const failed = (text: string): RunOutcome => ({ ok: false, text });

/** What a call does with what it prints, in this session. */
export function outputOf(
  { id, tool, input }: ToolCall,
  toolbox: {
    readonly outputs?: SessionOutputs | undefined;
    readonly show?: ((use: ToolUse, text: string) => void) | undefined;
  },
): Pick<RunContext, 'show' | 'keepWhole'> {
  const { outputs, show } = toolbox;
  const use = { id, name: tool.name, input };
  return {
    show: (text) => show?.(use, text),
    keepWhole: outputs && ((shownCharacters) => outputs.start(id, shownCharacters)),
  };
}
