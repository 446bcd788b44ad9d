/** `hookd policy explain` for people: 80 columns, the answer first, what would change it last. */
import type picocolors from 'picocolors';
import type { Behavior, RuleSource, ToolCall } from '../core/vocabulary.ts';
import type { Alternative, Change } from '../permissions/alternatives.ts';
import type { CheckName, TracedPart } from '../permissions/trace.ts';
import { wrapped } from './columns.ts';
import { shortPath } from './hooks-settings.ts';
import { oneLine } from './output.ts';
import type { Explanation } from './policy-explain.ts';

type Colours = ReturnType<typeof picocolors.createColors>;
type PlaceNames = Parameters<typeof shortPath>[1];

const LONGEST = 800;
const LONGEST_TEXT = 400;
const MOST_SHOWN = 30;

const CHECK_TITLES: Readonly<Record<CheckName, string>> = {
  'deny-rules': 'deny rules',
  'built-in-denies': 'built-in denies',
  hook: 'a hook that asks',
  'ask-rules': 'ask rules',
  unresolved: 'what deny and ask rules cannot see',
  'always-asked': 'protected paths, critical removals',
  allow: 'allow rules, the mode, what is free',
};

export function explanationLines(explanation: Explanation, colours: Colours): readonly string[] {
  const { snapshot, call, decision, hooks } = explanation;
  const { workplace, mode } = snapshot.permissions;
  const place = (rule: RuleSource): string => `${shortPath(rule.file, workplace)}:${rule.line}`;
  const { behavior } = decision;
  const where = workplace.cwd === workplace.project ? '' : `, started in ${workplace.cwd}`;
  return [
    ...wrapped(oneLine(callText(call), LONGEST), '       ', behavior.padEnd(7)).map((line, index) =>
      index === 0 ? paint(behavior, colours) + line.slice(behavior.length) : line,
    ),
    '',
    ...wrapped(oneLine(shortReason(decision.reason, workplace), LONGEST), ''),
    ...wrapped(`Mode ${mode}, project ${workplace.project}${where}.`, ''),
    ...section('Parts', partLines(explanation, place)),
    ...section('Files', fileLines(explanation)),
    ...section('Deny and ask rules that fit', hitLines(explanation, place)),
    ...section('Checked, in this order', checkLines(explanation)),
    ...section(
      'Hooks that are asked before (hookd hooks run plays them)',
      hooks.flatMap(({ event, name, file, line }) =>
        item(`${event}: ${oneLine(name, LONGEST_TEXT)} at ${shortPath(file, workplace)}:${line}`),
      ),
    ),
    ...section('For another answer', outlookLines(explanation, place)),
  ];
}

function paint(behavior: Behavior, colours: Colours): string {
  return { allow: colours.green, ask: colours.yellow, deny: colours.red }[behavior](colours.bold(behavior));
}

/** As a rule would be written for it. */
export function callText({ tool, specifier, input }: ToolCall): string {
  if (specifier.kind === 'command') return `${tool.name}(${specifier.command})`;
  return specifier.kind === 'path'
    ? `${tool.name}(${specifier.path})`
    : `${tool.name} ${JSON.stringify(input)}`;
}

/** The gate's sentence names files in full. */
function shortReason(reason: string, workplace: PlaceNames): string {
  return reason.replace(/\((\/[^():]+):(\d+)\)/g, (_, file: string, line: string) => {
    return `(${shortPath(file, workplace)}:${line})`;
  });
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...limited(lines)];

function limited(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_SHOWN) return lines;
  return [...lines.slice(0, MOST_SHOWN), `  … ${lines.length - MOST_SHOWN} more lines; --json has them all`];
}

const item = (text: string): readonly string[] => wrapped(text, '    ', '  ');

function partLines({ trace }: Explanation, place: (rule: RuleSource) => string): readonly string[] {
  const { parts, readings, whole, unresolved } = trace;
  const written = parts.map(({ command }) => command.words.map(({ value }) => value).join(' '));
  const inside = [...new Set(readings.map(({ words }) => words.join(' ')))].filter(
    (text) => parts.length === 0 || !written.includes(text),
  );
  const asWhole = whole?.ok === false && parts.length === 0 ? [whole.why] : [];
  return [
    ...parts.flatMap((part, index) => [
      ...wrapped(oneLine(textOf(part.command), LONGEST), '     ', `  ${index + 1}  `),
      ...wrapped(partAnswer(part, place), '       ', '     '),
    ]),
    ...asWhole.flatMap((why) => item(`Not judged part by part: ${oneLine(why, LONGEST_TEXT)}`)),
    ...inside.flatMap((text) => item(`It may run: ${oneLine(text, LONGEST_TEXT)}`)),
    ...[...new Set(unresolved)].flatMap((why) =>
      item(`Not to be seen through: ${oneLine(why, LONGEST_TEXT)}`),
    ),
  ];
}

function textOf({ words, assignments, redirects }: TracedPart['command']): string {
  return [
    ...[...assignments, ...words].map(({ text }) => text),
    ...redirects.map(({ operator, target }) => `${operator} ${target.text}`),
  ].join(' ');
}

function partAnswer({ command, allowance }: TracedPart, place: (rule: RuleSource) => string): string {
  if (allowance.ok) {
    const { rule, byMode } = allowance;
    if (rule !== undefined) return `allow rule ${oneLine(rule.text, LONGEST_TEXT)} at ${place(rule)}`;
    return byMode ? 'an edit that the mode allows' : 'only reads';
  }
  const itself = `"${command.words.map(({ text }) => text).join(' ')}" is `;
  const { why } = allowance;
  return oneLine(why.startsWith(itself) ? why.slice(itself.length) : why, LONGEST_TEXT);
}

function fileLines({ call, trace }: Explanation): readonly string[] {
  const { specifier } = call;
  const written = specifier.kind === 'command' ? specifier.command.split(/[\s<>=;|&()"']+/) : [];
  // A letter of an option may be a file's name: the rules take it for one, but nobody wants to read that.
  const isNamed = (word: string): boolean => word.length > 1 || written.includes(word);
  return trace.files
    .filter(({ word }) => isNamed(word))
    .flatMap(({ access, word, path, target }) => {
      const given = oneLine(path, LONGEST_TEXT);
      const named = word === path ? given : `${oneLine(word, LONGEST_TEXT)} is ${given}`;
      return columns([access, 7], named + leading(path, target));
    });
}

function leading(path: string, target: string | undefined): string {
  if (target === undefined) return ', which leads nowhere that can be said';
  return target === path ? '' : `, which leads to ${oneLine(target, LONGEST_TEXT)}`;
}

/** One line a rule, with all that it fits. */
function hitLines({ trace }: Explanation, place: (rule: RuleSource) => string): readonly string[] {
  return [...new Set(trace.hits.map(({ rule }) => rule))].flatMap((rule) => {
    const fits = trace.hits
      .filter((hit) => hit.rule === rule)
      // The part that names a file is no file itself.
      .flatMap(({ part, path }) => path ?? part ?? []);
    const shown = [...new Set(fits)].map((one) => oneLine(one, 200)).join(', ');
    const on = shown === '' ? '' : ` on ${shown}`;
    return columns([rule.list, 7], `${oneLine(rule.text, LONGEST_TEXT)} at ${place(rule)}${on}`);
  });
}

function checkLines({ trace }: Explanation): readonly string[] {
  return trace.checks.flatMap(({ name, decision }) =>
    columns([CHECK_TITLES[name], 38], decision === undefined ? 'nothing' : decision.behavior),
  );
}

/** A first column of that width, then text. */
function columns([first, width]: readonly [string, number], text: string): readonly string[] {
  return wrapped(text, ' '.repeat(2 + width), `  ${first.padEnd(width)}`);
}

function outlookLines(explanation: Explanation, place: (rule: RuleSource) => string): readonly string[] {
  const { decision, file, snapshot, outlook } = explanation;
  const { alternatives } = outlook;
  const { workplace } = snapshot.permissions;
  const told = (change: Change): string => changeText(change, shortPath(file, workplace), place);
  const isRule = decision.cause.kind === 'rule' && decision.behavior === 'deny';
  const isLifted = alternatives.some((one) => one.decision.behavior !== 'deny');
  return [
    ...(isRule && isLifted
      ? item('A deny rule decides: nothing but removing it lets the call through.')
      : []),
    ...(isLifted || decision.behavior === 'allow' ? [] : stuckLines(explanation, told)),
    ...alternatives.flatMap((one) => alternativeLines(one, told)),
  ];
}

function stuckLines(
  { decision, trace, outlook }: Explanation,
  told: (change: Change) => string,
): readonly string[] {
  if (trace.checks.at(-1)?.name === 'unresolved')
    return item(
      'While there are deny or ask rules that it might get past, no allow rule and no mode allows it. Written plainly, the command could be judged.',
    );
  const { deadEnd } = outlook;
  const least = decision.behavior === 'ask' ? 'allows it: a person is always asked' : 'lets it through';
  const none = item(`No rule, mode or switch ${least}.`);
  if (deadEnd === undefined) return none;
  const changes = deadEnd.changes.map(told).join(' and ');
  return [...none, ...item(`If you ${changes}: ${oneLine(deadEnd.decision.reason, LONGEST_TEXT)}`)];
}

function alternativeLines(
  { changes, decision }: Alternative,
  told: (change: Change) => string,
): readonly string[] {
  const [first = '', ...more] = changes.map(told);
  const lead = `  to ${decision.behavior}:`.padEnd(12);
  return [
    ...wrapped(first, ' '.repeat(14), lead),
    ...more.flatMap((text) => wrapped(`and ${text}`, ' '.repeat(14), ' '.repeat(12))),
  ];
}

function changeText(change: Change, file: string, place: (rule: RuleSource) => string): string {
  switch (change.kind) {
    case 'add': {
      const every = change.text.includes('(') ? '' : ' (every call of the tool!)';
      return `add ${oneLine(change.text, LONGEST_TEXT)}${every} to permissions.${change.list} in ${file}`;
    }
    case 'remove':
      return `remove the ${change.rule.list} rule ${oneLine(change.rule.text, LONGEST_TEXT)} at ${place(change.rule)}`;
    case 'switch-off':
      return `add ${change.name} to permissions.disableBuiltinRules in ${file}`;
    case 'mode':
      return `start with --permission-mode ${change.mode}`;
  }
}
