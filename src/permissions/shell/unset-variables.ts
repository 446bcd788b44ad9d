/**
 * Variables that are empty for certain: the environment does not set them, bash does not, and the text cannot.
 * Only texts of plain words are judged; whatever could set a variable in a way of its own leaves all of them unknown.
 */

/** Tells whether the environment of the command sets a variable. */
export type IsSet = (name: string) => boolean;

/**
 * No quote, escape, bracket or redirection, so that every word is what it looks like; `""` around one variable only.
 * A name is taken whole: read in parts, each name would multiply the ways to read the text.
 */
const PLAIN_TEXT = /^(?:[\w \t\n.,:/@%+=;&|~-]|\$\w+(?!\w)|\$\{\w+\}|"\$(?:\w+|\{\w+\})")*$/;

/** Builtins that set variables or run text, and words that begin more than a plain command. */
const SETTERS = new RegExp(
  `(?<![\\w./-])(?:${[
    'eval|source|set|shopt|read|mapfile|readarray|export|declare|typeset|local|readonly|let|printf|getopts|trap|alias',
    'compgen|complete|bind|fc|enable|builtin|command|wait|unset|exec|if|then|elif|else|do|while|until|for|select|case|function|time|coproc',
  ].join('|')})(?![\\w./-])|(?:^|[\\s;&|])\\.(?:\\s|$)`,
);

/** What bash sets itself. */
const OF_BASH =
  /^(?:_|\d.*|BASH\w*|COMP\w*|DIRSTACK|EPOCH\w*|EUID|FUNC\w*|GROUPS|HIST\w*|HOME|HOOKD_\w+|HOST\w*|IFS|LANG|LC_\w+|LINENO|LINES|COLUMNS|MACHTYPE|MAIL\w*|MAPFILE|OLDPWD|OPT\w*|OSTYPE|PATH|PIPESTATUS|PPID|PROMPT\w*|PS\d|PWD|RANDOM|READLINE\w*|REPLY|SECONDS|SHELL\w*|SHLVL|SRANDOM|TERM|TIMEFORMAT|TMOUT|UID)$/;

export const isOfBash = (name: string): boolean => OF_BASH.test(name);

const NONE: ReadonlySet<string> = new Set();

const USES = /\$\{?(\w+)\}?/g;

export function unsetVariables(text: string, isSet: IsSet): ReadonlySet<string> {
  if (!text.includes('$') || !PLAIN_TEXT.test(text) || SETTERS.test(text)) return NONE;
  const names = new Set([...text.matchAll(USES)].map(([, name = '']) => name));
  const assigned = assignedIn(text);
  return new Set([...names].filter((name) => !isOfBash(name) && !assigned.has(name) && !isSet(name)));
}

/** In a shell that keeps to the standard an assignment before one of these stays; `SETTERS` has the others. */
const SPECIAL = /^(?:[:.]|break|continue|exit|return|shift|times)$/;

/** An assignment before a command holds for that command only; one that nothing follows stays. */
function assignedIn(text: string): ReadonlySet<string> {
  const assigned = new Set<string>();
  for (const part of text.split(/[;&|\n]+/)) {
    const words = part.split(/[ \t]+/).filter((word) => word !== '');
    const first = words.findIndex((word) => !/^\w+\+?=/.test(word));
    // The command must be one for certain: of an expansion nothing may be left.
    const name = first < 0 ? '' : (words[first] ?? '');
    if (/^[\w./][\w./-]*$/.test(name) && !SPECIAL.test(name)) continue;
    for (const word of words.slice(0, first < 0 ? undefined : first))
      assigned.add(word.slice(0, word.search(/\+?=/)));
  }
  return assigned;
}
