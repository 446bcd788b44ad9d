/** Where a command meets a pattern of a rule that restricts: in its whole text, or in anything that it runs. */
import { collapseBlanks, hitsCommand } from './command-rule.ts';
import { commandRule, type RuleList } from './rule-set.ts';
import { type Reach, textsOf } from './shell/reach.ts';
import type { RuleHit } from './trace.ts';

/** The first hit; `part` is none when it was the whole text. */
export function hitByCommandRule(
  list: RuleList,
  tool: string,
  command: string,
  reach: Reach,
): RuleHit | undefined {
  for (const hit of commandHits(list, tool, command, reach)) return hit;
  return undefined;
}

/** Looked for as they are asked for: the first rule of the list for the whole text, then for each part. */
export function* commandHits(
  list: RuleList,
  tool: string,
  command: string,
  reach: Reach,
): Generator<RuleHit> {
  if (list.commands.length === 0) return;
  const full = [collapseBlanks(command), spacedOperators(command)];
  const whole = commandRule(list, tool, (pattern) => hitsCommand(pattern, full));
  if (whole !== undefined) yield { rule: whole };
  for (const reading of reach.readings) {
    const texts = textsOf(reading);
    const rule = commandRule(list, tool, (pattern) => hitsCommand(pattern, texts));
    if (rule !== undefined) yield { rule, part: reading.words.join(' ') };
  }
}

function spacedOperators(text: string): string {
  // Blanks are collapsed first: else a long run of them is looked at once for each place in it.
  return collapseBlanks(collapseBlanks(text).replace(/&&|\|\||[;|]/g, ' $& '));
}
