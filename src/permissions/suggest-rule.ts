/**
 * The allow rule that "always" would write for one call: never broader than what was asked. A command is named word for
 * word, a file by its whole path; where a rule could mean more than this call, or hold a secret, there is none.
 */
import { maskTokens } from '../audit/redact.ts';
import type { RuleSource, ToolCall } from '../core/vocabulary.ts';
import { decide, type HookedQuestion } from './decide.ts';
import { parseRule, type Rule } from './rule.ts';
import { compileList } from './rule-set.ts';

/** A person reads the rule before they say yes. */
const LONGEST = 500;
/** What stands for something else when the command runs, what rules read as a pattern, and what cannot be seen. */
const NOT_WORD_FOR_WORD =
  /[*?[\]{}$`\\~!#]|[^\P{C}]|[^\P{Z} ]|[\p{Default_Ignorable_Code_Point}\u2800]|:$| {2}|^ | $/u;

/** Variables that are set, names and forms that values to be kept secret have: a settings file is no place for those. */
const MAY_BE_SECRET =
  /(?:^|[\s;&|("'])[A-Za-z_]\w*=|token|secret|passw|passphrase|api[-_]?key|credential|cookie|bearer|private[-_]?key|\bauth(?:orization)?\b|:\/\/[^/\s]*:[^/\s]*@|\s-u\s*\S+:\S/i;

const mayHoldSecret = (command: string): boolean =>
  MAY_BE_SECRET.test(command) || maskTokens(command) !== command;

/** Undefined where an allow rule would not let the call run (a rule asks for it, a hook does), or would mean more. */
export function suggestRule(question: HookedQuestion): string | undefined {
  const text = ruleFor(question);
  if (text === undefined || text.length > LONGEST) return undefined;
  const source: RuleSource = { text, list: 'allow', file: '(always)', line: 1, column: 1 };
  const parsed = parseRule(text, source, '/');
  return parsed.ok && parsed.warning === undefined && allowsAlone(question, parsed.rule) ? text : undefined;
}

function ruleFor({ call, files }: HookedQuestion): string | undefined {
  const { specifier, tool } = call;
  if (specifier.kind === 'command')
    return NOT_WORD_FOR_WORD.test(specifier.command) || mayHoldSecret(specifier.command)
      ? undefined
      : `${tool.name}(${specifier.command})`;
  const name = specifier.kind === 'path' ? ruleNameOf(call) : undefined;
  if (specifier.kind !== 'path' || name === undefined) return undefined;
  const { path } = specifier;
  // Of a directory the rule would cover all that is in it; of a link, wherever it leads by then.
  const kind = files.kindOf(path);
  if ((kind !== 'other' && kind !== 'missing') || files.realPath(path) !== path) return undefined;
  return NOT_WORD_FOR_WORD.test(path) ? undefined : `${name}(/${path})`;
}

/** Glob names a directory. */
function ruleNameOf({ tool: { name } }: ToolCall): string | undefined {
  if (name === 'Read') return 'Read';
  return name === 'Edit' || name === 'Write' ? 'Edit' : undefined;
}

/** With this one allow rule and everything else as it is, the call runs by it. */
function allowsAlone(question: HookedQuestion, rule: Rule): boolean {
  const { permissions } = question;
  const rules = { ...permissions.rules, allow: compileList([rule], 'allow') };
  const { behavior, cause } = decide({ ...question, permissions: { ...permissions, rules } });
  return behavior === 'allow' && cause.kind === 'rule' && cause.rule.text === rule.source.text;
}
