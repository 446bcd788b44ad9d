/** Files that git gets to in ways of its own. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { all, none } from './answers.ts';
import { bash, FILES, filesOf, judgeIn, permissionsOf, type RuleTexts } from './scene.ts';

const ENV: RuleTexts = { allow: ['Bash'], deny: ['Read(.env)'] };
const SRC: RuleTexts = { allow: ['Bash'], deny: ['Edit(src/**)'] };

test('a pathspec reaches what git makes of it: across directories, and from the top of the repository', () => {
  none(SRC, [
    "git rm '*.ts'",
    'git rm *.ts',
    "git rm 'SR?/*'",
    'git rm -r :/',
    "git rm -r ':!f.txt'",
    "git rm -r ':(top)src'",
    "git rm -r ':(exclude)f.txt' .",
    "git rm 's\\rc/a.ts'",
    'git checkout -- :/',
    "git restore '*.ts'",
    'git restore :/',
    'git restore -s HEAD~1 :/src',
    "git clean -fdx ':/src'",
    "git mv '*.ts' lib",
    "git -C lib rm '../src/*.ts'",
  ]);
  none(ENV, ["git add '*env'", 'git add -- :/', "git add ':!f.txt'", 'find . -exec git add {} +']);
  all(SRC, 'allow', ["git rm '*.md'", "git add '*.ts'", 'git checkout main', 'git mv f.txt g.txt']);
  all(ENV, 'allow', [
    "git add '*.ts'",
    'git add *.ts',
    "git add 'src/[id]/page.tsx'",
    'git add .',
    'git add -A',
  ]);
  // Any number of stars is looked at in no time.
  none(ENV, [`git add '${'*a'.repeat(60)}*'`]);
});

test('paths of git are seen from the directory that an option names', () => {
  const files = filesOf([
    '/work/proj/.env',
    '/work/proj/sub/x.txt',
    '/work/proj/lib/x',
    '/work/proj/src/a.ts',
  ]);
  const answers = (deny: string, commands: readonly string[]): readonly string[] =>
    commands.filter(
      (command) =>
        decide({ permissions: permissionsOf({ allow: ['Bash'], deny: [deny] }), call: bash(command), files })
          .behavior === 'allow',
    );
  expect(
    answers('Read(.env)', [
      'git -C sub hash-object -w ../.env',
      'git -C sub diff --no-index /dev/null ../.env',
      'git -C sub add ../.env',
      'git -C sub blame ../.env',
      'git -C sub/.. blame .env',
      'git diff --no-index . lib',
      'git commit -F .env',
    ]),
  ).toEqual([]);
  expect(
    answers('Read(sub/x.txt)', ['git -C sub hash-object x.txt', 'git --work-tree=sub hash-object x.txt']),
  ).toEqual([]);
  expect(
    answers('Edit(src/**)', [
      'git -C lib archive -o ../src/a.tar HEAD',
      'git -C lib format-patch -o ../src -1',
      'git -C lib clone x ../src/y',
      'git archive --outp=src/a.tar HEAD',
      'git worktree add src/y',
      'git rm "$(git rev-parse --show-toplevel)/src/a.ts"',
      'git checkout -- "$x"',
    ]),
  ).toEqual([]);
  const plain = ['git -C sub status', 'git -C sub commit -C HEAD', 'git commit -m "$msg"'];
  expect(answers('Edit(src/**)', plain)).toEqual(plain);
});

test('a rule about writing a file does not concern what only shows it', () => {
  all({ allow: ['Bash'], deny: ['Edit(./f.txt)'] }, 'allow', [
    'git diff f.txt',
    'git blame f.txt',
    'for f in a b; do git add "$f"; done',
  ]);
  none({ allow: ['Bash'], deny: ['Edit(./f.txt)'] }, [
    'git checkout f.txt',
    'git diff --output=f.txt',
    'git diff $x f.txt',
  ]);
  none({ allow: ['Bash'], deny: ['Read(./f.txt)'] }, [
    'git diff f.txt',
    'git blame f.txt',
    'git show HEAD:f.txt',
  ]);
});

test('a rule for a sub-command of git covers no file outside the workspace', () => {
  const commands = [
    'git diff --minimal /etc/passwd /dev/null',
    'git diff --histogram -- /etc/passwd /dev/null',
    'git diff --minimal ../../etc/passwd f.txt',
    'git diff -O/etc/passwd',
    'git blame --contents /etc/passwd f.txt',
    'git grep -f /etc/passwd',
    'git commit -F /etc/passwd',
    'git commit -aF/etc/passwd',
    'git commit --fil=/etc/passwd',
    'git archive -o /home/u/x HEAD',
    'git format-patch -o /home/u HEAD~1',
    'git worktree add /home/u/y',
    'git checkout-index --prefix=/home/u/ -a',
    'git interpret-trailers --in-place /home/u/x',
    'git bundle create /home/u/x HEAD',
    'git clone h:x /home/u/y',
    'git init /home/u/y',
    'git merge-file /home/u/a f.txt f.txt',
    'git fast-export --export-marks=/home/u/x --all',
    'git config -f /home/u/x a.b c',
    'git config --file=/home/u/x a.b c',
  ];
  for (const command of commands) none({ allow: [`Bash(git ${command.split(' ')[1]} *)`] }, [command]);
  all({ allow: ['Bash(git *)'] }, 'allow', [
    'git diff --minimal main..x f.txt',
    'git diff --minimal HEAD -- f.txt',
    'git commit -F msg.txt',
    'git commit -F - ',
    'git commit -m "see /etc/passwd"',
    'git archive -o out.tar HEAD',
    'git format-patch -o patches HEAD~1',
    'git worktree add wt',
    'git clone https://h/x.git',
    'git clone git@h:x y',
    'git add :/',
    "git restore '*.ts'",
    'git config user.name x',
    'git bundle verify x',
  ]);
});

test('settings that git runs come to be by a new name for their section, and in the editor, too', () => {
  none({ allow: ['Bash(git config *)'] }, [
    'git config --rename-section foo core',
    'git config rename-section foo core',
    'git config --edit',
    'git config -e --global',
    'git config edit',
    'git config -f .git/config --rename-section foo core',
  ]);
  all({ allow: ['Bash(git config *)'] }, 'allow', [
    'git config foo.bar x',
    'git config --list',
    'git config --unset foo.bar',
  ]);
});

test('git asks in a directory that is itself a repository, which nobody has to have made by git', () => {
  const planted = ['HEAD', 'objects/x', 'refs/x', 'src/a.ts'].map((name) => `/work/proj/${name}`);
  const answer = (paths: readonly string[], cwd = '/work/proj', allow: readonly string[] = []): string => {
    const permissions = permissionsOf({ allow });
    return decide({
      permissions: { ...permissions, workplace: { ...permissions.workplace, cwd } },
      call: bash('git status'),
      files: filesOf(paths),
    }).behavior;
  };
  expect(answer(planted)).toBe('ask');
  expect(answer(planted, '/work/proj', ['Bash(git *)'])).toBe('ask');
  expect(answer(planted, '/work/proj/src')).toBe('ask');
  expect(answer(['/work/proj/HEAD', '/work/proj/commondir'])).toBe('ask');
  expect(answer([...planted, '/work/proj/.git/x'])).toBe('ask');
  expect(answer([...planted, '/work/proj/.git/HEAD'])).toBe('allow');
  expect(answer([...planted, '/work/proj/.git'])).toBe('allow');
  expect(answer([...planted, '/work/proj/src/.git/HEAD'], '/work/proj/src')).toBe('allow');
  expect(answer(['/work/proj/HEAD', '/work/proj/objects/x'])).toBe('allow');
  expect(judgeIn('acceptEdits', {}, bash('git status')).behavior).toBe('allow');
});

test('formats that have a signature checked are told from those that have not', () => {
  none({}, [
    'git log --format=%-GK',
    "git log '--format=%+G?'",
    "git show '--pretty=% GK'",
    'git log --format=%GK',
  ]);
  all({}, 'allow', ['git log --format=%h', "git log '--pretty=%+an %-s'"]);
});

test('where only options have values, what searches begins where it runs', () => {
  const home = { ...permissionsOf({}).workplace, project: '/home/u', cwd: '/home/u', directories: [] };
  const asked = [
    'git grep -A 1 --untracked key',
    'ls -aR -w 80',
    'tree -a -L 3',
    'fd -H -e json',
    'find -name x',
    'grep -r -m 1 key',
    "rg --hidden -g '*.json' key",
  ];
  const answers = asked.map(
    (command) =>
      decide({ permissions: { ...permissionsOf({}), workplace: home }, call: bash(command), files: FILES })
        .behavior,
  );
  expect(answers).toEqual(asked.map(() => 'ask'));
  all({}, 'allow', [...asked, 'find src -name x', 'grep -rn x src', 'ls -R src', "rg -g '*.ts' x src"]);
});
