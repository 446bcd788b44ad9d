/** Rules that might fit a call, for who asks what to write. Guesses: each is to be tried before it is shown to anybody. */
import { basename, dirname } from 'node:path';
import type { ToolCall, Workplace } from '../core/vocabulary.ts';
import { renderWord } from './command-rule.ts';
import { isInside, pathBelow } from './path-rule.ts';
import type { SimpleCommand } from './shell/commands.ts';
import { strippings } from './shell/strip.ts';
import type { Trace, TracedFile } from './trace.ts';

/** `narrow`: this call and little else; `wide`: what is like it. */
export type Width = 'narrow' | 'wide';

/** Rules that belong together: a path behind a link needs one for each of its names. */
export type Candidate = readonly string[];

/** Programs whose next word says what they do. What they run otherwise is another matter. */
const HAVE_SUBCOMMANDS = new Set(
  [
    'git npm pnpm yarn bun deno npx cargo go docker podman kubectl helm terraform make just gh glab pip pip3 uv poetry',
    'composer bundle rake rails dotnet mvn gradle systemctl apt apt-get brew aws gcloud az flutter mix cabal stack',
  ]
    .join(' ')
    .split(' '),
);

/** A prefix rule for one of these would be a rule for anything, or for what cannot be taken back. */
const NO_PREFIX =
  /^(?:.*sh|env|xargs|sudo|doas|eval|exec|python[\d.]*|node|ruby|perl|php|awk|find|ssh|rm|rmdir|mv|dd|chmod|chown|kill|curl|wget)$/;

const LONGEST_EXACT = 300;

/** The most fitting first; the whole tool is the last resort. */
export function candidatesFor(
  call: ToolCall,
  trace: Trace,
  workplace: Workplace,
  width: Width,
): readonly Candidate[] {
  const { specifier, tool } = call;
  const whole: Candidate[] = [[tool.name]];
  if (specifier.kind === 'none') return whole;
  const files = trace.files.flatMap((file) => candidatesForFile(file, workplace, width));
  if (specifier.kind === 'path') return [...files, ...whole];
  const parts = partsInQuestion(trace).flatMap((part) => candidatesForPart(part, width));
  const exact = isPlain(specifier.command) ? [[`Bash(${specifier.command.trim()})`]] : [];
  return [...parts, ...files, ...exact, ...whole];
}

/** What is not allowed comes first; then what needed a rule. */
function partsInQuestion(trace: Trace): readonly SimpleCommand[] {
  const rank = ({ allowance }: Trace['parts'][number]): number =>
    allowance.ok ? (allowance.rule === undefined ? 2 : 1) : 0;
  return trace.parts.toSorted((one, other) => rank(one) - rank(other)).map(({ command }) => command);
}

function candidatesForPart({ words }: SimpleCommand, width: Width): readonly Candidate[] {
  const values = words.map(({ value }) => value);
  const taken = strippings(values).at(-1)?.taken ?? 0;
  const inner = words.slice(taken);
  const firstOpen = inner.findIndex(({ kind }) => kind !== 'static');
  const known = inner.slice(0, firstOpen < 0 ? undefined : firstOpen).map(({ value }) => value);
  const prefix = prefixOf(known);
  const prefixed = prefix === undefined ? [] : [[`Bash(${prefix.map(renderWord).join(' ')} *)`]];
  const text = inner.map((word) => (word.kind === 'static' ? renderWord(word.value) : word.text)).join(' ');
  const exact = isPlain(text) ? [[`Bash(${text})`]] : [];
  return width === 'wide' ? [...prefixed, ...exact] : [...exact, ...prefixed];
}

/** The words that say what is done, without those that it is done to. */
function prefixOf(words: readonly string[]): readonly string[] | undefined {
  const [name = '', ...args] = words;
  if (name === '' || NO_PREFIX.test(basename(name)) || words.some((word) => word.includes('*')))
    return undefined;
  if (!HAVE_SUBCOMMANDS.has(name)) return [name];
  const [first = '', second = ''] = args;
  if (!isSubcommand(first)) return undefined;
  return first === 'run' && isSubcommand(second) ? [name, first, second] : [name, first];
}

const isSubcommand = (word: string): boolean => /^[A-Za-z][\w:-]*$/.test(word);

/** A star would stand for anything, and a rule is one line. */
const isPlain = (text: string): boolean => text.length <= LONGEST_EXACT && !/[*\n]/.test(text) && text !== '';

function candidatesForFile(file: TracedFile, workplace: Workplace, width: Width): readonly Candidate[] {
  const { access, path, target } = file;
  const tool = access === 'write' ? 'Edit' : 'Read';
  const names = [...new Set([path, ...(target === undefined ? [] : [target])])];
  const exact = names.map((name) => `${tool}(${patternFor(name, workplace)})`);
  if (width === 'narrow' || names.some((name) => isBroad(dirname(name), workplace))) return [exact];
  return [names.map((name) => `${tool}(${patternFor(dirname(name), workplace, '/**')})`), exact];
}

/** A rule for all that is in there would be one for nearly everything. */
function isBroad(directory: string, { cwd, project, home, directories }: Workplace): boolean {
  return dirname(directory) === '/' || [cwd, project, home, ...directories].includes(directory);
}

function patternFor(path: string, { cwd, home }: Workplace, below = ''): string {
  const written = path.replace(/[\\*?[\]]/g, '\\$&');
  const inCwd = pathBelow(cwd, written);
  // A name without a slash is one at any depth.
  if (inCwd !== undefined && isInside(cwd, path) && !/^[!#]/.test(inCwd)) return `${inCwd}${below}`;
  const inHome = pathBelow(home, written);
  return inHome === undefined ? `/${written}${below}` : `~/${inHome}${below}`;
}
