/** What `hookd doctor` looks at of the policy here: settings of every scope, hooks, trust, what waits for a person. */
import { HookdError } from '../core/errors.ts';
import { allHeld } from '../settings/held-file.ts';
import { describeProblem, isError } from '../settings/problem.ts';
import { allRemembered } from '../settings/remembered.ts';
import { locateSettings } from '../settings/scopes.ts';
import { reviewProject } from '../settings/trust-review.ts';
import { counted } from './columns.ts';
import type { Check, DoctorOptions, Found } from './doctor.ts';
import { lintHere } from './hooks-lint.ts';
import { whereaboutsOf } from './hooks-settings.ts';
import { checkHere } from './settings-check.ts';

/** Of many alike the first tell enough; the command that is named has the rest. */
const MOST_TOLD = 8;

export const policyChecks: readonly Check[] = [
  { name: 'settings', look: settings },
  { name: 'hooks', look: hooks },
  { name: 'trust', look: trust },
];

/** Also of rules and matchers that can never match, and of deny rules in files that are not read. */
function settings({ flags, env }: DoctorOptions): readonly Found[] {
  const { checked, problems, together } = checkHere(flags, env);
  const rules = checked.reduce((sum, file) => sum + file.rules, 0);
  const found: Found[] = [
    ...problems.map((problem): Found => {
      const what = describeProblem(problem);
      return isError(problem)
        ? { state: 'fails', what, advice: 'No session starts until it is mended: "hookd settings check".' }
        : { state: 'warns', what, advice: 'See "hookd settings check".' };
    }),
    ...together.map((what): Found => ({ state: 'warns', what, advice: 'See "hookd settings check".' })),
  ];
  if (found.length > 0) return shortened(found, 'hookd settings check');
  if (checked.length === 0)
    return [{ state: 'ok', what: 'No settings files: only the built-in rules are in force ("hookd init").' }];
  return [
    { state: 'ok', what: `${counted(rules, 'rule')} in ${checked.map(({ file }) => file).join(', ')}` },
  ];
}

function hooks({ flags, env }: DoctorOptions): readonly Found[] {
  const looked = lintHere(flags, env);
  const found = looked.findings.map(
    ({ file, line, what, why, fix }): Found => ({
      state: 'warns',
      what: `${file}:${line}: ${what}: ${why}.`,
      advice: fix,
    }),
  );
  if (found.length > 0) return shortened(found, 'hookd hooks lint');
  return [
    { state: 'ok', what: looked.hooks === 0 ? 'none' : `${counted(looked.hooks, 'hook')}, nothing found` },
  ];
}

function trust({ flags, env }: DoctorOptions): readonly Found[] {
  const located = locateSettings(whereaboutsOf(env), flags);
  if (!located.ok) throw new HookdError('SETTINGS_INVALID', located.problems.map(describeProblem).join('\n'));
  const { workplace, state, places } = located;
  const { project } = workplace;
  const waiting = allHeld(state).map(
    ({ file }): Found => ({
      state: 'warns',
      what: `${file} changed while a tool call ran: what it loosened waits for you.`,
      advice: '"hookd settings accept" shows it and takes it over.',
    }),
  );
  const remembered = allRemembered(workplace.hookdHome).find(({ directory }) => directory === workplace.cwd);
  const known =
    remembered === undefined
      ? ''
      : `; ${counted(remembered.rules.length, 'rule')} approved for good ("hookd approvals rules")`;
  if (located.trust.kind === 'trusted' || flags.trustProject === true)
    return [
      ...waiting,
      { state: 'ok', what: `${project} is trusted since ${sinceOf(located.trust)}${known}` },
    ];
  const reviewed = reviewProject(places);
  if (reviewed.some(({ problems }) => problems.length > 0))
    return [
      ...waiting,
      { state: 'warns', what: `${project}: not judged, its settings are broken (see above)` },
    ];
  const loosens = reviewed.flatMap((file) => file.loosens);
  if (loosens.length === 0)
    return [...waiting, { state: 'ok', what: `${project} asks for nothing that needs trust${known}` }];
  return [
    ...waiting,
    {
      state: 'warns',
      what: `${project} is not trusted, so this of its settings does not count: ${loosens.slice(0, MOST_TOLD).join(', ')}${loosens.length > MOST_TOLD ? ' …' : ''}`,
      advice: 'Look at it, and if it is yours: "hookd trust".',
    },
  ];
}

function sinceOf(trust: { readonly kind: string; readonly record?: { readonly since: string } }): string {
  return trust.record?.since ?? 'this command';
}

function shortened(found: readonly Found[], command: string): readonly Found[] {
  // Failures first: they are what keeps sessions from starting.
  const ordered = [
    ...found.filter(({ state }) => state === 'fails'),
    ...found.filter(({ state }) => state !== 'fails'),
  ];
  if (ordered.length <= MOST_TOLD) return ordered;
  const more = ordered.length - MOST_TOLD;
  return [
    ...ordered.slice(0, MOST_TOLD),
    { state: 'warns', what: `… and ${more} more`, advice: `See "${command}".` },
  ];
}
