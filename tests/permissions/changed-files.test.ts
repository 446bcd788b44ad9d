/** Protected paths as they are changed by programs that no table knows, in place, as an output, or through find and xargs. */
import { expect, test } from 'vitest';
import { bash, judge } from './scene.ts';

const decided = (command: string) => judge({ allow: ['Bash'] }, bash(command));

test.each([
  'perl -pi -e s/a/b/ .bashrc',
  'perl -i.bak -pe s/a/b/ .mcp.json',
  'ruby -pi -e 1 .bashrc',
  'gawk -i inplace 1 .bashrc',
  'prettier --write .mcp.json',
  'npx prettier --write .mcp.json',
  'eslint --fix .git/x.js',
  'dos2unix .bashrc',
  'shfmt -w .bashrc',
  'sd a b .bashrc',
  'openssl rand -out .bashrc 3',
  'pandoc -o .bashrc x',
  'esbuild a.ts --outfile=.bashrc',
  'go build -o .git/hooks/pre-commit .',
  'cargo install --root .cargo x',
  'find .git -name h -exec rm {} +',
  'find . -name .bashrc -exec cp x {} ;'.replace(';', '\\;'),
  'find . -path ./.git/config -exec tee {} +',
  'find .git -type f | xargs rm',
  'echo .bashrc | xargs rm',
  'fd -H . .git -x rm',
])('%s asks under a rule for every command', (command) => {
  expect(decided(command)).toMatchObject({
    behavior: 'ask',
    cause: { kind: 'builtin', name: 'protected-path' },
  });
});

test.each([
  'perl -ne print .bashrc',
  'awk 1 .bashrc',
  'prettier --check .mcp.json',
  'prettier --write src',
  'grep -i x .bashrc',
  'gcc -o a.out a.c',
  'find . -path ./.git -prune -o -name "*.ts" -exec prettier --write {} +',
  'find . -not -path "./.git/*" -name "*.ts" -exec rm {} +',
  'find . -type f -not -path "*/.git/*" -exec sed -i s/a/b/ {} +',
  'find .git -type f -exec grep x {} +',
  'find .git -type f | xargs wc -l',
  'find src -type f | xargs rm',
  'docker run -v .git:/x i',
])('%s changes no protected path', (command) => {
  expect(decided(command)).toMatchObject({ behavior: 'allow' });
});

test.each([
  'find . ! -name .env -o -exec cat {} +',
  'find . ! ! -name .env -exec cat {} +',
  'find . \\( -not -name .env -o -type f \\) -exec cat {} +',
  'find . -type d -name .env -prune -o -exec cat {} +',
  'find . ! -name .env -prune -o -exec cat {} +',
  'find . -name .env -prune -exec cat {} +',
  'find . -depth -name .env -prune -o -exec cat {} +',
  'find . -name .env -prune -o -print , -exec cat {} +',
])('%s hands on the name that it seems to leave out', (command) => {
  expect(judge({ allow: ['Bash'], deny: ['Read(.env)'] }, bash(command)).behavior).not.toBe('allow');
});

test.each(['find . ! -name .env -exec cat {} +', 'find . -name .env -prune -o -type f -exec cat {} +'])(
  '%s is not denied for what it leaves out',
  (command) => {
    expect(judge({ allow: ['Bash'], deny: ['Read(.env)'] }, bash(command)).behavior).toBe('ask');
  },
);

test.each([
  'find . -printf ! -path ./.git/config -exec sed -i s/a/b/ {} +',
  'find . -printf ! -name .bashrc -exec tee {} +',
  'find . -name .git -prune -o -mindepth 2 -type f -exec sed -i s/a/b/ {} +',
  'find . -path .git -prune -o -type f -exec sed -i s/a/b/ {} +',
  'find . -type f ! -path .git/config -exec sed -i s/a/b/ {} +',
  'find . -maxdepth 1 ! -path "./.git/*" -exec chmod -R 700 {} +',
  'find . -exec tee {} + ! -name .bashrc',
  'find .git -name config -exec sort + -o {} {} +',
  'grep -rl x .git | xargs sed -i s/a/b/',
  'tree -fi .git | xargs rm',
  'perl -Wi -pe 1 .git/config',
])('%s asks: the name is handed on all the same', (command) => {
  expect(decided(command).behavior).toBe('ask');
});

test.each([
  'find . -type f -name .git -prune -o -name x -exec rm {} +',
  'find . -newer ! -name .env -exec rm {} +',
])('%s is judged by every name in it', (command) => {
  const behavior = judge({ allow: ['Bash'], deny: ['Edit(.env)', 'Edit(.git/**)'] }, bash(command)).behavior;
  expect(behavior).not.toBe('allow');
});
