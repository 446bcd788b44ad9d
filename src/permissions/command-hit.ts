/** Where a command meets a pattern of a rule that restricts: in its whole text, or in anything that it runs. */
import type { RuleSource } from '../core/vocabulary.ts';
import { collapseBlanks, hitsCommand } from './command-rule.ts';
import { commandRule, type RuleList } from './rule-set.ts';
import { type Reach, textsOf } from './shell/reach.ts';

export interface CommandHit {
  readonly rule: RuleSource;
  /** The part that was hit; none when it was the whole text. */
  readonly part: string | undefined;
}

export function hitByCommandRule(
  list: RuleList,
  tool: string,
  command: string,
  reach: Reach,
): CommandHit | undefined {
  if (list.commands.length === 0) return undefined;
  const full = [collapseBlanks(command), spacedOperators(command)];
  const whole = commandRule(list, tool, (pattern) => hitsCommand(pattern, full));
  if (whole !== undefined) return { rule: whole, part: undefined };
  for (const reading of reach.readings) {
    const texts = textsOf(reading);
    const rule = commandRule(list, tool, (pattern) => hitsCommand(pattern, texts));
    if (rule !== undefined) return { rule, part: reading.words.join(' ') };
  }
  return undefined;
}

function spacedOperators(text: string): string {
  // Blanks are collapsed first: else a long run of them is looked at once for each place in it.
  return collapseBlanks(collapseBlanks(text).replace(/&&|\|\||[;|]/g, ' $& '));
}
