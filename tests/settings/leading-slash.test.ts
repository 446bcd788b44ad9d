import { join } from 'node:path';
import { expect, test } from 'vitest';
import { save, testSession, warningsOf } from './session.ts';

const SLASHES = {
  deny: ['Edit(/CHANGELOG.md)', 'Read(/etc/passwd)', 'Read(secrets/**)', 'Read(//srv/x)', 'Read(~/x)'],
  ask: ['Write(/out/**)', 'Bash(/usr/bin/x *)'],
  allow: ['Edit(/src/**)', 'Edit(!/src/main.ts)'],
};

const told = (rule: string, place: string, project: string, absolute: string): unknown =>
  expect.stringContaining(
    `${rule}: one leading slash begins at the directory of this file, so the rule names ${place}, nothing of the project; write ${project} for a file of the project, ${absolute} for an absolute path`,
  );

test('one leading slash in a file of the user or of the administrator names nothing of the project, and is told', () => {
  const session = testSession();
  const { userFile, managed, claude } = session;
  for (const file of [userFile, managed.file, claude.user]) save(file, { permissions: SLASHES });
  const snapshot = session.start({ claudeSettings: true }).current();
  for (const file of [userFile, managed.file, claude.user]) {
    const place = (path: string): string => join(file, '..', path);
    expect(snapshot.warnings.filter((line) => line.startsWith(`${file}:`))).toEqual([
      told('Edit(/CHANGELOG.md)', place('CHANGELOG.md'), 'Edit(CHANGELOG.md)', 'Edit(//CHANGELOG.md)'),
      told('Read(/etc/passwd)', place('etc/passwd'), 'Read(etc/passwd)', 'Read(//etc/passwd)'),
      told('Write(/out/**)', place('out/**'), 'Write(out/**)', 'Write(//out/**)'),
      told('Edit(/src/**)', place('src/**'), 'Edit(src/**)', 'Edit(//src/**)'),
      told('Edit(!/src/main.ts)', place('src/main.ts'), 'Edit(!src/main.ts)', 'Edit(!//src/main.ts)'),
    ]);
  }
});

test('one leading slash in a file that --settings names is told where the file lies outside of the project', () => {
  const session = testSession();
  const content = { permissions: { deny: ['Edit(/src/x)'] } };
  const [away, inside, above] = [session.home, join(session.project, 'ci'), join(session.base, 'work')].map(
    (directory) => join(directory, 'strict.json'),
  ) as [string, string, string];
  for (const file of [away, inside, above]) save(file, content);
  const snapshot = session.start({ settings: [away, inside, above] }).current();
  expect(snapshot.warnings).toEqual([
    told('Edit(/src/x)', join(session.home, 'src/x'), 'Edit(src/x)', 'Edit(//src/x)'),
  ]);
});

test("one leading slash in a project's file is its own directory; a whole path written so is told", () => {
  const session = testSession();
  const { projectFile, project } = session;
  const deny = ['Edit(/src/x)', `Read(${project}/secrets/**)`, 'Read(/etc/passwd)'];
  save(projectFile, { permissions: { deny } });
  expect(warningsOf(session.start().current(), projectFile)).toEqual([
    expect.stringContaining(`for the absolute path write /${project}/secrets/**`),
    expect.stringContaining('for the absolute path write //etc/passwd'),
  ]);
});
