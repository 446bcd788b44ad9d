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
