/** What would have to change for another answer. Nothing is proposed that was not tried: the decision is made again with it. */
import type { Behavior, Decision, PermissionMode, RuleSource } from '../core/vocabulary.ts';
import { candidatesFor, type Width } from './candidate-rules.ts';
import { decide, explain, type HookedQuestion } from './decide.ts';
import { BUILTIN_DENIAL_NAMES } from './guards/builtin.ts';
import { parseRule, type Rule } from './rule.ts';
import { compileList, type RuleSet } from './rule-set.ts';

export type Change =
  | { readonly kind: 'add'; readonly list: Behavior; readonly text: string }
  | { readonly kind: 'remove'; readonly rule: RuleSource }
  /** A built-in deny, by its name. */
  | { readonly kind: 'switch-off'; readonly name: string }
  | { readonly kind: 'mode'; readonly mode: PermissionMode };

/** All changes together lead to the decision. */
export interface Alternative {
  readonly changes: readonly Change[];
  readonly decision: Decision;
}

export interface Proposals {
  readonly question: HookedQuestion;
  /** As they were written: what `permissions.rules` of the question was compiled from. */
  readonly rules: readonly Rule[];
  /** The file that rules would be added to, and where its `/p` patterns begin. */
  readonly file: string;
  readonly root: string;
}

interface State {
  readonly rules: readonly Rule[];
  /** The same, compiled. */
  readonly compiled: RuleSet;
  readonly mode: PermissionMode;
  readonly disabled: ReadonlySet<string>;
}

const RANK: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };
const MOST_CHANGES = 20;

/** What people mean first: of a command what is like it, of a file that file. */
const BY_COMMAND: readonly Width[] = ['wide', 'narrow'];
const BY_PATH: readonly Width[] = ['narrow', 'wide'];

export interface Outlook {
  /** Less strict answers first. */
  readonly alternatives: readonly Alternative[];
  /** Where nothing makes the answer less strict: how far one gets, and what still stands in the way then. */
  readonly deadEnd: Alternative | undefined;
}

export function outlookOf(proposals: Proposals): Outlook {
  const { permissions } = proposals.question;
  const start: State = {
    rules: proposals.rules,
    compiled: permissions.rules,
    mode: permissions.mode,
    disabled: permissions.disabledBuiltins,
  };
  const now = decideIn(proposals, start);
  const widths = proposals.question.call.specifier.kind === 'path' ? BY_PATH : BY_COMMAND;
  const tried = [
    ...(now.behavior === 'deny' ? [loosened(proposals, start, 'ask', 'narrow')] : []),
    ...widths.flatMap((width) =>
      now.behavior === 'allow' ? [] : [loosened(proposals, start, 'allow', width)],
    ),
  ];
  const looser = [
    ...tried.filter(({ isReached }) => isReached).map(({ changes, decision }) => ({ changes, decision })),
    ...otherModes(proposals, start, now, ['default', 'acceptEdits']),
  ];
  const lifted = looser.length > 0 ? looser : otherModes(proposals, start, now, ['bypassPermissions']);
  const stricter = (['ask', 'deny'] as const)
    .filter((goal) => RANK[goal] > RANK[now.behavior])
    .flatMap((goal) => tightened(proposals, start, goal) ?? []);
  return {
    alternatives: withoutRepetition([...lifted, ...stricter]),
    deadEnd: lifted.length > 0 ? undefined : tried.find(({ changes }) => changes.length > 0),
  };
}

function decideIn({ question }: Proposals, state: State): Decision {
  return decide(questionIn(question, state));
}

function questionIn(question: HookedQuestion, { compiled, mode, disabled }: State): HookedQuestion {
  const permissions = {
    ...question.permissions,
    ...{ rules: compiled, mode, disabledBuiltins: disabled },
  };
  return { ...question, permissions };
}

interface Attempt extends Alternative {
  /** It leads to the goal, and not only to the next thing that stands in the way. */
  readonly isReached: boolean;
}

/** Takes away what stands in the way, one thing after another, and adds what is missing. */
function loosened(proposals: Proposals, start: State, goal: 'ask' | 'allow', width: Width): Attempt {
  let state = start;
  let changes: readonly Change[] = [];
  for (;;) {
    const decision = decideIn(proposals, state);
    if (RANK[decision.behavior] <= RANK[goal])
      return { ...needed(proposals, start, changes, decision), isReached: true };
    const next = nextChanges(proposals, state, decision, goal, width);
    if (next.length === 0 || changes.length > MOST_CHANGES) return { changes, decision, isReached: false };
    changes = [...changes, ...next];
    state = next.reduce((before, change) => changed(proposals, before, change), state);
  }
}

function nextChanges(
  proposals: Proposals,
  state: State,
  { behavior, cause }: Decision,
  goal: 'ask' | 'allow',
  width: Width,
): readonly Change[] {
  // In mode dontAsk an ask is a deny, with the cause of the ask.
  const isUnasked = behavior === 'deny' && state.mode === 'dontAsk';
  if (isUnasked && goal === 'ask' && !(cause.kind === 'rule' && cause.rule.list === 'deny')) {
    const mode: Change = { kind: 'mode', mode: 'default' };
    if (decideIn(proposals, changed(proposals, state, mode)).behavior !== 'deny') return [mode];
  }
  // There no rule allows what does more than read.
  if (state.mode === 'plan' && cause.kind === 'mode') return [{ kind: 'mode', mode: 'default' }];
  if (cause.kind === 'rule') return [{ kind: 'remove', rule: cause.rule }];
  if (cause.kind === 'builtin' && behavior === 'deny' && BUILTIN_DENIAL_NAMES.includes(cause.name))
    return [{ kind: 'switch-off', name: cause.name }];
  if (behavior === 'deny' && !isUnasked) return [];
  return missingRules(proposals, state, width);
}

/** The first candidate that allows the call, or gets further: another thing is then in the way. */
function missingRules(proposals: Proposals, state: State, width: Width): readonly Change[] {
  const { question } = proposals;
  const { decision, trace } = explain(questionIn(question, state));
  for (const texts of candidatesFor(question.call, trace, question.permissions.workplace, width)) {
    const changes = texts.map((text): Change => ({ kind: 'add', list: 'allow', text }));
    const after = decideAfter(proposals, state, changes);
    if (after !== undefined && (after.behavior === 'allow' || after.reason !== decision.reason))
      return changes;
  }
  return [];
}

function decideAfter(proposals: Proposals, state: State, changes: readonly Change[]): Decision | undefined {
  const isSound = changes.every((change) => change.kind !== 'add' || parsed(proposals, change) !== undefined);
  if (!isSound) return undefined;
  return decideIn(
    proposals,
    changes.reduce((before, change) => changed(proposals, before, change), state),
  );
}

/** Without what turns out not to be needed. */
function needed(
  proposals: Proposals,
  start: State,
  changes: readonly Change[],
  decision: Decision,
): Alternative {
  for (const change of changes) {
    const fewer = changes.filter((one) => one !== change);
    const after = decideAfter(proposals, start, fewer);
    if (fewer.length > 0 && after !== undefined && RANK[after.behavior] <= RANK[decision.behavior])
      return needed(proposals, start, fewer, after);
  }
  return { changes, decision };
}

function tightened(proposals: Proposals, start: State, goal: 'ask' | 'deny'): Alternative | undefined {
  const { question } = proposals;
  const { trace } = explain(question);
  const width = question.call.specifier.kind === 'path' ? 'narrow' : 'wide';
  for (const texts of candidatesFor(question.call, trace, question.permissions.workplace, width)) {
    const [text] = texts;
    if (text === undefined) continue;
    const change: Change = { kind: 'add', list: goal, text };
    const decision = decideAfter(proposals, start, [change]);
    if (decision?.behavior === goal) return { changes: [change], decision };
  }
  return undefined;
}

function otherModes(
  proposals: Proposals,
  start: State,
  now: Decision,
  modes: readonly PermissionMode[],
): readonly Alternative[] {
  return modes
    .filter((mode) => mode !== start.mode)
    .map((mode) => {
      const change: Change = { kind: 'mode', mode };
      return { changes: [change], decision: decideIn(proposals, changed(proposals, start, change)) };
    })
    .filter(({ decision }) => RANK[decision.behavior] < RANK[now.behavior])
    .filter(({ decision }, index, all) => {
      return all.findIndex((one) => one.decision.behavior === decision.behavior) === index;
    });
}

function changed(proposals: Proposals, state: State, change: Change): State {
  switch (change.kind) {
    case 'add': {
      const rule = parsed(proposals, change);
      return rule === undefined ? state : withRules(state, [...state.rules, rule], change.list);
    }
    case 'remove':
      return withRules(
        state,
        state.rules.filter(({ source }) => source !== change.rule),
        change.rule.list,
      );
    case 'switch-off':
      return { ...state, disabled: new Set([...state.disabled, change.name]) };
    case 'mode':
      return { ...state, mode: change.mode };
  }
}

/** Only `list` differs: there may be ten thousand rules in the others. */
function withRules(state: State, rules: readonly Rule[], list: Behavior): State {
  return { ...state, rules, compiled: { ...state.compiled, [list]: compileList(rules, list) } };
}

/** Nothing that the loader would warn of. */
function parsed({ file, root }: Proposals, { text, list }: Change & { kind: 'add' }): Rule | undefined {
  const rule = parseRule(text, { text, list, file, line: 0, column: 0 }, root);
  return rule.ok && rule.warning === undefined ? rule.rule : undefined;
}

function withoutRepetition(found: readonly Alternative[]): readonly Alternative[] {
  const key = ({ changes }: Alternative): string => JSON.stringify(changes);
  return found.filter((one, index) => found.findIndex((other) => key(other) === key(one)) === index);
}
