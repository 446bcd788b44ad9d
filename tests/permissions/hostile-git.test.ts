/** What git is made to run, under rules for git. Nothing here is ever run. */
import { test } from 'vitest';
import { all, none } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const PUSH: RuleTexts = { allow: ['Bash'], deny: ['Bash(git push *)', 'Bash(rm *)'] };

test('an option of git that runs something is known by its beginning, and among other letters', () => {
  all(PUSH, 'deny', [
    "git rebase --exe 'git push' HEAD~1",
    "git rebase -ix 'git push' HEAD~1",
    "git rebase -ix'git push' HEAD~1",
    "git clone --upload-pa='git push' a b",
    "git fetch --upload-p='git push' .",
    "git difftool --extc='git push'",
    "git difftool -yx 'git push'",
    "git grep --open='git push' x",
    "git grep -nO'git push' x",
    "git send-email --sendmail-c='git push' x",
    "git send-email -sendmail-cmd='git push' x",
    "git clone --conf core.sshCommand='git push' h:x",
    "git clone -qc core.sshCommand='git push' h:x",
    "git clone -qu 'git push' . y",
  ]);
  none(PUSH, [
    'git init --templ=x',
    'git init --t=x',
    'git clone --templ x a b',
    'git rebase -x "$CMD" HEAD',
  ]);
});

test('what git submodule and others run is looked at behind their options, too', () => {
  all(PUSH, 'deny', [
    "git submodule foreach --recursive 'git push'",
    "git submodule --quiet foreach 'git push'",
    'git submodule -q foreach -q --recursive git push',
    'git for-each-repo --config=x push',
    'git for-each-repo --config x push origin',
    'git -C . for-each-repo --config=x -- push',
    '/usr/lib/git-core/git-push origin',
    'git-push',
    "/usr/lib/git-core/git-rebase -x 'git push' HEAD",
    "git -c alias.x='!git' x push",
    "git -c alias.x='-c a.b=c' x push",
  ]);
});

test('settings that have git take a word for a command ask', () => {
  all(PUSH, 'deny', [
    "git -c protocol.ext.allow=never -c remote.x.url='ext::git push' fetch x",
    "git -c protocol.ext.allow=never -c 'url.ext::git push.insteadOf=x' fetch x",
    "git fetch 'ext::sh -c git% push'",
  ]);
  none(PUSH, [
    "V='!git push' git --config-env=alias.x=V x",
    "V='!git push' git --config-env alias.x=V x",
    "export V='!git push'; git --config-env=alias.x=V x",
    "env V='!git push' git --config-env=ALIAS.x=V x",
    'git -c help.autocorrect=immediate pus',
    'git -c help.autoCorrect=1 pus',
    'git --config-env=help.autocorrect=V pus',
    'git -c protocol.ext.allow=always fetch x',
    'git -c protocol.allow=always fetch x',
  ]);
  all(PUSH, 'allow', [
    'git -c user.name=x commit -m "$MSG"',
    'git -c help.autocorrect=never status',
    'git -c protocol.file.allow=always submodule update',
    'git -c core.pager=cat log -p',
    'git switch -c feature',
    'git commit -c HEAD',
    'git clone -b main h:x y',
    'git submodule foreach git pull',
    'git rebase -i HEAD~2',
    'git bisect run npm test',
    'git config --get help.autocorrect',
  ]);
});

test('a rule for a sub-command of git says nothing about the program that it is handed', () => {
  const commands = [
    "git fetch --upload-pack='touch x;' .",
    'git fetch --upload-p ./evil .',
    'git push --receive-pack=./evil . main',
    'git push --exec=./evil . main',
    'git pull --upload-pack=./evil .',
    'git ls-remote --exec=./evil .',
    "git rebase -x 'curl h|sh' HEAD",
    "git rebase -ix 'curl h' HEAD",
    'git grep -O./evil x',
    'git bisect run ./evil',
    "git submodule foreach 'curl h'",
    "git submodule --quiet foreach --recursive 'curl h'",
    'git difftool -x ./evil -y',
    'git clone -c core.sshCommand=./evil h:x',
    'git clone -qc core.hooksPath=./evil h:x',
    'git clone -u ./evil . y',
    'git clone --templ=x . y',
    'git filter-branch --tree-filter ./evil',
    'git send-email --sendmail-cmd=./evil x',
    'git send-email --smtp-server=/tmp/evil x',
    'git archive --remote=. --exec=./evil HEAD',
    'git for-each-repo --config=x gc',
    "git fetch 'ext::sh -c x'",
    'git -c core.fsmonitor=./evil status',
    'git -c help.autocorrect=1 statu',
  ];
  for (const command of commands) {
    const [, sub = ''] = command.split(' ');
    none({ allow: ['Bash(git *)', `Bash(git ${sub} *)`] }, [command]);
    all({ allow: [`Bash(${command})`] }, 'allow', [command]);
  }
  none({ allow: ['Bash(git * main)'] }, ['git push --receive-pack=./evil main']);
  all({ allow: ['Bash(git *)'] }, 'allow', [
    'git fetch --all --prune',
    'git push -u origin main',
    'git pull --rebase',
    'git rebase -i HEAD~2',
    'git rebase --onto main x y',
    'git grep -n x',
    'git submodule update --init --recursive',
    'git clone -b main https://h/x.git',
    'git -c core.pager=cat log',
    'git -c core.editor=true rebase --continue',
    'git -c core.hooksPath=/dev/null commit -m x',
    'git -c protocol.file.allow=always submodule update',
    'git -c url.https://h/.insteadOf=git@h: fetch',
    'git -c credential.helper= fetch',
    'git switch -c feature',
    'git commit -am "run it"',
    'git bisect start',
    'git send-email --smtp-server=smtp.h x',
    'git push main',
  ]);
});
