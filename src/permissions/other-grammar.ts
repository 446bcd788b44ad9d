/**
 * Deny and ask rules that are visibly written in another grammar: regular expressions, lists, variables, separators of
 * another system. They match only what is written so, so that they guard nothing; whoever wrote one is told what to write.
 * Told is only what cannot sensibly be meant as it stands: `Bash(curl * | bash)` and `Read([ab].txt)` are rules.
 */
import { FILE_PROGRAMS } from './programs/file-programs.ts';

/** What such a rule says that is no rule here, and the contents that would say it; none where that cannot be told. */
interface Mistake {
  readonly why: string;
  readonly instead: readonly string[];
}

/** Ends without a full stop: the reader of the rule puts the rule before it. */
export function otherGrammar(name: string, content: string, kind: 'command' | 'path'): string | undefined {
  const found = kind === 'command' ? inCommand(content) : inPath(content);
  if (found === undefined) return undefined;
  const { why, instead } = found;
  const rules = instead.map((one) => `${name}(${one})`);
  return rules.length === 0 ? why : `${why}: write ${rules.join(' and ')}`;
}

const REGEX_IN_COMMAND =
  'a regular expression is compared as it is written; "*" stands for any text, each alternative is a rule of its own';
const REGEX_IN_PATH =
  'a regular expression is none here; patterns are as in .gitignore, "*" within a name, "**" across directories';

const NO_VARIABLE =
  'a variable stands for itself here (~/p is below home, //p a whole path, p below the project)';

function inCommand(content: string): Mistake | undefined {
  const bare = withoutQuotes(content);
  if (content.endsWith(' :*')) {
    const begin = content.slice(0, -3).trimEnd();
    const why = `after a blank ":*" begins a word, so that "${begin}" is not met`;
    return { why, instead: [`${begin}:*`] };
  }
  if (isRegexOfCommand(bare)) return { why: REGEX_IN_COMMAND, instead: commandsMeant(content) };
  const items = listOfCommands(content, bare);
  return items && { why: 'a rule holds one command, and no comma parts it', instead: items };
}

/** What is in quotes is what somebody looks for: `grep "a$"`. */
const withoutQuotes = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length));

/** Their operands are regular expressions, with quotes or without. */
const TAKES_REGEX = /(?:^|[\s|;&/])(?:[a-z]*grep|rg|ag|ack|sed|[gmn]?awk|perl|find|fd|expr|less)(?:\s|$)/;

/** Programs whose names go on behind a dot: `mkfs.ext4`, `python3.12`. */
const DOTTED = /^(?:mkfs|fsck|u?mount|nc|vim|.*\d)$/;

/** Programs whose first operand is a word of their own, never a hidden file. */
const HAVE_SUBCOMMANDS = /^(?:git|npm|pnpm|yarn|cargo|docker|podman|kubectl|helm|gh|aws|gcloud|systemctl)$/;

/** Programs and sub-commands whose operands are no hidden files either. */
const NAME_NO_FILES =
  /^(?:curl|wget|ssh|sudo|doas|push|pull|fetch|commit|rebase|merge|tag|branch|stash|publish|run|exec|delete)$/;

function isRegexOfCommand(text: string): boolean {
  if (/^\^|^\.[*+]/.test(text) || /^\/[^/]+\/(?:i|g|gi|ig)?$/.test(text)) return true;
  if (TAKES_REGEX.test(text)) return false;
  return (
    /[^\s$]\$$/.test(text) ||
    /\\[sSdDwWbB](?![A-Za-z])/.test(text) ||
    /\.\*-| \.\+(?: |$)/.test(text) ||
    hasAlternatives(text) ||
    hasStarForText(text)
  );
}

/** `git (push|fetch)`, `(rm|mv) *`: to a shell a parenthesis there is a mistake. */
function hasAlternatives(text: string): boolean {
  if (/^\([\w .*-]+(?:\|[\w .*-]+)+\)(?=$|[ \w.*?+])/.test(text) && !/\s\||\|\s/.test(text)) return true;
  const [, before] = /(?<![\w-])([\w-]+) ?\([^()|]*\|[^()]*\)/.exec(text) ?? [];
  return before !== undefined && !/^(?:if|while|until|then|do|else|elif|time|in|coproc)$/.test(before);
}

/** `git push.*`, `git .*force`: behind a program or its sub-command no file is named. */
function hasStarForText(text: string): boolean {
  const [program = '', second = '', third = ''] = text.split(/\s+/);
  const [name = '', ...rest] = program.split('.*');
  if (rest.length > 0) return /^[\w-]+$/.test(name) && !DOTTED.test(name);
  if (second.startsWith('.*')) return HAVE_SUBCOMMANDS.test(program) || NAME_NO_FILES.test(program);
  if (!HAVE_SUBCOMMANDS.test(program)) return false;
  return /^[a-z-]+\.\*/.test(second) || (NAME_NO_FILES.test(second) && third.startsWith('.*'));
}

/** Known as programs beside those whose operands are files. */
const PROGRAMS = new Set(
  'git npm npx pnpm yarn cargo docker podman kubectl gh curl wget ssh sudo doas su kill killall pkill python python3 node make pip pip3 find dd mkfs reboot shutdown'.split(
    ' ',
  ),
);

function listOfCommands(content: string, bare: string): readonly string[] | undefined {
  const commas = [...bare.matchAll(/,\s+|(?<=\*),|(?<=^[\w.-]+),(?=[\w.-]+(?:,|\s|$))/g)];
  const ends = [...commas.map(({ index }) => index), content.length];
  const starts = [0, ...commas.map(({ index, 0: comma }) => index + comma.length)];
  const items = starts.map((start, index) => content.slice(start, ends[index]));
  const programs = items.map((item) => /^[a-z][\w.-]*(?=\s|\*|:|$)/.exec(item)?.[0]);
  if (items.length < 2 || programs.includes(undefined)) return undefined;
  const isProgram = (name = ''): boolean =>
    name === programs[0] || PROGRAMS.has(name) || FILE_PROGRAMS.has(name);
  return programs.slice(1).some(isProgram) ? items : undefined;
}

function commandsMeant(content: string): readonly string[] {
  const slashed = /^\/(.*)\/[gi]*$/.exec(content)?.[1];
  const text = slashed === undefined ? content : `.*${slashed}.*`;
  const isOpen = !text.endsWith('$');
  return alternativesIn(text.replace(/^\^|\$$/g, '').replace(/\\b/g, '')).flatMap((one) => {
    const isLone = one.indexOf('.*') === one.length - 2;
    const plain = one
      .replace(/\\s[+*]?/g, ' ')
      .replace(/ ?\.[*+]$/, isLone ? ' *' : '*')
      .replace(/\.[*+]/g, '*')
      .replace(/\\([.-])/g, '$1');
    if (/[\\^$?+(){}[\]|]/.test(plain)) return [];
    return [isOpen && !plain.endsWith('*') ? `${plain} *` : plain];
  });
}

function inPath(content: string): Mistake | undefined {
  const url = /^file:(?:\/\/(?:localhost)?)?(?=\/)/i.exec(content)?.[0];
  if (url !== undefined)
    return { why: 'a path is no address', instead: [`/${content.slice(url.length).replace(/^\/*/, '/')}`] };
  // An input field, or a drive.
  if (/^[A-Za-z_]\w*\s*:/.test(content)) return undefined;
  if (isRegexOfPath(content)) return { why: REGEX_IN_PATH, instead: pathsMeant(content) };
  if (VARIABLE.test(content)) return { why: NO_VARIABLE, instead: withoutVariable(content) };
  if (isParted(content))
    return { why: 'a backslash parts no directories here', instead: [withSlashes(content)] };
  const items = listOfPaths(content);
  return items && { why: 'a rule holds one pattern, without lists and alternatives', instead: items };
}

function isRegexOfPath(text: string): boolean {
  return (
    /^!?\^/.test(text) ||
    /[^\\~/]\$(?:\/[gi]*)?$/.test(text) ||
    /\.\*\\\.|\(\?|(?:^|\/)\.\+/.test(text) ||
    /\\[sSdDwWbB][+*]/.test(text) ||
    /\([^()|]*\|[^()]*\)/.test(text)
  );
}

function pathsMeant(content: string): readonly string[] {
  const text = content
    .replace(/^\/(.*\$)\/[gi]*$/, '$1')
    .replace(/^(!?)\^/, '$1')
    .replace(/\$$/, '');
  return alternativesIn(text).flatMap((one) => {
    const plain = one
      .replace(/\/\.[*+]$/, '/**')
      .replace(/\.[*+]/g, '*')
      .replace(/\\([./-])/g, '$1');
    return /[\\^$+(){}|]/.test(plain) ? [] : [plain];
  });
}

/** Names with a dollar sign in them are names (`$id.tsx`); a whole segment in capitals is none. */
const VARIABLE = /\$\{[A-Za-z_]\w*\}|(?:^!?|[/\\])\$[A-Z][A-Z0-9_]*(?=[/\\]|$)|%[A-Za-z_][A-Za-z0-9_]{2,}%/;

function withoutVariable(content: string): readonly string[] {
  const [, not = '', name = '', rest = ''] =
    /^(!?)\/{0,2}(?:\$\{?|%)([A-Za-z_]\w*)[}%]?(?=[/\\]|$)[/\\]?(.*)$/s.exec(content) ?? [];
  const below = withSlashes(rest);
  if (VARIABLE.test(below) || below === '') return [];
  if (/^(?:HOME|USERPROFILE)$/i.test(name)) return [`${not}~/${below}`];
  return /^(?:PWD|CLAUDE_PROJECT_DIR|PROJECT_DIR)$/.test(name) ? [not + below] : [];
}

/** `\*` and `\#` are grammar; before a letter a backslash stands for nothing. */
const isParted = (text: string): boolean => /^!?~\\|\\[A-Za-z0-9_]|[A-Za-z0-9_]\\\*\*$/.test(text);

const withSlashes = (text: string): string => text.replaceAll('\\', '/');

/** `.env,secrets/**`, `.env|.npmrc`, `{.env,.npmrc}`. A name may hold a comma: each part must look like a path. */
function listOfPaths(content: string): readonly string[] | undefined {
  if (/\{[^{}]*,[^{}]*\}/.test(content)) return bracesIn(content);
  const parts = content.split(/(?<!\\)\s*[,|]\s*/);
  if (parts.length < 2) return undefined;
  const isPath = (part: string): boolean => /^[.~/*]|[^/]\/|\.\w+$/.test(part);
  return content.includes('|') || parts.every(isPath) ? parts.filter((part) => part !== '') : undefined;
}

const bracesIn = (text: string): readonly string[] => allOf(text, /\{([^{}]*,[^{}]*)\}/, ',');

const alternativesIn = (text: string): readonly string[] => allOf(text, /\((?:\?:)?([^()|]*\|[^()]*)\)/, '|');

/** No more than a person would read in one line. */
const MOST_SHOWN = 8;

/** The text for each alternative of its groups; none where these are too many. */
function allOf(text: string, group: RegExp, separator: string): readonly string[] {
  let texts = [text];
  while (texts.length <= MOST_SHOWN) {
    const next = texts.flatMap((one) => {
      const [whole, inside = ''] = group.exec(one) ?? [];
      if (whole === undefined) return [one];
      return inside.split(separator).map((part) => one.replace(whole, () => part.trim()));
    });
    if (next.length === texts.length) return texts;
    texts = next;
  }
  return [];
}
