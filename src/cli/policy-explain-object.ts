/** `hookd policy explain --json`: the fields are documented in docs/cli.md. */
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import type { Alternative, Change } from '../permissions/alternatives.ts';
import type { RuleHit, TracedFile, TracedPart } from '../permissions/trace.ts';
import type { Explanation } from './policy-explain.ts';

export function explanationObject({ snapshot, call, decision, trace, hooks, outlook, file }: Explanation) {
  const { mode, workplace } = snapshot.permissions;
  return {
    tool: call.tool.name,
    input: call.input,
    mode,
    project: workplace.project,
    cwd: workplace.cwd,
    ...decisionObject(decision),
    target: decision.target ?? null,
    checks: trace.checks.map((check) => ({
      name: check.name,
      answer: check.decision === undefined ? null : decisionObject(check.decision),
    })),
    parts: trace.parts.map(partObject),
    whole: trace.whole === undefined || trace.whole.ok ? null : trace.whole.why,
    runs: [...new Set(trace.readings.map(({ words }) => words.join(' ')))],
    unresolved: trace.unresolved,
    files: trace.files.map(fileObject),
    hits: trace.hits.map(hitObject),
    hooks,
    alternatives: outlook.alternatives.map((one) => alternativeObject(one, file)),
    deadEnd: outlook.deadEnd === undefined ? null : alternativeObject(outlook.deadEnd, file),
    policy: snapshot.digest,
  };
}

export function decisionObject({ behavior, reason, cause }: Pick<Decision, 'behavior' | 'reason' | 'cause'>) {
  return { decision: behavior, reason, cause };
}

export function ruleObject({ text, list, file, line }: RuleSource) {
  return { list, rule: text, file, line };
}

function partObject({ command, allowance }: TracedPart) {
  const { words, redirects, assignments, cwds } = command;
  return {
    text: [...assignments, ...words].map(({ text }) => text).join(' '),
    redirects: redirects.map(({ operator, target }) => `${operator} ${target.text}`),
    cwds,
    allowed: allowance.ok,
    rule: allowance.ok && allowance.rule !== undefined ? ruleObject(allowance.rule) : null,
    why: allowance.ok ? null : allowance.why,
  };
}

function fileObject({ access, word, path, target }: TracedFile) {
  return { access, word, path, target: target ?? null };
}

function hitObject({ rule, part, path }: RuleHit) {
  return { ...ruleObject(rule), part: part ?? null, path: path ?? null };
}

function alternativeObject({ changes, decision }: Alternative, file: string) {
  return {
    decision: decision.behavior,
    // A rule that is only proposed has no place yet.
    reason: decision.cause.kind === 'rule' && decision.cause.rule.line === 0 ? null : decision.reason,
    changes: changes.map((change) => changeObject(change, file)),
  };
}

function changeObject(change: Change, file: string) {
  switch (change.kind) {
    case 'add':
      return { change: 'add', list: change.list, rule: change.text, file };
    case 'remove':
      return { change: 'remove', ...ruleObject(change.rule) };
    case 'switch-off':
      return { change: 'switch-off', name: change.name };
    case 'mode':
      return { change: 'mode', mode: change.mode };
  }
}
