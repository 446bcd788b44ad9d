/**
 * Programs with sub-commands take options before them: `git -C . push` is a push. For rules that deny or ask only: an allow
 * rule keeps meaning its literal text.
 */
import { basename } from 'node:path';
import { programOf } from './program-name.ts';

interface GlobalOptions {
  /** Options without a value. An option that is in neither list may have one. */
  readonly flags: RegExp;
  /** Options whose value is the next word. */
  readonly valued: RegExp;
}

const NOTHING = /^(?!)/;
const options = (flags: string, valued: string): GlobalOptions => ({
  flags: flags === '' ? NOTHING : new RegExp(`^(?:${flags})$`),
  valued: valued === '' ? NOTHING : new RegExp(`^(?:${valued})$`),
});
const unknown = options('', '');

const SUBCOMMANDS: ReadonlyMap<string, GlobalOptions> = new Map([
  [
    'git',
    options(
      '-p|-P|-h|-v|--(?:paginate|no-pager|bare|no-replace-objects|no-lazy-fetch|no-optional-locks|no-advice|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs|version|help|html-path|man-path|info-path)',
      '-C|-c|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source)',
    ),
  ],
  [
    'npm',
    options(
      '-s|-g|-f|-d|-q|--(?:silent|global|force|yes|quiet|verbose)',
      '-w|-C|--(?:prefix|workspace|loglevel|registry)',
    ),
  ],
  ['pnpm', options('-r|-s|-w|--(?:recursive|silent|workspace-root|parallel)', '-C|-F|--(?:dir|filter)')],
  ['yarn', options('-s|--(?:silent|verbose)', '--cwd')],
  [
    'docker',
    options(
      '-D|--(?:debug|tls|tlsverify)',
      '-c|-H|-l|--(?:config|context|host|log-level|tlscacert|tlscert|tlskey)',
    ),
  ],
  [
    'kubectl',
    options(
      '',
      '-n|-s|-v|--(?:namespace|context|cluster|user|server|token|kubeconfig|as|as-group|request-timeout|cache-dir)',
    ),
  ],
  [
    'systemctl',
    options(
      '-q|-a|-l|--(?:user|system|global|no-block|no-pager|quiet|all|now|force|runtime)',
      '-H|-M|-t|-p|-n|-o|--(?:host|machine|type|property)',
    ),
  ],
  [
    'cargo',
    options('-v|-q|--(?:verbose|quiet|locked|offline|frozen)', '-C|-Z|--(?:config|color|manifest-path)'),
  ],
  ['apt', options('-y|-q+|-s|-d|-f|--(?:yes|quiet|simulate|assume-yes)', '-o|-c|-t')],
  ...'apt-get aptitude bun deno gh glab hub hg svn jj podman nerdctl docker-compose helm oc minikube terraform tofu pulumi'
    .concat(
      ' ansible aws gcloud az heroku fly vercel netlify firebase wrangler doctl kubectx k9s nomad vault consul',
    )
    .concat(
      ' pip pip3 pipx uv poetry pdm conda mamba gem bundle composer brew port snap flatpak dnf yum zypper pacman apk',
    )
    .concat(
      ' rustup go dotnet mvn gradle sbt mix flutter dart nix ip tc nmcli resolvectl loginctl machinectl service',
    )
    .concat(
      ' sqlite3 psql mysql mongosh redis-cli make just rake npx bash sh zsh python python3 node ruby perl php ssh',
    )
    .split(' ')
    .map((name) => [name, unknown] as const),
]);

/** Nobody writes more options than this in one call. */
const MOST_OPTIONS = 40;

/** More options than are looked through: what the call is about cannot be said. */
export function hasEndlessOptions(words: readonly string[]): boolean {
  if (words.length <= MOST_OPTIONS) return false;
  const [name = '', ...args] = words;
  return tableOf(name) !== undefined && args.filter((arg) => arg.startsWith('-')).length > MOST_OPTIONS;
}

const tableOf = (name: string): GlobalOptions | undefined =>
  SUBCOMMANDS.get(basename(name)) ?? SUBCOMMANDS.get(programOf(name));

/** The words from the sub-command on, as far as its options are known. */
export function fromSubcommand(name: string, args: readonly string[]): readonly string[] {
  const table = args[0]?.startsWith('-') ? tableOf(name) : undefined;
  return table === undefined ? args : (withoutLeading(args, table).at(-1) ?? []);
}

/** What follows the program's name when its leading options are left out, and those after the first word; where an option may have a value, both ways. */
export function optionEnds(name: string, args: readonly string[]): readonly (readonly string[])[] {
  const table = args.some((arg) => arg.startsWith('-')) ? tableOf(name) : undefined;
  if (table === undefined || hasEndlessOptions([name, ...args])) return [];
  const found: (readonly string[])[] = [];
  for (const rest of withoutLeading(args, table)) {
    if (rest.length < args.length) found.push(rest);
    const [first, ...more] = rest;
    if (first === undefined || !more[0]?.startsWith('-')) continue;
    for (const inner of withoutLeading(more, unknown)) if (inner.length > 0) found.push([first, ...inner]);
  }
  return found;
}

function withoutLeading(
  args: readonly string[],
  { flags, valued }: GlobalOptions,
): readonly (readonly string[])[] {
  let at = 0;
  const found: (readonly string[])[] = [];
  while (at < args.length) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-') || arg === '-') break;
    at++;
    if (arg === '--') break;
    if (valued.test(arg)) at++;
    else if (!flags.test(arg) && !arg.includes('=') && !args[at]?.startsWith('-')) {
      // The next word may be its value, or what is looked for.
      found.push(args.slice(at));
      if (args[at + 1] !== undefined) at++;
    }
  }
  return [...found, args.slice(at)];
}
