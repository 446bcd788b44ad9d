/** Http hooks that can never send: told when settings are read, not only by each run that fails. */
import type { HooksInForce } from '../hooks/hook.ts';
import { addressProblem } from '../hooks/http-address.ts';
import { whatFailureMeans } from '../hooks/lint.ts';
import type { SettingsProblem } from './problem.ts';

/** `hooks` as they were restricted: which lists there are decides who may send. */
export function refusedAddresses({ hooks }: HooksInForce): readonly SettingsProblem[] {
  return hooks.flatMap((hook): readonly SettingsProblem[] => {
    const { handler, event, source } = hook;
    const why = handler.type === 'http' ? addressProblem(handler) : undefined;
    if (handler.type !== 'http' || why === undefined) return [];
    const { file, line, column } = source;
    const message = `http hook of ${event}, ${JSON.stringify(handler.url)}: ${why}`;
    const effect = `each run ends as failed, and ${whatFailureMeans(hook)}`;
    return [{ severity: 'warning', ...{ file, line, column }, key: '', message: `${message}; ${effect}` }];
  });
}
