/** What is probably wrong with the text of a hook's program. Pure, and a guess: it reads words, it does not run them. */
import { isAbsolute } from 'node:path';
import { eventRow, type HookEvent } from './events.ts';
import type { OnFailure } from './hook.ts';
import type { Finding } from './lint.ts';
import { keysInTheWrongPlace } from './lint-answer-keys.ts';

export interface ScriptInHand {
  readonly file: string;
  readonly text: string;
  /** What the first line of `text` is in `file`: a command that stands in settings has a line of its own. */
  readonly firstLine: number;
  /** Every line is that one: the text stands in one JSON string. */
  readonly isInSettings: boolean;
  /** Its first line says what it is run by. */
  readonly isStartedItself: boolean;
  /** Whose hook it is; empty where that is not known. */
  readonly uses: readonly { readonly event: HookEvent; readonly onFailure: OnFailure | undefined }[];
  /** Whether a program of this name or path could be started. */
  readonly canStart: (program: string) => boolean;
}

export type Found = Omit<Finding, 'file' | 'line'> & { readonly at: number };

export function lintScript(script: ScriptInHand): readonly Finding[] {
  const { file, text, firstLine, isInSettings } = script;
  const code = { ...script, text: withoutComments(text) };
  const found = [
    ...(script.isStartedItself ? firstLineFaults(script) : []),
    ...keysInTheWrongPlace(code),
    ...namesOfOtherEvents(code),
    ...exitCodes(code),
  ];
  return found.map(({ at, ...finding }) => ({
    ...finding,
    file,
    line: isInSettings ? firstLine : firstLine + text.slice(0, at).split('\n').length - 1,
  }));
}

/** Comments of whole lines only, blanked so that places stay. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:#|\/\/).*$/gm, (line) => ' '.repeat(line.length));
}

function firstLineFaults({ text, file, canStart }: ScriptInHand): readonly Found[] {
  if (/^\ufeff#!/.test(text))
    return [
      {
        rule: 'bom-before-shebang',
        at: 0,
        what: 'a byte order mark stands before #!',
        why: 'the system does not see the #! then, and a shell reads the file',
        fix: 'Save it as UTF-8 without a mark.',
      },
    ];
  const [, line] = /^#![ \t]*([^\n]*)/.exec(text) ?? [];
  if (line === undefined) {
    if (!/\.(?:py|js|mjs|cjs|ts|pl|rb|php)$/.test(file)) return [];
    return [
      {
        rule: 'no-shebang',
        at: 0,
        what: 'the first line does not say what the program is run by',
        why: 'a shell reads it, and fails or does something else',
        fix: 'Begin it with a line like #!/usr/bin/env python3.',
      },
    ];
  }
  if (line.endsWith('\r'))
    return [
      {
        rule: 'crlf-shebang',
        at: 0,
        what: 'the #! line ends with CR LF',
        why: 'the system looks for an interpreter whose name ends with a carriage return: code 127',
        fix: `Save it with LF line ends: sed -i 's/\\r$//' ${JSON.stringify(file)}`,
      },
    ];
  const interpreter = interpreterOf(line.trim());
  if (interpreter === undefined || canStart(interpreter)) return [];
  return [
    {
      rule: 'missing-interpreter',
      at: 0,
      what: `its interpreter ${interpreter} is not there`,
      why: 'it cannot start: code 126 or 127',
      fix: isAbsolute(interpreter) ? 'Install it, or write #!/usr/bin/env NAME.' : 'Install it.',
    },
  ];
}

/** `/usr/bin/env -S python3 -u` is about python3. */
function interpreterOf(line: string): string | undefined {
  const [program, ...words] = line.split(/\s+/);
  if (program === undefined || !/(?:^|\/)env$/.test(program)) return program;
  return words.find((word) => !word.startsWith('-') && !word.includes('='));
}

function namesOfOtherEvents({ text, uses }: ScriptInHand): readonly Found[] {
  const named = [...text.matchAll(/hookEventName\\?["']?\s*(?::|=>|=)\s*\\?["'](\w+)/g)];
  const events = new Set<string>(uses.map(({ event }) => event));
  const [first] = named;
  if (first === undefined || events.size === 0 || named.some(([, event = '']) => events.has(event)))
    return [];
  return [
    {
      rule: 'other-event-name',
      at: first.index,
      what: `"hookEventName" is "${first[1]}", and the hook is one of ${[...events].join(', ')}`,
      why: 'an answer for another event does not fit: the run counts as failed',
      fix: 'Write the name of the event, or take it from the payload’s hook_event_name.',
    },
  ];
}

const EXIT_1 =
  /\bexit\s*\(?\s*1\b|\bexitCode\s*=\s*1\b|\bsys\.exit\(\s*f?["']|\bSystemExit\(\s*(?:1\b|f?["'])/;
const EXIT_2 = /\bexit\s*\(?\s*2\b|\bexitCode\s*=\s*2\b|\bSystemExit\(\s*2\b/;
/** A code that is worked out; a decision that is printed. */
const OTHERWISE =
  /\bexit\s*\(?\s*["']?\$|\bexit\(\s*[A-Za-z_][\w.]*\s*[),?]|\bexitCode\s*=\s*[A-Za-z_(]|\bSystemExit\(\s*[A-Za-z_]\w*\s*\)|hookSpecificOutput|permissionDecision|\\?["'](?:decision|continue)\\?["']/;

function exitCodes({ text, uses }: ScriptInHand): readonly Found[] {
  const guards = uses.filter(({ event, onFailure }) => eventRow(event).isGate && onFailure !== 'block');
  const refusing = guards.find(
    ({ event, onFailure }) => eventRow(event).exit2 !== 'nothing' && onFailure !== 'ask',
  );
  const one = EXIT_1.exec(text);
  const two = EXIT_2.exec(text);
  const deaf = guards.find(({ event }) => eventRow(event).exit2 === 'nothing');
  if (refusing !== undefined && one !== null && two === null && !OTHERWISE.test(text))
    return [
      {
        rule: 'exit-1-blocks-nothing',
        at: one.index,
        what: `it exits with 1, never with 2, and prints no decision, on ${refusing.event}`,
        why: 'exit code 1 refuses nothing: what was to be stopped goes on, with a warning',
        fix: 'Exit with 2 to refuse, or set "onFailure": "block" (or "ask").',
      },
    ];
  if (deaf !== undefined && refusing === undefined && two !== null && !OTHERWISE.test(text))
    return [
      {
        rule: 'exit-2-without-effect',
        at: two.index,
        what: `it exits with 2 and prints no decision, on ${deaf.event}`,
        why: `exit codes have no effect on ${deaf.event}`,
        fix: `Print {"hookSpecificOutput": {"hookEventName": "${deaf.event}", "decision": {"behavior": "deny"}}}.`,
      },
    ];
  return [];
}
