/** Which rules a call touches. */
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/vocabulary.ts';
import { ruleFits, rulesThatFit } from '../../src/permissions/coverage.ts';
import { compileRules } from '../../src/permissions/rule-set.ts';
import { bash, FILES, permissionsOf, type RuleTexts, read, rulesOf, write } from './scene.ts';

function touched(texts: RuleTexts, call: ToolCall): readonly string[] {
  const rules = rulesOf(texts);
  const question = { permissions: { ...permissionsOf({}), rules: compileRules(rules) }, call, files: FILES };
  const together = rulesThatFit(question);
  const named = rules.filter((rule) => together.has(rule.source) || ruleFits(question, rule));
  return named.map(({ source }) => `${source.list} ${source.text}`);
}

test.each<[RuleTexts, ToolCall, readonly string[]]>([
  [
    { allow: ['Bash(make *)', 'Bash(npm test *)'], ask: ['Bash(git push *)'], deny: ['Bash(rm *)'] },
    bash('make && git push && rm x'),
    ['allow Bash(make *)', 'ask Bash(git push *)', 'deny Bash(rm *)'],
  ],
  [
    { allow: ['Bash(git *)', 'Bash(git push *)'] },
    bash('git push'),
    ['allow Bash(git *)', 'allow Bash(git push *)'],
  ],
  [
    { allow: ['Bash(make *)', 'Bash(make)'] },
    bash('make; curl x'),
    ['allow Bash(make *)', 'allow Bash(make)'],
  ],
  [
    { deny: ['Read(.env)', 'Read(*.pem)'], allow: ['Read'] },
    read('/work/proj/.env'),
    ['allow Read', 'deny Read(.env)'],
  ],
  [
    { allow: ['Edit(src/**)', 'Edit(!src/a.ts)'] },
    write('/work/proj/src/a.ts'),
    ['allow Edit(src/**)', 'allow Edit(!src/a.ts)'],
  ],
  [{ allow: ['Edit(src/**)', 'Edit(!src/a.ts)'] }, write('/work/proj/src/b.ts'), ['allow Edit(src/**)']],
  [
    { deny: ['Write(content:secret*)'] },
    { ...write('/work/proj/x'), input: { content: 'secret' } },
    ['deny Write(content:secret*)'],
  ],
])('%j', (texts, call, expected) => {
  expect(touched(texts, call)).toEqual(expected);
});
