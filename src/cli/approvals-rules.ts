/** `hookd approvals rules`: the allow rules that "always" has written; shows them, takes them back. */
import { resolve } from 'node:path';
import { EXIT, HookdError } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import {
  allRemembered,
  type Remembered,
  readRemembered,
  rememberedFile,
  removeRemembered,
} from '../settings/remembered.ts';
import { realPath } from '../settings/scopes.ts';
import { type Output, printable } from './output.ts';
import { givenPath } from './start-directory.ts';

export interface ApprovalsRulesOptions {
  /** A start directory; undefined: the rules of all. */
  readonly directory: string | undefined;
  /** The rule to take back, as it is shown; in `directory`, or here. */
  readonly remove: string | undefined;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Throws USAGE where a file cannot be used, or the rule is not there. */
export function approvalsRulesCommand(options: ApprovalsRulesOptions, output: Output): number {
  return options.remove === undefined ? list(options, output) : remove(options, options.remove, output);
}

function list({ directory, json, env }: ApprovalsRulesOptions, output: Output): number {
  const hookdHome = realPath(hookdHomeOf(env));
  const shown = directory === undefined ? allRemembered(hookdHome) : [of(hookdHome, placeOf(directory))];
  if (json) {
    output.result(JSON.stringify(shown));
    return EXIT.done;
  }
  const some = shown.filter(({ rules }) => rules.length > 0);
  if (some.length === 0) output.result('No rule was approved for good.');
  for (const { directory: where, rules } of some) {
    output.result(printable(`For sessions that start in ${where}:`));
    for (const rule of rules) output.result(printable(`  allow ${rule}`));
  }
  if (some.length > 0)
    output.result('Take one back, in its directory, with: hookd approvals rules --remove RULE');
  return EXIT.done;
}

function remove({ directory, json, env }: ApprovalsRulesOptions, rule: string, output: Output): number {
  const hookdHome = realPath(hookdHomeOf(env));
  const where = placeOf(directory ?? '.');
  const done = removeRemembered(hookdHome, where, rule);
  if ('problem' in done) throw new HookdError('USAGE', done.problem);
  if (!done.removed) {
    const { rules } = of(hookdHome, where);
    const there = rules.length === 0 ? 'none' : rules.join(', ');
    throw new HookdError('USAGE', `${rule} was not approved for good in ${where}; there is: ${there}.`);
  }
  const file = rememberedFile(hookdHome, where);
  if (json) output.result(JSON.stringify({ directory: where, file, removed: rule }));
  else output.result(printable(`Taken back in ${where}, from the next call on: ${rule}`));
  return EXIT.done;
}

function of(hookdHome: string, directory: string): Remembered {
  const content = readRemembered(hookdHome, directory);
  if (!content.ok) throw new HookdError('USAGE', content.problem);
  return { directory, file: rememberedFile(hookdHome, directory), rules: content.rules };
}

function placeOf(directory: string): string {
  return realPath(resolve(givenPath(directory)));
}
