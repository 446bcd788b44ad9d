/** The allow rule for one part of a command: as written, or for what its wrappers run. */
import type { RuleSource } from '../core/vocabulary.ts';
import { type Judged, textOf } from './command-part.ts';
import { allowsCommand, type CommandPattern, type ExactCommand, renderWord } from './command-rule.ts';
import { keysOfExact } from './rule-index.ts';
import { commandRule } from './rule-set.ts';
import type { SimpleCommand } from './shell/commands.ts';
import type { Stripped } from './shell/strip.ts';
import type { ShellWord } from './shell/word.ts';
import { isFedCode, isGivenCode, isMinded, isReadableCode } from './shell-code.ts';
import { wrapsCode } from './wrapped-part.ts';

/** Commands that change the shell or start others in ways of their own: only an exact rule allows them. */
const ONLY_EXACT = new Set(
  [
    'eval exec source . alias unalias trap let hash coproc nocorrect enable command_not_found_handle set shopt export declare typeset',
    'watch setsid ionice flock chrt taskset unshare nsenter strace ltrace script parallel',
  ]
    .join(' ')
    .split(' '),
);

/** The first rule of such a kind that allows the command. Plan mode only reads: there none does. */
export function ruleFor(
  { permissions, call }: Judged,
  command: ExactCommand,
  kind?: CommandPattern['kind'],
): RuleSource | undefined {
  if (permissions.mode === 'plan') return undefined;
  return commandRule(
    permissions.rules.allow,
    call.tool.name,
    keysOfExact(command),
    (pattern) => (kind === undefined || pattern.kind === kind) && allowsCommand(pattern, command),
  );
}

/** False when no allow rule fits a command of this name. */
function mayHaveRule({ permissions }: Judged, name: ShellWord | undefined): boolean {
  const { text = '', value = '', kind } = name ?? {};
  const rendered = kind === 'static' ? renderWord(value) : text;
  return permissions.rules.allow.index.commands.mayFit(keysOfExact({ raw: text, rendered, words: [value] }));
}

/** A rule may cover the command as written or what its wrappers run. */
export function ruleForPart(
  judged: Judged,
  part: SimpleCommand,
  levels: readonly Stripped[],
): RuleSource | undefined {
  let given: boolean | undefined;
  for (const { taken, wrappers } of levels) {
    const words = taken === 0 ? part.words : part.words.slice(taken);
    // Most commands are about no rule: nothing is left to be said about them.
    if (!mayHaveRule(judged, words[0])) continue;
    const takesItems = wrappers.includes('xargs');
    // What its input holds may be an option of any kind.
    if (takesItems && isMinded(words[0]?.value ?? '')) continue;
    const exact: ExactCommand = {
      raw: textOf(words),
      rendered: words.map((word) => (word.kind === 'static' ? renderWord(word.value) : word.text)).join(' '),
      words: words.every((word) => word.kind === 'static') ? words.map((word) => word.value) : undefined,
    };
    const rule = takesItems
      ? (ruleFor(judged, exact, 'prefix') ?? ruleFor(judged, exact, 'stars'))
      : ruleFor(judged, exact);
    if (rule === undefined) continue;
    given ??=
      wrapsCode(part.words) ||
      isFedCode(part) ||
      levels.some((level) => isGivenCode(part.words.slice(level.taken).map((word) => word.value)));
    if (!given && !ONLY_EXACT.has(words[0]?.value ?? '')) return rule;
    const narrow =
      ruleFor(judged, exact, 'exact') ??
      // A prefix that names the shell itself: `Bash(bash *)`.
      (given && isReadableCode(judged, words, part.cwds) ? ruleFor(judged, exact, 'prefix') : undefined);
    if (narrow !== undefined) return narrow;
  }
  return undefined;
}
