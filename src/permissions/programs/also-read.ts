/**
 * Files that a call reads although no allow rule for the program is judged by them: for rules that restrict only. Here a
 * word may be taken for a file that is none: what a rule covers is then read by nobody, or denied for no reason.
 */
import { type FileUse, onlyAsking, read, write } from './file-uses.ts';
import { readByGit } from './git-use.ts';
import { isInterpreter } from './opaque.ts';
import { possibleValues } from './options.ts';
import { programOf } from './program-name.ts';

/** What of it counts for a rule that allows the program, too: files that only its own way to write them tells. */
export function alsoNamed(words: readonly string[]): readonly FileUse[] {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  switch (name) {
    case 'git':
      return readByGit(args);
    case 'curl':
      return args.flatMap(namedToCurl);
    case 'make':
    case 'gmake':
      return possibleValues(args, MAKE).flatMap(({ role, value }) => (role === 'read' ? [read(value)] : []));
    case 'openssl':
      return args.flatMap((arg, index) => ofOpenssl(arg, args[index - 1] ?? ''));
    case 'jq':
      return args.flatMap((arg, index) =>
        /^(?:-\w*L|--library-path)$/.test(args[index - 1] ?? '') ? [read(arg)] : importedByJq(arg),
      );
    default:
      return environmentFiles(args).map(read);
  }
}

export function alsoUsed(words: readonly string[]): readonly FileUse[] {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  if (isInterpreter(name)) return [...filesOfInterpreter(name, args), ...environmentFiles(args)].map(read);
  switch (name) {
    case 'ls':
    case 'dir':
    case 'vdir':
    case 'tree':
      // Without a directory they list the one they run in.
      return operandsOf(args).length > 0 ? [] : [{ ...read('./'), onlyNames: true }];
    default:
      return alsoNamed(words);
  }
}

const MAKE = { flags: '', text: 'CIjlWo', read: 'f', long: 'file:read makefile:read' };

/** Whatever is no option, but for the code right behind the first one: that is looked at as code. */
function filesOfInterpreter(name: string, args: readonly string[]): readonly string[] {
  const takesCode = CODE_OPTIONS[name]?.test(args[0] ?? '') === true;
  return args.filter((arg, index) => !/^-./.test(arg) && !(index === 1 && takesCode));
}

const CODE_OPTIONS: Readonly<Record<string, RegExp>> = {
  python: /^-[BEIsSuq]*c$/,
  perl: /^-[lnpaw]*[eE]$/,
  ruby: /^-[lnpaw]*e$/,
  node: /^-[ep]$/,
  php: /^-r$/,
  lua: /^-e$/,
};

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !/^-./.test(arg));

/**
 * `-d @file`, `-F name=@file,file`, `-F name=<file`, `--data-urlencode name@file`, `-w '%output{file}'`, a list in braces for
 * `-T`; `file:` as an address, which may be written with a list, too.
 */
function namedToCurl(arg: string): readonly FileUse[] {
  const address = /(?:^|=)file:(?:\/\/[^/]*)?(\/[^?#]*)/i.exec(arg)?.[1];
  if (address !== undefined)
    return [
      ...alternativesOfCurl(decoded(address)).map(read),
      ...(address.includes('%') ? [onlyAsking(read('/'))] : []),
    ];
  if (/^[a-z]*[{[][a-z{},[\]-]*:\/\//i.test(arg)) return [onlyAsking(read('/'))];
  const written = [...arg.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, file = '']) => write(file));
  const listed = /[{[]/.test(arg)
    ? arg.split(/[{},[\]]/).filter((piece) => /^(?:\/|~\/|\.\.\/)/.test(piece))
    : [];
  const rest = arg.includes('://') ? '' : (/[@<](.+)/s.exec(arg)?.[1] ?? '');
  const pieces = rest.split(/[;,]/);
  // `;headers=@file` may follow.
  const sent = [
    rest.split(';', 1)[0] ?? '',
    ...pieces,
    ...pieces.map((piece) => piece.replace(/^.*[@<]/s, '')),
  ];
  const several =
    arg.includes('{') && !/["\s]/.test(arg)
      ? alternativesOfCurl(arg.replace(/^--[a-z-]+=|^-[a-zA-Z#]*T/, ''))
      : [];
  const files = [...several, ...listed, ...sent.map((file) => file.replace(/^"|"$/g, ''))].filter(
    (file) => file !== '',
  );
  return [...written, ...files.map(read)];
}

/** Whatever is no option may be a file, but for a name in a certificate; `file:path` is where a password is. */
function ofOpenssl(arg: string, option: string): readonly FileUse[] {
  if (arg.startsWith('-') || option === '-subj') return [];
  const file = arg.replace(/^file:/, '');
  return /^-(?:out|keyout|writerand|CAserial)$/.test(option) ? [write(file)] : [read(file)];
}

/** `import "x" as $x;`, `include "x";`: the path without the end of its name. */
function importedByJq(arg: string): readonly FileUse[] {
  if (!/\b(?:import|include)\b/.test(arg)) return [];
  return [...arg.matchAll(/\b(?:import|include)\s*"([^"]*)"/g)].flatMap(([, path = '']) =>
    path.includes('\\') ? [onlyAsking(read('/'))] : ['', '.json', '.jq'].map((end) => read(path + end)),
  );
}

/** `--env-file x` of docker, node and others. */
function environmentFiles(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => arg.startsWith('--env-file'))) return [];
  return args.flatMap((arg, index) => {
    const glued = /^--env-file(?:-if-exists)?=(.+)$/s.exec(arg)?.[1];
    if (glued !== undefined) return [glued];
    return /^--env-file(?:-if-exists)?$/.test(args[index - 1] ?? '') ? [arg] : [];
  });
}

const MOST_ALTERNATIVES = 32;

/** `{a,b}` is one after the other; `[a-c]` means the same in a pattern of the shell. */
function alternativesOfCurl(text: string): readonly string[] {
  let found: readonly string[] = [''];
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    const several = piece.startsWith('{') && piece.endsWith('}') ? piece.slice(1, -1).split(',') : [piece];
    found = found.flatMap((begun) => several.map((one) => begun + one)).slice(0, MOST_ALTERNATIVES);
  }
  return found;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
