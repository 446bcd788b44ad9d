/** Where a command meets a pattern of a rule that restricts: in its whole text, or in anything that it runs. */
import type { Workplace } from '../core/vocabulary.ts';
import { keysOfCall, textsOf } from './call-texts.ts';
import { collapseBlanks, hitsCommand, paddedOperators } from './command-rule.ts';
import type { Reach } from './reach.ts';
import { firstWord } from './rule-index.ts';
import { commandRule, type RuleList } from './rule-set.ts';
import { stretchesOf } from './stretches.ts';
import type { RuleHit } from './trace.ts';

export interface CommandQuestion {
  readonly list: RuleList;
  readonly tool: string;
  readonly command: string;
  readonly reach: Reach;
  readonly workplace: Workplace;
  /** An exact rule is about its call with further options, too: `git -C . push` is `git push`. */
  readonly exactAnyOptions: boolean;
}

/** The first hit; `part` is none when it was the whole text. */
export function hitByCommandRule(question: CommandQuestion): RuleHit | undefined {
  return commandHits(question, 1)[0];
}

/** The first rule of the list for the whole text, then for each part; no more hits than `most`. */
export function commandHits(question: CommandQuestion, most: number): readonly RuleHit[] {
  const { list, tool, command, reach, workplace, exactAnyOptions } = question;
  const hits: RuleHit[] = [];
  if (list.commands.length === 0) return hits;
  const { texts, keys } = fullTexts(command);
  if (list.index.commands.mayFit(keys)) {
    const rule = commandRule(list, tool, keys, (pattern) => hitsCommand(pattern, texts));
    if (rule !== undefined) hits.push({ rule });
  }
  if (list.joined.length > 0 && hits.length < most) {
    const { texts: stretches } = stretchesOf(command, reach);
    const joined = list.joined.find((rule) => rule.tool === tool && hitsCommand(rule.pattern, stretches));
    if (joined !== undefined) hits.push({ rule: joined.source });
  }
  for (const reading of reach.readings) {
    if (hits.length >= most) break;
    // Such a command asks, with any rule in force: see `Reach.unresolved`.
    if (reading.doubtful) continue;
    const keys = keysOfCall(reading, workplace);
    if (!list.index.commands.mayFit(keys)) continue;
    const { whole, withoutOptions } = textsOf(reading, workplace);
    const rule = commandRule(
      list,
      tool,
      keys,
      (pattern) =>
        hitsCommand(pattern, whole) ||
        ((exactAnyOptions || pattern.kind !== 'exact') && hitsCommand(pattern, withoutOptions)),
    );
    if (rule !== undefined) hits.push({ rule, part: reading.words.join(' ') });
  }
  return hits;
}

/** Several lists are held against the same text, one after the other. */
let last: FullTexts | undefined;

interface FullTexts {
  readonly command: string;
  readonly texts: readonly string[];
  /** The first words of the texts. */
  readonly keys: readonly string[];
}

function fullTexts(command: string): FullTexts {
  if (last?.command === command) return last;
  // Blanks are collapsed first: else a long run of them is looked at once for each place in it.
  const collapsed = collapseBlanks(command);
  const spaced = paddedOperators(collapsed);
  const texts = spaced === collapsed ? [collapsed] : [collapsed, spaced];
  last = { command, texts, keys: texts.map(firstWord) };
  return last;
}
