/** Bash: one command, in the start directory, with the grammar that was judged. */
import { type Static, Type } from 'typebox';
import type { JsonObject } from '../core/vocabulary.ts';
import { type KeptOutput, keptText } from '../lib/kept-output.ts';
import { type ProcessResult, runProcess } from '../lib/subprocess.ts';
import { LiveOutput } from './live-output.ts';
import { failed, type RunContext, type RunOutcome, succeeded } from './run-context.ts';
import { defineTool } from './tool.ts';
import type { Kept } from './whole-output.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_CHARACTERS = 50_000;

// Fields that we do not know are let through: models send some out of habit, and they change nothing here.
const inputSchema = Type.Object({
  command: Type.String({ description: 'The command, for bash -c.' }),
  timeout: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      description: `Milliseconds, ${DEFAULT_TIMEOUT_MS} by default, at most ${MAX_TIMEOUT_MS}.`,
    }),
  ),
  description: Type.Optional(Type.String({ description: 'What the command does, in a few words.' })),
  run_in_background: Type.Optional(Type.Boolean({ description: 'Not supported: true is refused.' })),
});
type Input = Static<typeof inputSchema>;

export const bash = defineTool({
  name: 'Bash',
  aliases: { names: ['bash'] },
  description: [
    'Runs a bash command and returns what it prints, stdout and stderr together.',
    'Each call starts anew in the start directory: a cd or a variable does not last until the next call.',
    'Standard input is empty and there is no terminal, so interactive programs do not work.',
    `Of more than ${MAX_OUTPUT_CHARACTERS} characters of output the middle is left out; the result then names a file with all of it, for Read.`,
    'Prefer Read, Write, Edit and Glob for files.',
  ].join(' '),
  inputSchema,
  readOnly: false,
  specifiers: ({ command }) => ({ kind: 'command', command }),
  run: runBash,
  render: shownResponse,
});

async function runBash(input: Input, context: RunContext): Promise<RunOutcome> {
  if (input.run_in_background === true) {
    return failed(
      'Nothing was run: run_in_background is not supported. Run the command in the foreground with a sufficient timeout, or put it in the background yourself with its output in a file: command > FILE 2>&1 &',
    );
  }
  const timeoutMs = input.timeout ?? DEFAULT_TIMEOUT_MS;
  const live = new LiveOutput((text) => context.show?.(text));
  const whole = context.keepWhole?.(MAX_OUTPUT_CHARACTERS);
  let kept: Kept | undefined;
  const result = await runProcess({
    file: context.bash?.() ?? 'bash',
    args: ['-c', input.command],
    cwd: context.workplace.cwd,
    // From another name of the directory `cd ..` would lead elsewhere than was judged.
    env: { ...context.env, PWD: context.workplace.cwd },
    streams: 'merged',
    keepCharacters: MAX_OUTPUT_CHARACTERS,
    timeoutMs,
    signal: context.signal,
    onStarted: context.started,
    onOutput(chunk) {
      live.add(chunk);
      whole?.add(chunk);
    },
  }).finally(() => {
    live.finish();
    kept = whole?.finish();
  });
  const outcome = describeRun(result, timeoutMs);
  return kept === undefined ? outcome : withWholeOutput(outcome, kept);
}

/** The last line says where all of the output is, when the model was shown a part. */
function withWholeOutput(outcome: RunOutcome, kept: Kept): RunOutcome {
  const text = `${outcome.text}\n${whereKept(kept)}`;
  if (outcome.response === undefined || !('path' in kept)) return { ...outcome, text };
  const fields = { persistedOutputPath: kept.path, persistedOutputSize: kept.bytes };
  return { ...outcome, text, response: { ...outcome.response, ...fields } };
}

function whereKept(kept: Kept): string {
  if (!('path' in kept)) return `(The whole output could not be kept: ${kept.problem}.)`;
  const { path, lines, problem } = kept;
  const what = problem === undefined ? 'The whole output' : `A part of the output (${problem})`;
  return `(${what}, ${lines} lines, is in ${path}: page through it with Read, offset and limit.)`;
}

/** What the model reads about a run. How it ended comes first, where it is not cut off on a screen. */
export function describeRun(
  { end, stdout, survivors }: Pick<ProcessResult, 'end' | 'stdout' | 'survivors'>,
  timeoutMs: number,
): RunOutcome {
  const output = plainText(stdout);
  switch (end.kind) {
    case 'exited': {
      const text = shownOutput(output) + survivorsNote(survivors);
      if (end.code !== 0) return failed(`Exit code ${end.code}\n${text}`);
      return succeeded(text, responseOf(output, survivors));
    }
    case 'signalled':
      return failed(`The command was ended by ${end.signal}.\n${shownOutput(output)}`);
    case 'timedOut':
      return failed(
        `The command timed out after ${timeoutMs} milliseconds and was ended, with all that it had started. A longer timeout can be given (in milliseconds, at most ${MAX_TIMEOUT_MS}). Until then it printed:\n${shownOutput(output)}`,
      );
    case 'interrupted':
      return failed(
        `The user interrupted the command; it was ended. Until then it printed:\n${shownOutput(output)}`,
      );
    case 'notStarted':
      return failed(`The command could not be started: ${end.message}.`);
  }
}

function plainText(stdout: KeptOutput): string {
  const text = keptText(stdout);
  return text.trim() === '' ? '' : text.replace(/\n+$/, '');
}

function shownOutput(output: string): string {
  return output.trim() === '' ? '(no output)' : output;
}

/**
 * Both streams are in `stdout`: the order of their lines tells the model more than which stream they came from.
 * `survivors` is ours.
 */
function responseOf(output: string, survivors: number | null): JsonObject {
  return {
    stdout: output,
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
    ...(survivors ? { survivors } : {}),
  };
}

function shownResponse({ stdout, stderr = '', survivors }: JsonObject): string | undefined {
  if (typeof stdout !== 'string' || typeof stderr !== 'string') return undefined;
  const output = [stdout, stderr].filter((text) => text !== '').join('\n');
  return shownOutput(output) + survivorsNote(typeof survivors === 'number' ? survivors : null);
}

/** Nobody reads their output any more, which ends many a server at its next line: the model should know. */
function survivorsNote(survivors: number | null): string {
  if (survivors === null || survivors === 0) return '';
  const subject =
    survivors === 1
      ? '1 process that it started still runs'
      : `${survivors} processes that it started still run`;
  return `\n(${subject} in the background; further output is lost unless it goes to a file)`;
}
