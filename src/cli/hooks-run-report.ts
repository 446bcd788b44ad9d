/** What `hookd hooks run` shows of a trial: each run, then what all of them amount to. */
import type { Trial, TrialRun } from '../daemon/hook-trial.ts';
import { eventRow } from '../hooks/events.ts';
import { hookRef } from '../hooks/hook.ts';
import { wrapped } from './columns.ts';
import { shortPath } from './hooks-settings.ts';
import { oneLine, printable } from './output.ts';

/** Of what a hook wrote. */
const MOST_LINES = 20;
const LONGEST = 2000;

export function trialObject(trial: Trial): object {
  const { event, session, subject, call, runs, skipped, rewrites, played, ruling } = trial;
  const { rejected: _, ...result } = played;
  return {
    event,
    session,
    subject: subject ?? null,
    ...(call === undefined ? {} : { tool: call.tool.name, input: call.input }),
    runs: runs.map(({ round, run, outcome }) => ({
      ...hookRef(run.hook),
      round: run.hook.isAsync ? null : round,
      async: run.hook.isAsync,
      end: run.end,
      durationMs: Math.round(run.durationMs),
      stdout: run.stdout.slice(0, LONGEST),
      stderr: run.stderr.slice(0, LONGEST),
      truncated: run.truncated || run.stdout.length > LONGEST || run.stderr.length > LONGEST,
      survivors: run.survivors,
      outcome,
    })),
    notRun: skipped.map(({ hook, why }) => ({ ...hookRef(hook), why })),
    rewrites: rewrites.map(({ by, before, after }) => ({ by, before, after })),
    result: { ...result, words: resultWords(trial) },
    ...(ruling === undefined ? {} : { rules: ruling }),
  };
}

export function trialLines(trial: Trial, auditFile: string): readonly string[] {
  const { event, subject, call, runs, skipped, played, ruling, workplace } = trial;
  const about = call === undefined ? (subject ?? '') : `${call.tool.name} ${JSON.stringify(call.input)}`;
  const rounds = [...new Set(runs.filter(({ run }) => !run.hook.isAsync).map(({ round }) => round))];
  return [
    `${event}  ${oneLine(about, 200)}`.trimEnd(),
    ...(runs.length === 0
      ? ['', 'No hook in force is for this.']
      : wrapped(
          'These hooks ran for real, as commands of yours, and are on record; no tool ran and no model was asked.',
          '',
        )),
    ...rounds.flatMap((round, index) => roundLines(trial, round, index, rounds.length)),
    ...runs.filter(({ run }) => run.hook.isAsync).flatMap((one) => runLines(one, workplace)),
    ...skipped.flatMap(({ hook, why }) =>
      wrapped(
        `not run: ${oneLine(hookRef(hook).name, 200)} (${shortPath(hook.source.file, workplace)}:${hook.source.line}): ${why}`,
        '  ',
        '',
      ),
    ),
    '',
    ...resultWords(trial).flatMap((line, index) =>
      paragraph(line, index === 0 ? 'RESULT  ' : '        ', '        '),
    ),
    ...played.context.flatMap(({ text }) =>
      paragraph(`The model also reads: ${text}`, '        ', '        '),
    ),
    // That they ask because a hook does is said already.
    ...(ruling === undefined || ruling.cause.kind === 'hook'
      ? []
      : paragraph(`Your rules then: ${ruling.behavior}. ${ruling.reason}`, 'RULES   ', '        ')),
    `audit: ${auditFile}`,
  ].map(printable);
}

function roundLines(trial: Trial, round: number, index: number, count: number): readonly string[] {
  const runs = trial.runs.filter(({ run, round: its }) => its === round && !run.hook.isAsync);
  const rewrite = trial.rewrites[index];
  return [
    ...(count > 1 || rewrite !== undefined ? ['', `Round ${index + 1}`] : []),
    ...runs.flatMap((one) => runLines(one, trial.workplace)),
    ...(rewrite === undefined
      ? []
      : paragraph(
          `The input is now ${JSON.stringify(rewrite.after)} (${rewrite.by.name})${index + 1 < count ? '; the others judge it again.' : '.'}`,
          '  → ',
          '    ',
        )),
  ];
}

function runLines({ run, outcome }: TrialRun, place: Trial['workplace']): readonly string[] {
  const { name, file, line } = hookRef(run.hook);
  const time =
    run.durationMs < 10_000 ? `${Math.round(run.durationMs)} ms` : `${(run.durationMs / 1000).toFixed(1)} s`;
  const facts = [
    endWords(run),
    time,
    ...(run.hook.isAsync ? ['async: nobody waits for it, its verdict does not count'] : []),
    ...(run.truncated ? ['it wrote more than a hook may'] : []),
    ...(run.survivors ? [`${run.survivors} processes of it still run`] : []),
  ].join(' · ');
  return [
    '',
    ...wrapped(oneLine(name, 400), '  ', '● '),
    ...wrapped(`${shortPath(file, place)}:${line}`, '  '),
    ...wrapped(facts, '  '),
    ...outputLines('stdout', run.stdout),
    ...outputLines('stderr', run.stderr),
    ...outcomeWords(outcome).flatMap((words) => paragraph(words, '  = ', '    ')),
  ];
}

function endWords({ end }: TrialRun['run']): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${end.code}`;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'timedOut':
      return 'timed out';
    case 'interrupted':
      return 'interrupted';
    case 'notStarted':
      return `not started: ${end.message}`;
  }
}

function outputLines(name: string, text: string): readonly string[] {
  const trimmed = text.trimEnd();
  if (trimmed === '') return [];
  const lines = trimmed.slice(0, LONGEST).split('\n');
  const shown = lines.slice(0, MOST_LINES);
  const isCut = lines.length > MOST_LINES || trimmed.length > LONGEST;
  return [...shown, ...(isCut ? [`… (${text.length} characters in all)`] : [])].map(
    (line) => `  ${name} | ${line}`,
  );
}

const VERDICTS = { block: 'refuses', ask: 'wants a person to decide', allow: 'allows', none: 'no opinion' };

function outcomeWords(outcome: TrialRun['outcome']): readonly string[] {
  const { verdict, reason, failure, updatedInput, updatedToolOutput, additionalContext } = outcome;
  const { systemMessage, stop, interrupt, warnings } = outcome;
  return [
    ...(failure === undefined ? [] : [`could not answer (${failure.what}); onFailure: ${failure.became}`]),
    `${VERDICTS[verdict]}${reason ? `: ${reason}` : ''}`,
    ...(updatedInput === undefined ? [] : [`rewrites the input: ${JSON.stringify(updatedInput)}`]),
    ...(updatedToolOutput === undefined ? [] : ['replaces what the model is shown']),
    ...(additionalContext === undefined ? [] : [`gives context: ${oneLine(additionalContext, 300)}`]),
    ...(systemMessage === undefined ? [] : [`tells the user: ${oneLine(systemMessage, 300)}`]),
    ...(stop === undefined ? [] : [`ends the turn${stop.reason ? `: ${stop.reason}` : ''}`]),
    ...(interrupt ? ['ends the turn as failed'] : []),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}

/** The merged result, in words. */
function resultWords({ event, played }: Trial): readonly string[] {
  const { verdict, reason, stop, input, output, variables } = played;
  const names = Object.keys(variables);
  return [
    `${merged(event, verdict)}${reason ? ` ${reason}` : ''}`,
    ...(stop === undefined || event === 'PreToolUse'
      ? []
      : [`The turn ends.${stop.reason ? ` ${stop.reason}` : ''}`]),
    ...(stop !== undefined && event === 'PreToolUse' ? ['And the turn ends.'] : []),
    ...(input === undefined ? [] : [`The input is then ${JSON.stringify(input)}`]),
    ...(output === undefined ? [] : [`The model is shown instead: ${output}`]),
    ...(names.length === 0 ? [] : [`Later Bash calls get ${names.join(', ')}.`]),
  ];
}

function merged(event: Trial['event'], verdict: Trial['played']['verdict']): string {
  if (verdict === 'none') return 'no opinion.';
  if (verdict === 'allow')
    return event === 'PermissionRequest'
      ? 'allowed in the person’s place.'
      : 'allowed, as far as no deny rule, ask rule or protected path says otherwise.';
  if (verdict === 'ask') return 'a person is asked; where there is none, it is refused.';
  switch (eventRow(event).exit2) {
    case 'deny':
      return 'denied: the call does not run.';
    case 'block':
      return 'refused: what was about to happen does not.';
    case 'feedback':
      return 'told to the model; what happened stays.';
    case 'stop':
      return 'the turn ends.';
    case 'goOn':
      return 'sent on: the model works on, with this message.';
    case 'nothing':
      return event === 'PermissionRequest'
        ? 'denied in the person’s place.'
        : 'without effect on this event.';
  }
}

/** Wrapped line by line: a hook's own line ends are kept. */
function paragraph(text: string, first: string, margin: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line, index) => wrapped(line, margin, index === 0 ? first : margin));
}
