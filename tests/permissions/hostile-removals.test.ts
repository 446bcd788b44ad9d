/** Removals of what much depends on, in forms that do not look like it. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { all, none } from './answers.ts';
import { bash, judgeIn } from './scene.ts';

const BARE = { allow: ['Bash'] };

test('a pattern without a letter of its own is all that is in the directory', () => {
  all(BARE, 'ask', [
    'rm -rf ~/*/',
    'rm -rf "$HOME"/*/',
    'rm -rf ~/*/*',
    'rm -rf ~/[!x]*',
    'rm -rf /usr/*/',
    'rm -rf .[!.]*',
  ]);
  none(BARE, ['rm -rf */', 'rm -rf ./*/', 'rm -rf ./[a-z]*', 'rm -rf [!.]*']);
  all(BARE, 'allow', [
    'rm -f *.pyc',
    'rm -f ./*.log *~',
    'rm -rf src/*/',
    'rm -rf build/*',
    'rm -rf tmp*',
    'rm -rf [0-9]*',
    'rm -rf /tmp/x/*',
  ]);
});

test('what is moved is told from where it goes, wherever that is named; rmdir -p climbs', () => {
  all(BARE, 'ask', [
    'mv -t /tmp/x ~',
    'mv --target-directory=/tmp/x ~',
    'mv --target /tmp/x ~',
    'mv -ft /tmp/x /usr',
    'mv -t/tmp/x .',
    'mv . /tmp/x',
    'rmdir -p /usr/x',
    'rmdir --parents /usr/x/y',
  ]);
  all(BARE, 'allow', [
    'mv a b',
    'mv a .',
    'mv a b ~',
    'mv -t . a b',
    'mv a -t .',
    'mv -S .bak a ~',
    'rmdir -p a/b',
  ]);
});

test('find and fd empty a directory unless a test narrows down what they remove', () => {
  all(BARE, 'deny', [
    "find / -name '*' -delete",
    'find -- / -delete',
    'find -D exec / -delete',
    'find / ! -name x -delete',
    'find / -size +0 -delete',
    'find / -maxdepth 1 -delete',
    'find / -exec env rm -rf {} +',
    'find / -exec mv {} /tmp/x \\;',
    'find / -delete -name x',
    'find / \\( -name x -o -type f \\) -delete',
    "find / -path '/*' -delete",
    'fd . / -X rm -rf {}',
  ]);
  all(BARE, 'ask', [
    'find ~ -mindepth 1 -maxdepth 1 -exec rm -rf {} +',
    'find . -maxdepth 0 -exec rm -rf {} +',
    "find . -regex '.*' -delete",
    "find . -not -path './.git/*' -delete",
    'find . -path ./.git -prune -o -type f -delete',
    'fd -X rm',
    'fd -t f -x nice rm',
  ]);
  all(BARE, 'allow', [
    "find . -name '*.pyc' -delete",
    "find . \\( -name '*.o' -o -name '*.a' \\) -delete",
    "find . -name '*.o' -o -name '*.a' -delete",
    'find . -type d -name node_modules -prune -exec rm -rf {} +',
    "find . -path './build/*' -delete",
    'find . -type d -empty -delete',
    'find . -mtime +3 -delete',
    'find build -type f -delete',
    'find . -type f -exec grep -l rm {} +',
    'fd -e pyc -X rm',
    "fd '\\.pyc$' -x rm",
  ]);
});

test('names that come to a removal through a pipe are those that the pipe makes', () => {
  none(BARE, [
    'find / | xargs rm -rf',
    'find ~ -mindepth 1 -maxdepth 1 -print0 | xargs -0 rm -rf',
    'cd / && find . -type f | xargs rm',
    'find ~ | sort | xargs -n1 env rm -rf',
    'find . -name x | xargs dirname | xargs rm -rf',
    'pwd | xargs rm -rf',
    'pwd | xargs -I{} mv {} /tmp/x',
    'git rev-parse --show-toplevel | xargs rm -rf',
    'cat list | xargs rm -rf',
    'xargs rm -rf < list',
    "bash -c 'pwd | xargs rm -rf'",
  ]);
  all(BARE, 'allow', [
    "find . -name '*.pyc' | xargs rm -f",
    "find . -name '*.pyc' -print0 | xargs -0 rm -f",
    'find . -type d -name node_modules | xargs rm -rf',
    'find . -type f | grep pyc | xargs rm -f',
    'git ls-files -d | xargs git rm',
    'ls *.log | xargs rm',
    'rg -l foo | xargs rm -f',
    'cat list | xargs -I{} rm -rf build/{}',
    'docker ps -q | xargs docker rm',
  ]);
});

test('what is removed and known only when it runs asks, quoted or not', () => {
  all(BARE, 'ask', [
    'rm -rf $(git rev-parse --show-toplevel)',
    'rm -rf $(echo /)',
    'rm -rf "$(echo /)"',
    'read -r x <<< /usr; rm -rf $x',
    'x=/usr/bin; rm -rf \u0024{x%/bin}',
    'rm -rf $tmp',
    'mv $a b',
  ]);
  all(BARE, 'allow', [
    'x=build; rm -rf $x',
    'x=build/; rm -rf "\u0024{x%/}"',
    'for f in *.c; do rm "\u0024{f%.c}.o"; done',
    'for f in *.log; do rm $f; done',
    'mv a $b',
    'docker rm $(docker ps -aq)',
    'git rm $(git ls-files -d)',
  ]);
});

test('an additional directory is as critical as the project', () => {
  for (const command of ['rm -rf /work/lib', 'mv /work/lib x', 'rm -rf /work/lib/*'])
    expect(judgeIn('acceptEdits', {}, bash(command)).cause).toEqual({
      kind: 'builtin',
      name: 'critical-removal',
    });
  expect(judgeIn('acceptEdits', {}, bash('rm -rf /work/lib/x')).behavior).toBe('allow');
});
