/** What is wrong in settings, with the place where it is wrong. Errors keep a file out of force; warnings do not. */

export interface SettingsProblem {
  readonly severity: 'error' | 'warning';
  /** An absolute path, or the name of a flag. */
  readonly file: string;
  /** Line and column count from 1; a column is a UTF-16 code unit, as editors count. */
  readonly line: number;
  readonly column: number;
  /** Where in the file's object, like `permissions.deny[2]`; empty when the file as a whole is meant. */
  readonly key: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  /** The known key or value that was probably meant. */
  readonly nearMiss?: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The tool that a rule is for and that is not here, where that is all that is wrong. */
  readonly absentTool?: string;
}

export function isError(problem: SettingsProblem): boolean {
  return problem.severity === 'error';
}

/** One line for people: `file:line:column: key: message (expected …, found …). Did you mean …? Advice.` */
export function describeProblem(problem: SettingsProblem): string {
  return `${placeOfProblem(problem)}: ${factsOfProblem(problem)}`;
}

/** `file:line:column`, as editors and compilers write it. */
export function placeOfProblem({ file, line, column }: SettingsProblem): string {
  return onOneLine(`${file}:${line}:${column}`);
}

export function factsOfProblem(problem: SettingsProblem): string {
  const { key, message, expected, found, nearMiss, advice } = problem;
  const facts = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(found === undefined ? [] : [`found ${found}`]),
  ].join(', ');
  const sentences = [
    `${key === '' ? '' : `${shortened(key, 200)}: `}${message}${facts === '' ? '' : ` (${facts})`}.`,
    ...(nearMiss === undefined ? [] : [`Did you mean "${nearMiss}"?`]),
    ...(advice === undefined ? [] : [advice]),
  ];
  return onOneLine(sentences.join(' '));
}

/** Keys and rules of a stranger's project are shown on terminals: nothing in them may move the cursor or turn the text. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function onOneLine(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const MOST_TOLD = 100;

/** The first problems, errors before warnings when not all are told, and how many more there are. */
export function worthReading(problems: readonly SettingsProblem[]): readonly SettingsProblem[] {
  const [first] = problems;
  if (first === undefined || problems.length <= MOST_TOLD) return problems;
  const told = [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))].slice(
    0,
    MOST_TOLD,
  );
  const more = `${problems.length - MOST_TOLD} more problems are not shown`;
  return [...told, { severity: 'warning', file: first.file, line: 1, column: 1, key: '', message: more }];
}

const MOST_NAMED = 12;

/** The problems of one file for those who work, not on the file: rules for tools that are not here in one line. */
export function toldTogether(problems: readonly SettingsProblem[]): readonly SettingsProblem[] {
  const absent = problems.filter(({ absentTool }) => absentTool !== undefined);
  const [first] = absent;
  if (first === undefined || absent.length === 1) return problems;
  const tools = [...new Set(absent.map(({ absentTool }) => absentTool))];
  const named = `${tools.slice(0, MOST_NAMED).join(', ')}${tools.length > MOST_NAMED ? ' …' : ''}`;
  const { file, line, column } = first;
  const message = `${absent.length} rules match nothing, because they are for tools that are not here: ${named}`;
  const together: SettingsProblem = {
    ...{ severity: 'warning', file, line, column, key: 'permissions', message },
    advice: '"hookd settings check" tells each.',
  };
  return problems.flatMap((one) => (one === first ? [together] : one.absentTool === undefined ? [one] : []));
}

/** `["permissions", "deny", 2]` → `permissions.deny[2]`. */
export function keyText(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** What a value is, in words, with a short look at it: `a string ("x")`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value} (${shortened(JSON.stringify(value) ?? String(value), 60)})`;
}
