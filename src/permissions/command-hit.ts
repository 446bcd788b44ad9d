/** Where a command meets a pattern of a rule that restricts: in its whole text, or in anything that it runs. */
import type { Workplace } from '../core/vocabulary.ts';
import { collapseBlanks, hitsCommand } from './command-rule.ts';
import { firstWord } from './rule-index.ts';
import { commandRule, type RuleList } from './rule-set.ts';
import { textsOf } from './shell/call-texts.ts';
import type { Reach } from './shell/reach.ts';
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
  for (const hit of commandHits(question)) return hit;
  return undefined;
}

/** Looked for as they are asked for: the first rule of the list for the whole text, then for each part. */
export function* commandHits(question: CommandQuestion): Generator<RuleHit> {
  const { list, tool, command, reach, workplace, exactAnyOptions } = question;
  if (list.commands.length === 0) return;
  const full = fullTexts(command, reach);
  const rule = commandRule(list, tool, full.map(firstWord), (pattern) => hitsCommand(pattern, full));
  if (rule !== undefined) yield { rule };
  for (const reading of reach.readings) {
    // Such a command asks, with any rule in force: see `Reach.unresolved`.
    if (reading.doubtful) continue;
    const texts = textsOf(reading, workplace);
    const rule = commandRule(
      list,
      tool,
      [...texts.whole, ...texts.withoutOptions].map(firstWord),
      (pattern) =>
        hitsCommand(pattern, texts.whole) ||
        ((exactAnyOptions || pattern.kind !== 'exact') && hitsCommand(pattern, texts.withoutOptions)),
    );
    if (rule !== undefined) yield { rule, part: reading.words.join(' ') };
  }
}

/** Several lists are held against the same text. */
const whole = new WeakMap<Reach, { readonly command: string; readonly texts: readonly string[] }>();

function fullTexts(command: string, reach: Reach): readonly string[] {
  const known = whole.get(reach);
  if (known?.command === command) return known.texts;
  // Blanks are collapsed first: else a long run of them is looked at once for each place in it.
  const collapsed = collapseBlanks(command);
  const texts = [...new Set([collapsed, spacedOperators(collapsed)])];
  whole.set(reach, { command, texts });
  return texts;
}

function spacedOperators(text: string): string {
  return /[;&|]/.test(text) ? collapseBlanks(text.replace(/&&|\|\||[;|]/g, ' $& ')) : text;
}
