/** One denied command in as many disguises as came to mind. Nothing here is ever run. `␤` stands for a new line. */
import { expect, test } from 'vitest';
import { all, none } from './answers.ts';

const PUSHES = `
git   push
git "push"
g''it push
\\git push
git pu\\sh
$'git' push
git $'push'
git $(echo push)
git \`echo push\`
"git" 'push' origin
/usr/bin/git push
./git push
env git push
env -i PATH=/bin git push
GIT_DIR=x git push
git -c a.b=c -c d.e=f push --force
command git push
builtin command git push
exec git push
exec -a x git push
nohup git push &
(git push)
{ git push; }
! git push
time git push
time -p git push
if git push; then :; fi
while git push; do break; done
until ! git push; do :; done
for x in 1; do git push; done
case x in *) git push;; esac
select x in a; do git push; done
f() { git push; }; f
function f { git push; }; f
coproc git push
git push | cat
cat | git push
true && git push
false || git push
true; git push
true & git push
echo $(git push)
echo "$(git push)"
echo \`git push\`
cat <(git push)
echo > >(git push)
cat <<E␤$(git push)␤E
bash <<E␤git push␤E
bash <<< 'git push'
echo 'git push' | bash
echo git push | sh -s
printf 'git push' | bash
printf '%s %s' git push | bash
echo Z2l0IHB1c2g= | base64 -d | bash
bash -c 'git push'
bash -c "git push"
bash -ec 'git push'
bash --norc -c 'git push'
bash -c 'git "$@"' x push
bash -c '$0 push' git
bash -c '"$@"' x git push
sh -c 'exec git push'
eval git push
eval 'git push'
eval "git" "push"
eval $(echo git push)
eval "$(printf 'git push')"
source <(echo git push)
. <(echo git push)
xargs git push < /dev/null
echo push | xargs git
echo git push | xargs -n2 env
echo 'git push' | xargs -I{} sh -c '{}'
find . -maxdepth 0 -exec git push \\;
find . -maxdepth 0 -exec sh -c 'git push' \\;
find . -name push -exec git {} \\;
awk 'BEGIN{system("git push")}'
sed '1e git push' f.txt
sed -n '1{e git push␤}' f.txt
perl -e 'exec "git push"'
python3 - <<< 'import os; os.system("git push")'
python3 <<E␤import os␤E
node -e 'require("child_process").execSync("git push")'
trap 'git push' EXIT
trap 'git push' 0 1 2
PROMPT_COMMAND='git push' bash -ic :
PS4='$(git push)' bash -xc :
alias p='git push'; p
shopt -s expand_aliases␤alias p='git push'␤p
hash -p /usr/bin/git g; g push
x=push; git $x
x=git; $x push
x='git push'; $x
x=(git push); "\${x[@]}"
declare x=push; git $x
export x=push; git $x
read x <<< push; git $x
read x y <<< 'git push'; $x $y
printf -v x push; git $x
mapfile x <<< push; git $x
for v in push; do git $v; done
set -- push; git "$1"
set -- git push; "$@"
IFS=:; x=git:push; $x
git \${x:-push}
git \${x-push}
git \${x:+pull}push
git pu\${x}sh
git push\${x}
git {push,--all}
{git,push}
git {pu,}sh
git p?sh
git [p]ush
git pus*
~/../../usr/bin/git push
git --no-replace-objects push
git --config-env=a.b=HOME push
git -P push
git --bare push
git -c alias.x=push x
git -c alias.x='!git push' x
git config alias.x push && git x
git config --local alias.x push; git x
git submodule foreach 'git push'
git submodule foreach git push
git rebase --exec 'git push' HEAD~1
git bisect run git push
git -c core.editor='git push' commit
GIT_EDITOR='git push' git commit
GIT_SSH_COMMAND='git push' git fetch
EDITOR='git push' git commit
git -c sequence.editor='git push' rebase -i
git commit -m x && git push
git commit -m "$(git push)"
watch git push
timeout 5 git push
timeout -s KILL 5 git push
timeout --kill-after=1 5 git push
nice -n5 git push
nice -5 git push
ionice -c3 git push
stdbuf -o0 git push
setsid git push
setsid -w git push
script -qc 'git push' /dev/null
unshare -U git push
flock /tmp/l git push
flock /tmp/l -c 'git push'
chrt -b 0 git push
taskset 1 git push
strace -f git push
ltrace git push
parallel git ::: push
parallel ::: 'git push'
ssh localhost git push
su -c 'git push'
sudo git push
doas git push
systemd-run --user git push
tmux new -d 'git push'
screen -dm git push
at now <<< 'git push'
echo 'git push' | at now
crontab - <<< '* * * * * git push'
make -f - <<< 'x:; git push'
make --eval='x:; git push' x
npm exec -- git push
npx -c 'git push'
npx git push
docker run x git push
nix-shell --run 'git push'
fd -x git push
fd . -x git push
rsync -e 'git push' a: b
tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='git push'
zip x y -TT 'git push' -T
man -P 'git push' ls
vim -c ':!git push' -c q
ed <<< '!git push'
gdb -batch -ex '!git push'
less '+!git push' f.txt
python3 -c 'import os;os.system("git push")'
busybox sh -c 'git push'
expect -c 'spawn git push'
tclsh <<< 'exec git push'
echo 'git push' > p.sh; bash p.sh
echo 'git push' > p.sh && sh ./p.sh
printf 'git push' | tee p.sh; bash p.sh
cat > p.sh <<< 'git push'; . ./p.sh
cat > p.sh <<'E'␤git push␤E␤chmod +x p.sh; ./p.sh
echo 'git push' >> ~/.bashrc
cp p.sh q.sh; bash q.sh
[[ $(git push) ]]
[ -n "$(git push)" ]
test "$(git push)"
(( $(git push) ))
a[$(git push)]=1
echo \${a[$(git push)]}
echo $(( a[$(git push)] ))
: \${x:=$(git push)}
: "\${x:?$(git push)}"
let 'x=$(git push)'
declare -i x='a[$(git push)]'
export X="$(git push)"
local x=$(git push)
exec 3< <(git push)
exec 3>&1; git push >&3
mapfile -t a < <(git push)
git push > /dev/null 2>&1
2>/dev/null git push
< /dev/null git push
>/dev/null git push
3<&- git push
git push;
git push #x
 git push
	git push
git	push
git push\\
git \\␤push
g\\␤it push
`;

test('a denied command is allowed in no disguise', () => {
  const commands = PUSHES.split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('␤', '\n'));
  expect(commands.length).toBeGreaterThan(200);
  none({ allow: ['Bash'], deny: ['Bash(git push *)'] }, commands);
});

test('what the command itself does not fill is a script like any other', () => {
  all({ allow: ['Bash'], deny: ['Bash(git push *)'] }, 'allow', [
    'chmod +x p.sh; ./p.sh',
    'bash p.sh > log',
    'cc -o ./a a.c && ./a',
    'cp f.txt g.txt; bash p.sh',
  ]);
});
