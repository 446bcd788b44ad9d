/** What the loader of settings finds wrong with hooks, in the words of lint. */
import type { Finding } from '../hooks/lint.ts';
import { isError, type SettingsProblem } from '../settings/problem.ts';

/** What keeps the whole file out of force concerns its hooks too. */
export function isAboutHooks(problem: SettingsProblem): boolean {
  return isError(problem) || /^(?:hooks\b|disableAllHooks$)/.test(problem.key);
}

export function ofProblem(problem: SettingsProblem): Finding {
  const { file, line, key, message, expected, found, nearMiss, advice } = problem;
  const facts = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(found === undefined ? [] : [`found ${found}`]),
  ].join(', ');
  const about = ABOUT.find(({ pattern }) => pattern.test(`${key}: ${message}`));
  const why = isError(problem)
    ? 'no session starts with this file'
    : (about?.why ?? 'it is not what it seems');
  const meant = nearMiss === undefined ? [] : [`Did you mean "${nearMiss}"?`];
  return {
    rule: about?.rule ?? 'settings',
    file,
    line,
    what: `${key === '' ? '' : `${key}: `}${message}${facts === '' ? '' : ` (${facts})`}`,
    why,
    fix: [...meant, ...(advice === undefined ? [] : [advice])].join(' ') || (about?.fix ?? 'Correct it.'),
  };
}

/** The loader's words for what lint has names for. */
const ABOUT = [
  {
    rule: 'field-in-wrong-place',
    pattern: /: it belongs (?:into each hook|beside "hooks")/,
    why: 'it has no effect there, as in Claude Code',
    fix: 'Move it.',
  },
  {
    rule: 'rule-as-matcher',
    pattern: /\.matcher: .*permission rule/,
    why: 'a matcher is compared with the name of the tool alone: the hook never runs',
    fix: 'Write the tool’s name as "matcher", and the rule as "if" beside "command".',
  },
  {
    rule: 'dead-matcher',
    pattern: /\.matcher: .* here(?:$| \()/,
    why: 'the hook never runs',
    fix: 'Write one of these, or leave the matcher out; what is meant for Claude Code alone may stay.',
  },
  {
    rule: 'dead-matcher',
    pattern: /\.matcher: /,
    why: 'the hook never runs',
    fix: 'Write a tool’s name (case counts), several as Edit|Write, or leave the matcher out.',
  },
  {
    rule: 'dead-condition',
    pattern: /\.if: /,
    why: 'the hook never runs',
    fix: 'Write one permission rule, like Bash(git push *), on an event that is about a tool call.',
  },
  {
    rule: 'event-never-fires',
    pattern: /never fires/,
    why: 'the hook never runs',
    fix: 'Use one of the events of hookd (docs/hooks.md), or leave it for Claude Code.',
  },
  {
    rule: 'unsupported',
    pattern: /not supported/,
    why: 'hookd does not do this',
    fix: 'Use a hook of type command or http.',
  },
] as const;
