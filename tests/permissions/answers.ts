/** Many commands under one set of rules, and what each is answered with. */
import { expect } from 'vitest';
import { bash, judge, type RuleTexts } from './scene.ts';

const behaviors = (rules: RuleTexts, commands: readonly string[]): readonly string[] =>
  commands.map((command) => `${judge(rules, bash(command)).behavior} ${command}`);

/** Every command is answered with this. */
export function all(rules: RuleTexts, expected: string, commands: readonly string[]): void {
  expect(behaviors(rules, commands)).toEqual(commands.map((command) => `${expected} ${command}`));
}

/** None is allowed. */
export function none(rules: RuleTexts, commands: readonly string[]): void {
  expect(commands.length).toBeGreaterThan(0);
  expect(behaviors(rules, commands).filter((answer) => answer.startsWith('allow'))).toEqual([]);
}
