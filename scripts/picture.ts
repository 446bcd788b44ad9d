/**
 * Makes docs/terminal.svg, the picture in README.md, from what the built hookd really prints; what differs from run to run
 * (times, ids, hashes) is put in one form. Usage: npx tsx scripts/picture.ts [--check]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FILE = join(ROOT, 'docs/terminal.svg');
const COLUMNS = 84;

const RULES = JSON.stringify({ permissions: { deny: ['Bash(rm:*)'] } }, null, 2);
const TURNS = JSON.stringify([
  [{ type: 'tool_use', name: 'Bash', input: { command: 'rm -rf build' } }],
  [{ type: 'text', text: 'I may not remove anything here, so I leave it at that.' }],
]);

interface Shown {
  readonly typed: string;
  readonly args: readonly string[];
}

/** `typed` is what a person types; the model is a script, which they need not see. */
const COMMANDS: readonly Shown[] = [
  { typed: 'hookd run "clean up"', args: ['run', 'clean up', '--model-script', '../turns.json'] },
  { typed: 'hookd audit tail -n 10', args: ['audit', 'tail', '-n', '10'] },
  { typed: 'hookd audit verify', args: ['audit', 'verify'] },
];

/** The lines of the terminal; those that were typed begin with `$ `. */
export function terminalLines(): readonly string[] {
  const base = mkdtempSync(join(tmpdir(), 'hookd-picture-'));
  try {
    const [home, project] = [join(base, 'home'), join(base, 'project')];
    mkdirSync(project);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'settings.json'), RULES);
    writeFileSync(join(base, 'turns.json'), TURNS);
    const env = { PATH: process.env['PATH'] ?? '', HOME: base, HOOKD_HOME: home, HOOKD_NO_DAEMON: '1' };
    const lines = ['$ cat ~/.hookd/settings.json', ...RULES.split('\n')];
    for (const { typed, args } of COMMANDS) {
      const ended = spawnSync(process.execPath, [join(ROOT, 'dist/hookd.cjs'), ...args], {
        cwd: project,
        env,
        encoding: 'utf8',
      });
      if (ended.status !== 0) throw new Error(`${typed} ended with ${ended.status}: ${ended.stderr}`);
      lines.push(
        `$ ${typed}`,
        ...ended.stdout
          .trimEnd()
          .split('\n')
          .map((line) => stable(line, home)),
      );
    }
    return lines.map((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function stable(line: string, home: string): string {
  return (
    line
      .replaceAll(home, '~/.hookd')
      // Cut by hookd itself, wherever the temporary directory is.
      .replace(/\(\/[^)]*…$/, '(~/.hookd/settings…')
      .replace(/^\d{4}-\d\d-\d\d/, '2026-01-01')
      .replace(/^\d\d:\d\d:\d\d/, '10:00:00')
      .replace(/^(10:00:00) [0-9a-f]{6} /, '$1 5e5510 ')
      .replace(/[0-9a-f]{64}/g, `c4a1${'0'.repeat(60)}`)
  );
}

const [WIDTH, HEIGHT, MARGIN, SIZE] = [8.43, 18, 16, 14];

/** A picture of text: it scales, and it can be searched. */
export function svgOf(lines: readonly string[]): string {
  const width = Math.ceil(COLUMNS * WIDTH + 2 * MARGIN);
  const height = lines.length * HEIGHT + 2 * MARGIN;
  const rows = lines.map((line, row) => {
    const y = MARGIN + (row + 0.75) * HEIGHT;
    return `  <text x="${MARGIN}" y="${y}" fill="${colourOf(line)}">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${SIZE}" xml:space="preserve">`,
    '  <title>A rule denies a command; the audit log says which rule it was, and is sound</title>',
    `  <rect width="${width}" height="${height}" rx="8" fill="#16181d"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function colourOf(line: string): string {
  if (line.startsWith('$ ')) return '#7cc5ff';
  if (/^\S+ \S+ (permission +deny|tool_result +denied)/.test(line)) return '#ff8080';
  return line.startsWith('ok ') ? '#7ddc8c' : '#d6d8dd';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const picture = svgOf(terminalLines());
  if (!process.argv.includes('--check')) writeFileSync(FILE, picture);
  else if (readFileSync(FILE, 'utf8') !== picture) {
    console.error('docs/terminal.svg is stale: npx tsx scripts/picture.ts');
    process.exitCode = 1;
  }
}
