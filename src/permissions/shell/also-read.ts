/**
 * Files that a call reads although no allow rule for the program is judged by them: for rules that restrict only. Here a
 * word may be taken for a file that is none: what a rule covers is then read by nobody, or denied for no reason.
 */
import { type FileUse, read, write } from './file-uses.ts';
import { fromSubcommand } from './global-options.ts';
import { isInterpreter } from './opaque.ts';
import { possibleValues } from './options.ts';
import { programOf } from './program-name.ts';

export function alsoUsed(words: readonly string[]): readonly FileUse[] {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  if (isInterpreter(name)) return [...operandsOf(args), ...environmentFiles(args)].map(read);
  switch (name) {
    case 'git':
      return ofGit(args);
    case 'curl':
      return args.flatMap(sentByCurl).map(read);
    case 'make':
    case 'gmake':
      return possibleValues(args, MAKE).flatMap(({ role, value }) => (role === 'read' ? [read(value)] : []));
    case 'openssl':
      return args.flatMap((arg, index) => {
        const option = args[index - 1] ?? '';
        if (/^-(?:in|inkey|key|cert|CAfile|config|rand)$/.test(option)) return [read(arg)];
        return /^-(?:out|keyout|writerand)$/.test(option) ? [write(arg)] : [];
      });
    case 'ls':
    case 'dir':
    case 'vdir':
    case 'tree':
      // Without a directory they list the one they run in.
      return operandsOf(args).length > 0 ? [] : [{ ...read('./'), onlyNames: true }];
    default:
      return environmentFiles(args).map(read);
  }
}

const MAKE = { flags: '', text: 'CIjlWo', read: 'f', long: 'file:read makefile:read' };

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !/^-./.test(arg));

/** Sub-commands that read files of the work tree by their paths. */
function ofGit(args: readonly string[]): readonly FileUse[] {
  const [command = '', ...rest] = fromSubcommand('git', args);
  return /^(?:add|stage|blame|annotate|diff|difftool)$/.test(command) ? operandsOf(rest).map(read) : [];
}

/** `-d @file`, `-F name=@file`, `-F name=<file`, `--data-urlencode name@file`; `file:` as an address. */
function sentByCurl(arg: string): readonly string[] {
  const address = /^file:\/\/[^/]*(\/[^?#]*)/i.exec(arg)?.[1];
  if (address !== undefined) return [address];
  const file = arg.includes('://') ? undefined : /[@<]([^;]+)/.exec(arg)?.[1];
  return file === undefined ? [] : [file];
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
