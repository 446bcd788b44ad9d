/** Names in directories are looked at up to a limit; what is beyond it is not taken for harmless. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { bash, filesOf, permissionsOf } from './scene.ts';

const many = (directory: string) => Array.from({ length: 3000 }, (_, i) => `/work/proj/${directory}/x${i}`);
const files = filesOf([
  ...[...many('m1'), ...many('m2'), '/work/proj/m3/lefthook.yml'],
  '/home/u/.hookd/settings.json',
]);

test.each([
  ['touch m3/*', 'ask'],
  ['cat m1/* m2/*; touch m3/*', 'ask'],
  ['cat ~/.hook*/settings.json', 'deny'],
  ['cat m1/* m2/*; cat ~/.hook*/settings.json', 'deny'],
  ['cat m1/* m2/*; cat ../../home/u/.hook*/set*', 'deny'],
  ['cat m1/*', 'allow'],
])('%s: %s, although all of Bash is allowed', (command, behavior) => {
  const permissions = permissionsOf({ allow: ['Bash'] });
  expect(decide({ permissions, call: bash(command), files }).behavior).toBe(behavior);
  const bypass = { ...permissionsOf({}), mode: 'bypassPermissions' as const };
  const inBypass = decide({ permissions: bypass, call: bash(command), files }).behavior;
  // Of protected paths that mode guards only what configures this agent.
  expect(inBypass).toBe(command === 'touch m3/*' ? 'allow' : behavior);
});
