/** The shipped git guard: what it refuses, what it asks about, what it lets pass. */
import { describe, expect, it } from 'vitest';
import { beforeTool, missing, runHook } from './run-hook.ts';

async function gitVerdict(command: string): Promise<string> {
  const { code, stdout, stderr } = await runHook('git-guard.py', beforeTool('Bash', { command }));
  expect([code, stderr]).toEqual([0, '']);
  return stdout === '' ? 'passes' : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
}

const DENIED = String.raw`
git push --force
git push -f
git push -uf origin main
git push --mirror
git push origin +main
git push '' -f
git -C x push --force
git -C 'a b' --no-pager -c core.x=y push -f
git --git-dir=x --work-tree y reset --hard
git	push   '--force'
gi"t" pu'sh' --force
/usr/bin/git push -f
A=1 git push -f
sudo -u me git push -f
env A=1 timeout 5 git push -f
xargs git push -f
find . -name x -exec git clean -fd \;
bash -c 'git push --force'
sudo bash -c "git push -f"
eval "git push -f"
eval git push -f
echo 'git push -f' | sh
$(git push -f)
echo "$(git push --force)"
echo ${'`git push -f`'}
$G push --force
cd x && git push -f
ls | git push -f
ls & git push -f
(git push -f)
{ git push -f; }
! git push -f
if true; then git push -f; fi
git push -f > log 2>&1
2>&1 git push -f
> log git push -f
git reset --hard HEAD~1
git reset --har
git clean -fd
git clean -xdf
git clean -d --force
git clean -f -- -n
git checkout .
git checkout -f main
git switch --discard-changes main
git restore .
git restore -SW .
git stash clear
git reflog expire --all
git filter-branch --all`;

const ASKED = `
git push --force-with-lease
git push origin :old
git push --delete origin old
git branch -D old
git stash drop
git checkout -- a.txt`;

const PASSES = String.raw`
git push
git push origin main --follow-tags
git fetch --force
git status
git reset HEAD a.txt
git clean -nd
git clean -n -f
git restore --staged .
git checkout -b feature
git stash
rm -f x && git push
echo "git push --force"
echo git push --force
echo "git push --force at $(date)"
echo "a; git push --force"
printf '%s\n' 'git push -f'
git commit -m 'never git push --force'
git log --grep 'reset --hard'
grep -rn 'git push -f' .
# git push --force
npm run force`;

const rows = (table: string) => table.trim().split('\n');
const LONG = {
  denied: [
    'git \\\n  push \\\n  --force',
    "# it's\ngit push -f",
    'bash <<EOF\ngit push -f\nEOF',
    'cat <<EOF | bash\ngit push -f\nEOF',
  ],
  passes: [
    "cat > notes.md <<'EOF'\ngit push --force\nEOF",
    "git commit -m \"$(cat <<'EOF'\nNever again:\ngit push --force\n\nIt's done.\nEOF\n)\"",
  ],
};

describe.concurrent('the git guard', () => {
  it.for([...rows(DENIED), ...LONG.denied])('denies %j', async (command, { skip }) => {
    skip(missing('git-guard.py') !== undefined, missing('git-guard.py'));
    expect(await gitVerdict(command)).toBe('deny');
  });

  it.for(rows(ASKED))('asks about %j', async (command, { skip }) => {
    skip(missing('git-guard.py') !== undefined, missing('git-guard.py'));
    expect(await gitVerdict(command)).toBe('ask');
  });

  it.for([...rows(PASSES), ...LONG.passes])('has no opinion about %j', async (command, { skip }) => {
    skip(missing('git-guard.py') !== undefined, missing('git-guard.py'));
    expect(await gitVerdict(command)).toBe('passes');
  });
});
