import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hooked, save, testSession } from './session.ts';

test.each([
  ['bash ./check.sh', 'check.sh'],
  ['"$CLAUDE_PROJECT_DIR"/tools/check.sh --strict', 'tools/check.sh'],
  ['GUARD=./guard.py exec python3 $GUARD', 'guard.py'],
  ['node --require=./hook.js tools/main.js', 'hook.js'],
])('the script of a hook is a file that decides also where it is still missing: %s', (command, script) => {
  const session = testSession();
  save(session.userFile, hooked(command));
  const { policyFiles } = session.start().current().permissions.workplace;
  expect(policyFiles).toContain(join(session.project, script));
});

test('a script below the home directory is named by ~ or $HOME', () => {
  const session = testSession();
  save(session.userFile, hooked('~/a.sh && $HOME/b.sh'));
  const { policyFiles } = session.start().current().permissions.workplace;
  expect(policyFiles).toEqual(
    expect.arrayContaining(['a.sh', 'b.sh'].map((name) => join(session.home, name))),
  );
});

test('the program of a sink is one, as seen from where it runs', () => {
  const session = testSession();
  const sink = { type: 'command', command: `python3 ${session.project}/ship.py --to=./key.pem` };
  save(session.userFile, { audit: { sinks: [sink] } });
  const { policyFiles } = session.start().current().permissions.workplace;
  expect(policyFiles).toEqual(
    expect.arrayContaining([join(session.project, 'ship.py'), join(session.hookdHome, 'key.pem')]),
  );
});

test('a directory, or a device, that a hook names is none', () => {
  const session = testSession();
  mkdirSync(join(session.project, 'src.d'));
  save(session.userFile, hooked('ls src.d > /dev/null'));
  expect(session.start().current().permissions.workplace.policyFiles).toEqual([session.userFile]);
});
