/** Commands that a deny rule means, run by another program or behind options. Nothing here is ever run. */
import { test } from 'vitest';
import { all, none } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const RULES: RuleTexts = { allow: ['Bash'], deny: ['Bash(git push *)', 'Bash(curl *)'] };

test('options before a sub-command do not hide it', () => {
  all(RULES, 'deny', [
    'git -C . push',
    'git -c k=v push',
    'git --git-dir=x push',
    'git --git-dir x --work-tree . push origin',
    'git --no-pager -p push',
    'git --literal-pathspecs --namespace n push',
    'git --an-option-of-tomorrow push',
    'git --an-option-of-tomorrow value push',
    'env -i git -C a -c b=c push origin main',
  ]);
  const tools = [
    'npm publish',
    'docker compose up',
    'kubectl delete pod',
    'systemctl stop',
    'gh pr merge',
    'cargo publish',
  ];
  all({ allow: ['Bash'], deny: tools.map((tool) => `Bash(${tool} *)`) }, 'deny', [
    'npm --silent publish',
    'npm --prefix x publish',
    'docker -D -H tcp://h compose -f x.yml up -d',
    'kubectl -n prod --context c delete pod a',
    'kubectl delete -n prod pod a',
    'systemctl --user --now stop x',
    'gh -R o/r pr merge 1',
    'cargo --locked -Z x publish',
    'cargo +nightly --locked publish'.replace('+nightly ', ''),
  ]);
});

test('options before a sub-command are looked through for denials, not for what allows or for one exact question', () => {
  none({ allow: ['Bash(git push *)', 'Bash(git status)'] }, [
    'git -C . push',
    'git -c a=b push',
    'git -C x status',
  ]);
  all({ allow: ['Bash'], ask: ['Bash(git status)'] }, 'allow', ['git -C x status']);
  all({ allow: ['Bash'], deny: ['Bash(git status)'] }, 'deny', ['git -C x status']);
  all(RULES, 'allow', [
    'git -C . pull',
    'git -C push status',
    'git log --grep push',
    'git commit -m "git push"',
  ]);
});

test('more options than anybody writes are not looked through, and ask', () => {
  none(RULES, [`git ${'-p '.repeat(60)}push`, `git ${'-c a=b '.repeat(60)}push`]);
});

test('a program that is handed another program or code is seen to run it', () => {
  all(RULES, 'deny', [
    'fd --exec git push',
    'fd . -X git push',
    'fd -Hx git push',
    'fd . --exec-batch=git push',
    "rsync -e 'git push' a b",
    "rsync -avze 'curl x' a b",
    "rsync --rsh='curl x' a b",
    "man -P 'curl x' ls",
    "man -P'curl x' ls",
    "man --pager='curl x' ls",
    "strace -o '|curl x' ls",
    "strace -o'!curl x' ls",
    "tar cf a b --to-command='curl x'",
    'tar cf a b --checkpoint-action=exec="curl x"',
    "tar -cI 'curl x' a b",
    "nix-shell --run 'curl x'",
    "hyperfine --prepare 'curl x' ls",
    'xterm -e curl x',
    'bwrap --dev /dev curl x',
    'setsid -f curl x',
    'flock -n f curl x',
    'unshare -r curl x',
    'nsenter -t 1 -m curl x',
    'chroot --userspec=a:b / curl x',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/curl x',
    "git -c alias.z='!curl x' z",
    "git -c core.sshCommand='curl x' fetch",
    "git -c core.pager='curl x' log",
    "git grep -O'curl x' a",
    "git difftool --extcmd='curl x'",
    "git clone 'ext::curl x' d",
    "git rebase -x'curl x' main",
    'git bisect run curl x',
  ]);
});

test('code for a program that cannot be looked into asks', () => {
  none(RULES, [
    'scp -S ./x a b:c',
    'sftp -o ProxyCommand=x h',
    'ssh -o ProxyCommand=x h',
    'go build -toolexec ./x',
    'go vet -vettool=./x',
    'go test -exec=./x',
    "zip -T -TT'x y' a b",
    "sqlite3 db '.shell x'",
    "sqlite3 db \"select edit('a','x')\"",
    "psql -f a -c '\\! x'",
    'gdb --args a',
    "perl '-Mlib;system(1)' f",
    "node --import 'data:text/javascript,x' f",
    'node20 -e x',
    'python3.11 -c x',
    "bash-5.2 -c 'curl x'",
    "gawk-5.1 'BEGIN{system(1)}'",
    'ncat -e x h',
    'socat EXEC:x -',
    'make X!=y',
    "make 'X=$(shell y)'",
    'git --exec-path=/tmp x',
    'git -c include.path=x status',
    'git clone --template=x a b',
    'openssl req -engine ./x',
    'parallel x ::: a',
    'busybox x',
    'systemd-run x',
    'enable -f ./x.so x',
    'emacs --batch --eval x',
    "less +'!x' f",
    'rsync -e "$X" a b',
    'docker run -it a b',
  ]);
});

test('a program that is not known asks when it is given words that a rule is about', () => {
  none(RULES, [
    'launch-it curl x',
    'launch-it --flag git push',
    "launch-it --run='git push'",
    "launch-it 'true; curl x'",
    "concurrently 'curl x' 'ls'",
    'op run -- curl x',
    'aws-vault exec prod -- git -C . push',
    'podman exec a curl x',
    'launch-it -e curl',
    'launch-it curl',
  ]);
  all(RULES, 'allow', [
    'apt-get install -y curl',
    'brew install curl jq',
    'npm run build',
    'make curl',
    'gh pr create --title "use curl x"',
    'pkill curl',
    'man curl',
    'pytest -k "git push"',
    'grep -rn "curl x" src',
  ]);
});

test('what a rule calls by its place is found wherever it is called from', () => {
  all({ allow: ['Bash'], deny: ['Bash(~/bin/x *)', 'Bash(./deploy.sh *)', 'Bash(/opt/tool *)'] }, 'deny', [
    '~/bin/x a',
    '$HOME/bin/x a',
    '/home/u/bin/x',
    'cd ~; bin/x a',
    'bash ~/bin/x a',
    './deploy.sh',
    'bash deploy.sh prod',
    'bash -x ./deploy.sh prod',
    'sh /work/proj/deploy.sh',
    '. ./deploy.sh',
    'cd src; ../deploy.sh',
    'python3 ../proj/deploy.sh',
    'sudo -n /opt/tool',
    'zsh /opt/../opt/tool a',
  ]);
});

test('what a program says about another one is not a call of it', () => {
  all({ allow: ['Bash'], deny: ['Bash(reboot *)'] }, 'allow', [
    'command -v reboot',
    'command -V sudo',
    'strace -e reboot ls',
  ]);
  all({ allow: ['Bash'] }, 'allow', ['command -pv sudo', 'strace -f -e reboot ls']);
  all({ allow: ['Bash'] }, 'deny', ['command sudo ls', 'strace -f reboot', 'strace -e reboot sudo ls']);
});
