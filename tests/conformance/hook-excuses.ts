/**
 * Why a case does not agree: a difference on purpose (with its number in the list of differences, where it has one), or
 * something that is not supported. A case without an entry must agree.
 */

export interface Excuse {
  readonly kind: 'on purpose' | 'not supported';
  readonly why: string;
  /** hookd does not start with such a flag or file. Without this a run that fails is not excused. */
  readonly refusesStart?: true;
}

const purpose = (why: string): Excuse => ({ kind: 'on purpose', why });
const unsupported = (why: string): Excuse => ({ kind: 'not supported', why });
const refused = (excuse: Excuse): Excuse => ({ ...excuse, refusesStart: true });

// 1: a gate that could not answer has not said yes
const exit126 = purpose('1: exit code 126 or 127 of a guard asks; it does not let the call run');
const signalled = purpose('1: a guard that a signal ended asks; it does not let the call run');
const timedOut = purpose('1: a guard whose time was up asks; it does not let the call run');
const unusable = purpose('1: an answer that does not fit asks; it does not let the call run');
const unfitDenial = purpose('1: a denial counts, although another field of the answer does not fit');
const noServer = purpose('1: an http guard without a 2xx answer, or with an unusable one, asks');
// 4, 5, 6, 8, 19
const mixed = purpose('4: a denial counts, although other text stands around it');
const stops = purpose('5: continue:false keeps the call from running, and all after it in the turn');
const refusedFile = refused(purpose('6: a settings file with this fault is refused at the start'));
const race = purpose('19: all PermissionRequest hooks are awaited, the strictest wins');
// without a number
const grace = purpose('async hooks get two seconds at the end of a session; there they are killed at once');

const subagent = unsupported('subagents (the tool Agent)');
const streamInput = refused(unsupported('stream-json input, and /compact in it'));
const autoMode = refused(unsupported('auto mode'));
const mcp = refused(unsupported('MCP'));
const defer = unsupported('defer as such: it counts as ask');

export const EXCUSES: Readonly<Record<string, Excuse>> = {
  // events and payloads
  ev1: purpose('Glob is one of the five tools here (t5); that build does not offer it'),
  's-subagent': subagent,
  's-subagent-bg': subagent,
  's-substop-block': subagent,
  's-sub-pretool-deny': subagent,
  's-substart-exit2': subagent,
  'c-compact': streamInput,
  'c-compact-block': streamInput,
  'setup-init': refused(unsupported('--init and the event Setup')),
  'setup-exit2': refused(unsupported('--init and the event Setup')),
  'wt-create': refused(unsupported('worktrees')),
  'pd-auto': autoMode,
  'ups-multi-turn': streamInput,
  'tn-bashbg': unsupported('run_in_background'),
  'y-pd-auto': autoMode,
  'y-pd-retry': autoMode,

  // exit codes and onFailure
  'pre-exit-126': exit126,
  'pre-exit-127': exit126,
  'pre-exit-kill9': signalled,
  'pre-exit-term': signalled,
  'onfail-val-ignore': refusedFile,
  'onfail-ev-PreCompact': streamInput,
  'onfail-ev-SubagentStop': subagent,
  'onfail-ev-ConfigChange': unsupported(
    'ConfigChange hooks that refuse a change: it is in force at once, and they are told',
  ),

  // answers on stdout
  'j-deny-noevent': unfitDenial,
  'j-legacy-deny': unfitDenial,
  'j-continue-false': stops,
  'j-continue-false-nors': stops,
  'j-upd-string': unusable,
  'j-textafter': mixed,
  'j-textafter-nl': mixed,
  'j-array': mixed,
  'j-nul': unusable,
  'ups-badschema': purpose('1: an answer that does not fit asks about the prompt too, and nobody is there'),
  'pt-updmcp': mcp,
  'pr-two-slowdeny': race,
  'xj-pre-1-allow': purpose('3: an allow needs exit 0'),
  'xj-onfail-textbefore': mixed,
  'z-onfail-textafter': mixed,
  'y-reason-num': unfitDenial,
  'pr-three-order': race,
  'pr-fast-deny-late-side': race,

  // several hooks, matchers
  'm-upd-2-slowfirst': purpose('2: the last rewrite in configured order counts, not the last to finish'),
  'm-contfalse-ran': stops,
  'm-prec-defer-allow': defer,
  'm-prec-defer-ask': defer,
  'm-contfalse-plus-slow': stops,
  'mt-all': mcp,
  'mt-type-num': refusedFile,
  'mt-type-nul': refusedFile,
  'mt-type-arr': refusedFile,

  // handler fields, processes, environment
  'p-timeout-tree-setsid': timedOut,
  'p-timeout-trapterm': timedOut,
  'p-timeout-ignoreterm': timedOut,
  'p-timeout-withjson': purpose('1: what a guard refused before its time was up counts'),
  'p-timeout-frac': timedOut,
  'p-timeout-neg': refusedFile,
  'p-timeout-str': refusedFile,
  'p-shell-pwsh': purpose('1: a guard that cannot start (there is no PowerShell) asks'),
  'p-notexec': exit126,
  'p-crlf': exit126,
  'p-async': grace,
  'p-async-json-first': unsupported('{"async":true} on stdout: such a hook is awaited, with a warning'),
  'a-async-killed-at-exit': grace,
  'h-403': noServer,
  'h-badjson': noServer,
  'h-refused': noServer,
  'h-contfalse': stops,
  'pm-prompt-no': unsupported('handlers of type prompt: on a gate they count as failed'),
  'kt-post-times': timedOut,
  'once-frontmatter': refused(unsupported('the tool Skill, and hooks in its front matter')),
  'y-plugin-hooks': refused(unsupported('plugins')),
  'z-subdir-cwd-git': purpose('17: the project’s settings count in its subdirectories too'),

  // permissions
  'x-bypass-protected': purpose('10: a change of settings asks in bypass mode too'),
  'x-order-denytool': purpose(
    'a rule that denies a whole tool refuses its calls, after the hooks; the tool stays',
  ),
  'x-untrusted': purpose('9: hooks of a project that is not trusted do not run'),
  'z-pr-persist': unsupported('updatedPermissions'),

  // settings
  'inv-timeoutneg': refusedFile,
  'inv-timeout0': refusedFile,
  'inv-timeoutstr': refusedFile,
  'inv-nocommand': refusedFile,
  'inv-typeunknown': purpose(
    '6: the file counts; the handler of an unknown type counts as failed, so the gate asks',
  ),
  'inv-cmdnum': refusedFile,
  'inv-asyncstr': refusedFile,
  'inv-hooksarray': refusedFile,
  'inv-jsoncomment': refusedFile,
  'inv-onfail-allow': refusedFile,
  'inv-onfail-ignore': refusedFile,
  'inv-onfail-warn': refusedFile,
  'inv-onfail-proceed': refusedFile,
  'vis-invalid-json': refusedFile,
  'vis-invalid-flag': refusedFile,
  'vis-syntax': refusedFile,
  'y-vis-127-json': exit126,
  'y-vis-timeout-text': timedOut,
  'r-reload-nogap': purpose('7: a saved deny counts for the very next call'),
  'r-reload-gap1s': purpose('7: a saved deny counts for the very next call'),
  'r-hookchange-block': purpose(
    '7: a saved deny counts at once, also when a ConfigChange hook refuses the rest of the change',
  ),
  'r-settings-deleted-long': purpose(
    '10: a project file that changes or goes while a call runs loosens nothing until a person accepts it',
  ),
  'r-reload-broken': purpose('6: when a file breaks, its last good content stays in force'),
  'tx-defer': defer,
  'sec-dup-timeout': purpose('8: a project cannot disarm its user’s hook by repeating it'),
  'sec-disable': purpose('8: a project cannot switch its user’s hooks off'),
  'sec-agent-edits-settings': purpose('10: a change of settings asks in bypass mode too'),

  // several tools, bad input
  't-multi-contfalse': stops,
  'u-lowercase': purpose('20: the name bash means the tool Bash'),
  'u-deferred': unsupported('web tools'),
  'u-editnomatch': purpose('21: what the tool itself objects to is found at the run, after rules and hooks'),
  'u-strnum': purpose('a number in quotes is refused with a reason, not converted'),
};

export type Verdict = 'agree' | 'wrong' | Excuse['kind'];

/** What becomes of the differences of one case. */
export function verdictOn(id: string, differences: readonly string[]): Verdict {
  if (differences.length === 0) return 'agree';
  const excuse = EXCUSES[id];
  const failed = differences.some((difference) => difference.startsWith('exit_code'));
  return excuse === undefined || (failed && excuse.refusesStart !== true) ? 'wrong' : excuse.kind;
}
