/** What a rule does not cover although it names the program or the file, and what a denial covers all the same. Nothing here is ever run. */
import { expect, test } from 'vitest';
import { all } from './answers.ts';
import { bash, judge, judgeIn, type RuleTexts, read } from './scene.ts';

test('a file that may be edited may be read by the tools, not by any command', () => {
  const rules: RuleTexts = { allow: ['Edit(//etc/**)', 'Bash(cp:*)', 'Bash(tool:*)'] };
  expect(judge(rules, read('/etc/passwd')).behavior).toBe('allow');
  all(rules, 'ask', ['cat /etc/passwd', 'grep x /etc/passwd', 'tool < /etc/passwd', 'cp /etc/passwd .']);
  all(rules, 'allow', ['cp f.txt /etc/n', 'cp src/a.ts /etc/b']);
  all({ allow: ['Edit(//etc/**)', 'Read(//etc/**)'] }, 'allow', ['cat /etc/passwd']);
});

test('a rule for a program that removes or changes files is none for whatever a pattern stands for', () => {
  const rules: RuleTexts = {
    allow: 'rm rmdir mv cp touch mkdir sed cat'.split(' ').map((name) => `Bash(${name}:*)`),
  };
  all(rules, 'ask', [
    'rm *.txt',
    'rm -f ./f.*',
    'mv *.txt src',
    'cp f.* src',
    'touch s*',
    'sed -i s/a/b/ *.txt',
  ]);
  all(rules, 'allow', ['rm f.txt', "touch '*'", 'cat *.txt', "sed -i 's/a*/b/' f.txt"]);
  all({ allow: ['Bash'] }, 'allow', ['rm *.txt']);
  all({ allow: ['Bash(tee:*)', 'Bash(ln:*)'] }, 'ask', ['tee f.*', 'ln -s f.* src']);
  all({}, 'ask', ['cd s*']);
});

test('git after a change of directory asks, whatever rules cover both', () => {
  const rules: RuleTexts = { allow: ['Bash(cd *)', 'Bash(git *)', 'Bash(make:*)'] };
  all(rules, 'ask', ['cd src && git status', 'cd src; git commit -m x', 'cd src && timeout 5 git push']);
  all(rules, 'allow', ['cd . && git status', 'git status && cd src', 'cd src && make', 'cd src']);
});

test('only standard output and the errors may be copied to each other', () => {
  const rules: RuleTexts = { allow: ['Bash(tool:*)', 'Edit(**)'] };
  all(rules, 'allow', ['tool 2>&1', 'tool >&2', 'tool > n 2>&1']);
  all(rules, 'ask', ['tool 3>&1', 'tool >&3', 'tool <&0', 'tool <> n', 'tool 3<> n']);
});

test('a star before ":*" allows nothing and still denies', () => {
  all({ allow: ['Bash(tool *:*)'] }, 'ask', ['tool a', 'tool f* a', 'tool']);
  all({ allow: ['Bash'], deny: ['Bash(tool *:*)'] }, 'deny', ['tool a', 'tool a b']);
});

const DENIED: RuleTexts = { allow: ['Bash'], deny: ['Bash(rmx:*)'] };

test('a program that is not known may run its last word; what is made from a file of targets is no program', () => {
  all(DENIED, 'ask', ['torify rmx', 'cgexec rmx', 'ip netns exec x rmx', 'tool run rmx', 'tool -- rmx']);
  all(DENIED, 'allow', [
    'make rmx',
    'just rmx',
    ': rmx',
    'man rmx',
    'npm run rmx',
    'time -v rmx',
    'tool xrmx',
  ]);
});

test('what an alias stands for is looked through', () => {
  all(DENIED, 'deny', ["alias x='rmx a'; x", 'alias a=b x=rmx', 'alias x="true; rmx"']);
  all(DENIED, 'ask', ['alias x=y', 'alias x="$Y"', 'alias rmx=true']);
});

test('an assignment in a rule is the same one in quotes, or given to env', () => {
  const rules: RuleTexts = { allow: ['Bash'], deny: ['Bash(MODE=live tool *)'] };
  all(rules, 'deny', [
    'MODE=live tool a',
    'MODE="live" tool a',
    "MODE='live' tool a",
    'env MODE=live tool a',
  ]);
  all(rules, 'allow', ['MODE=test tool a', 'tool a', 'OTHER=1 MODE=live tool a']);
});

test('names that find and ls hand to xargs are judged like operands', () => {
  const rules: RuleTexts = { allow: ['Bash'], deny: ['Read(./.env)', 'Edit(f.txt)'] };
  all(rules, 'deny', [
    'find . -name .env | xargs cat',
    'find src . -iname .env -print0 | xargs -0 head',
    'find . -path ./.env | xargs cat',
    'find . -name f.txt | xargs rm',
    'ls f.txt | xargs rm -f',
  ]);
  all(rules, 'ask', ['find . -type f | xargs cat', 'ls | xargs cat', 'find . -name x.txt | xargs cat']);
});

test('the directory of a command is not listed where a rule denies all of it', () => {
  all({ allow: ['Bash'], deny: ['Read(**)'] }, 'deny', ['ls', 'ls -la', 'ls .', 'tree', 'ls *', 'ls src/..']);
  all({ allow: ['Bash'], deny: ['Read(src/**)'] }, 'deny', ['cd src; ls', 'ls src/*', 'ls s*']);
  all({ allow: ['Bash'], deny: ['Read(*.txt)'] }, 'allow', ['ls', 'tree']);
});

test('rmdir names a directory, also one that is not there', () => {
  const rules: RuleTexts = { deny: ['Edit(gone/**)'] };
  expect(judgeIn('acceptEdits', rules, bash('rmdir gone')).behavior).toBe('deny');
  expect(judgeIn('acceptEdits', rules, bash('rmdir other')).behavior).toBe('allow');
});
