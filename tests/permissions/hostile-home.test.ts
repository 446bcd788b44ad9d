/** Ways to hookd's own files, and code that is planted for later. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { hidesNames } from '../../src/permissions/hidden-names.ts';
import { all, none } from './answers.ts';
import { FILES, permissionsOf, type RuleTexts } from './scene.ts';

const BARE: RuleTexts = { allow: ['Bash'] };

test('hookd is not reached by a name that a pattern, a variable or a substitution makes', () => {
  all(BARE, 'deny', [
    '$(which hookd) trust',
    'h*d trust',
    'hook? settings accept',
    '/usr/bin/h[o]okd trust',
    'npx h*d trust',
    'X=hookd; $X trust',
    'cat $(pwd)/../../home/u/.hookd/x',
    'cat `pwd`/../../home/u/.hookd/x',
    "eval 'cat \u0024{HOOKD_HOME}/x'",
    `bash -c 'cat "$HOOKD''_HOME"/x'`,
    'echo \u0024{!HOOKD@}',
    'echo \u0024{!H*}',
    'x=HOOKD_HOME; cat "\u0024{!x}/x"',
    'declare -n r=HOOKD_HOME; cat $r/x',
  ]);
});

test('a name is looked at again from each directory that the shell may be in, also behind code with a directory of its own', () => {
  all(BARE, 'deny', [
    'sh -c "cd /tmp; cat .hookd/a"; cd ~; cat .hookd/a',
    'sh -c "cd /tmp; echo .hookd/a"; cd ~; cat .hookd/a',
    'bash -c "cd sub && ls .hookd/x"; cd ~ && rm -r .hookd/x',
    '(cd /tmp; cat .hookd/a); (cd ~; cat .hookd/a)',
  ]);
  all(BARE, 'allow', ['sh -c "cd /tmp; cat .hookd/a"; cd sub; cat .hookd/a']);
});

test('what may be hookd asks, and what names something else does not', () => {
  all(BARE, 'ask', ['$X trust', '"$P" settings accept', 'cat ~/$X', 'ls "$HOME/$X/y"', 'rm -r ~/$(id)']);
  all(BARE, 'allow', [
    'X=notes; cat ~/$X',
    'cat ~/notes/$X',
    'cat $X',
    '$(npm bin)/tsc --noEmit',
    '$PYTHON run.py',
    'h* --version',
    '$(which hookd) audit tail',
    'echo "$HOME"',
    'hookd audit tail',
  ]);
});

test('settings that git or npm run later are written like the files that hold them', () => {
  all(BARE, 'ask', [
    'git config core.hooksPath x',
    "git config alias.st '!x'",
    'git config --global core.pager x',
    'git config set core.editor x',
    'git config --unset core.hooksPath',
    'git -C . config --add include.path x',
    'npm config set script-shell x',
    'env git config filter.x.clean y',
  ]);
  all(BARE, 'allow', [
    'git config user.name x',
    'git config --get core.pager',
    'git config core.hooksPath',
    'git config --list',
    'npm config get registry',
  ]);
});

test('a pattern that rests on an unknown variable asks where a known one is denied', () => {
  all(BARE, 'ask', ['rm -rf "$dir"/*', 'rm -rf "$(mktemp -d)"/*', 'rm -rf $X/*']);
  all(BARE, 'deny', ['rm -rf /*', 'X=/; rm -rf $X*', 'rm -rf "$dir" /']);
  all(BARE, 'allow', ['dir=build; rm -rf "$dir"/*']);
});

test('quoted patterns are names', () => {
  all({ allow: ['Bash'], deny: ['Read(.env)'] }, 'allow', [
    "grep '.e*' f.txt",
    "sed 's/.*//' f.txt",
    'cat "*"',
  ]);
  all({ allow: ['Bash'], deny: ['Read(.env)'] }, 'deny', [
    'cat .e*',
    "find . -name '.e*' -exec cat {} +",
    "bash -c 'cat .e*'",
  ]);
  none({ allow: ['Bash'], deny: ['Read(.env)'] }, ["unknown-tool '.e*'", "git add '.e*'"]);
});

test('printf that sets a variable is not free', () => {
  none({}, ["printf '%n' PATH", "printf 'a%d%n' 1 PATH"]);
  all({}, 'allow', ["printf '%s\\n' x", "printf '%d items' 3"]);
});

test('a list of files leaves out what a deny rule covers, behind links too', () => {
  const hides = hidesNames(
    permissionsOf({ deny: ['Read(secrets/**)', 'Read(.env)', 'Edit(f.txt)'], ask: ['Read(src/**)'] }),
    FILES,
  );
  const paths = ['secrets/key', '.env', 'env-link', 'f.txt', 'src/a.ts'].map((name) => `/work/proj/${name}`);
  expect(paths.filter(hides)).toEqual(['/work/proj/secrets/key', '/work/proj/.env', '/work/proj/env-link']);
});

test('what reads below a directory that holds hookd asks, though it names none of it; names alone are no contents', () => {
  all(BARE, 'ask', [
    'grep -r key ~',
    'find ~ -type f -exec cat {} +',
    'find ~ -type f | xargs cat',
    'find / -name x -print0 | xargs -0 cat',
    'cd ~ && find . -type f -exec cat {} +',
    'find ~ | while read -r f; do cat "$f"; done',
    // What it does comes before the name is looked at, or for other names, too.
    'find ~ -exec cat {} + -name "*.md"',
    'find ~ -print -name "*.md" | xargs cat',
    'find ~ ! -name "*.md" -exec cat {} +',
    'find ~ -name "*.md" -o -exec cat {} +',
    'find -- ~ -exec cat {} +',
    'fd . ~ -X cat',
    'zip -r x.zip ~',
    '7z a x.7z ~',
    'chmod -R 777 ~',
    'tar cf x.tar ~',
  ]);
  all(BARE, 'allow', [
    'find . -type f -exec cat {} +',
    'find src -type f | xargs cat',
    'find ~ -name x',
    'find ~ -name "*.md" -exec cat {} +',
    'ls -aR ~',
    'zip -r x.zip src',
    'chmod -R 755 src',
    'fd . src -X cat',
  ]);
});
