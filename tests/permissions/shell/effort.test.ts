import { expect, test } from 'vitest';
import { analyseCommand } from '../../../src/permissions/shell/commands.ts';
import { takesTooMuchEffort } from '../../../src/permissions/shell/effort.ts';

const CODE = `const a = f(b[1], 'x', \`\u0024{y}\`) + "z" << 2; // {it's} $(not) a command\n`;
const PROSE = `Some words that (a person) may "read", and don't {mind} \`x\`, $5 or <so>; & more | less.\n`;
const filled = (line: string, size: number): string => line.repeat(Math.floor(size / line.length));
const lined = (count: number, text: (i: number) => string, between: string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(between);

test.each([
  [
    'code in a here-document',
    `mkdir -p src && cat > src/a.js <<'EOF'\n${filled(CODE, 60_000)}EOF\nnode src/a.js`,
  ],
  ['prose in a here-document', `cat > a.md << "EOF"\n${filled(PROSE, 60_000)}EOF\n`],
  ['prose that expands', `cat > a.md <<EOF\n${filled(PROSE.replaceAll(/[$`]/g, ''), 60_000)}EOF\n`],
  ['an indented here-document', `cat <<-\\EOF\n${filled(CODE, 60_000)}\tEOF\n`],
  [
    'a message of a here-document',
    `git commit -m "$(cat <<'EOF'\n${filled(PROSE, 20_000)}EOF\n)" && git push`,
  ],
  ['two here-documents', `cat <<A; cat <<'B'\n${filled('a b\n', 20_000)}A\n${filled(CODE, 20_000)}B\n`],
  ['a program in quotes', `node -e '${filled(CODE, 20_000).replaceAll("'", "'\\''")}'`],
  ['a program in double quotes', `node -e "${filled(CODE, 20_000).replaceAll(/["$`\\]/g, '\\$&')}"`],
  ['a message', `git commit -m "${filled(PROSE.replaceAll(/["$`]/g, ''), 5000)}"`],
  ['500 files', `grep -n foo ${lined(500, (i) => `src/deep/file${i}.test.ts`, ' ')} | head`],
  ['300 words for printf', `printf '%s\\n' ${lined(300, (i) => `"word ${i}"`, ' ')}`],
  [
    'options on lines of their own',
    `docker run \\\n${lined(300, (i) => `  -v "$PWD/a${i}:/b${i}"`, ' \\\n')} image`,
  ],
  [
    '60 lines of a script',
    lined(60, (i) => `cp -r "src/$x" out/b${i}.ts 2>/dev/null || echo "no ${i}"`, '\n'),
  ],
  ['comments', `${filled('# it is what (it) is; that\n', 5000)}make`],
  ['data', `curl -d '${filled('{"a": [1, "b"]}, ', 60_000)}' http://localhost`],
])('%s is no effort to be afraid of', (_, text) => {
  expect(takesTooMuchEffort(text)).toBe(false);
});

test.each([
  ['commands', lined(400, () => 'a', ';')],
  ['words', `a ${lined(1300, () => 'a', ' ')}`],
  ['glued quotes', `a ${filled("'a'", 30_000)}`],
  ['redirections', filled('>a ', 3000)],
  ['open here-documents', filled('<<E ', 1000)],
  ['words behind a here-document', `cat <<'E'\nE\na ${filled('a ', 3000)}`],
  ['words behind arithmetic that looks like one', `((a<<E ))\na ${filled('a ', 3000)}\nE\n`],
  ['words behind quotes in quotes', `a "$(b '"' "c")" ${filled('a ', 3000)}'`],
  ['words in quotes of a substitution', `a "$(b ${filled('a ', 3000)})"`],
  ['braces as words', `a ${filled('} ', 3000)}`],
  ['arithmetic', `a $((${filled('1*', 6000)}1))`],
  ['expansions', `a "${filled('$a', 6000)}"`],
  ['patterns', `a ${filled('*/', 8000)}`],
])('%s beyond measure are refused before they are parsed, and asked about', (_, text) => {
  const { why, endless } = analyseCommand(text, { cwd: '/work', home: '/home/u' });
  expect(why).toBe('it has too many parts to be analysed');
  expect(endless).toBe(true);
});
