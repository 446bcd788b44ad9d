/** Where a path lies: in the workspace, in $HOOKD_HOME, among the protected paths. One instance serves one decision. */
import { dirname, join } from 'node:path';
import type { PermissionMode, Workplace } from '../core/vocabulary.ts';
import type { FileKind, FilesView } from './files-view.ts';
import { isAgentSettings, isProtectedPath } from './guards/protected-path.ts';
import { isInside } from './path-rule.ts';
import { expandGlob } from './shell/glob.ts';
import { goesUp, LONGEST_PATH, pathFrom } from './shell/paths.ts';

/** As many names are looked at for all patterns of one decision; what is left counts as too many. */
const MOST_NAMES = 5000;
/** The same for what lies below directories that a command removes, moves or copies. */
const MOST_WALKED = 10_000;

export class Place {
  readonly workplace: Workplace;
  readonly #files: FilesView;
  readonly #named = new Map<readonly string[], Map<string, readonly string[]>>();
  readonly #kinds = new Map<string, FileKind>();
  readonly #real = new Map<string, string | undefined>();
  readonly #both = new Map<string, readonly string[]>();
  readonly #expanded = new Map<string, readonly string[] | undefined>();

  readonly #names = new Map<string, readonly string[]>();
  #agents: ReadonlySet<string> | undefined;

  #looked = 0;
  #walked = 0;
  #literals: ReadonlySet<string> = new Set();

  constructor(workplace: Workplace, files: FilesView) {
    this.workplace = workplace;
    this.#files = files;
  }

  /** As `FilesView.realPath`. Directories that several paths share are looked at once. */
  realPath(path: string): string | undefined {
    if (path === '/') return path;
    // The system refuses it, too.
    if (path.length > LONGEST_PATH) return undefined;
    const known = this.#real.get(path);
    if (known !== undefined || this.#real.has(path)) return known;
    const real = this.#resolve(path);
    this.#real.set(path, real);
    return real;
  }

  #resolve(path: string): string | undefined {
    // Below it lies most of what is named: one question instead of one for each directory above.
    if (path === this.workplace.cwd) return this.#files.realPath(path);
    const slash = path.lastIndexOf('/');
    const above = slash === 0 ? '/' : path.slice(0, slash);
    const directory = this.realPath(above);
    if (directory === undefined) return undefined;
    const name = path.slice(slash + 1);
    const own = directory === above && /^[^.]/.test(name) ? path : join(directory, name);
    const kind = this.#kindOf(own);
    if (kind === 'link') return this.#files.realPath(own);
    return kind === 'hidden' ? undefined : own;
  }

  /** Words of the command that look like patterns and are none: they were quoted. */
  takeLiterally(words: ReadonlySet<string>): void {
    this.#literals = words;
  }

  isLiteral(word: string): boolean {
    return this.#literals.has(word);
  }

  /** The names in a directory, hidden ones too; `undefined` when more were looked at than one decision may. */
  namesIn(directory: string): readonly string[] | undefined {
    const known = this.#names.get(directory);
    if (known !== undefined) return known;
    if (this.#walked > MOST_WALKED) return undefined;
    const entries = this.#files.entries(directory);
    this.#walked += entries.length + 1;
    const names = entries.map(({ name }) => name);
    this.#names.set(directory, names);
    for (const { name, kind } of entries) {
      const path = directory === '/' ? `/${name}` : `${directory}/${name}`;
      if (!this.#kinds.has(path)) this.#kinds.set(path, kind);
    }
    return names;
  }

  isLink(path: string): boolean {
    return this.#kindOf(path) === 'link';
  }

  /** Nothing is there, not even a link. */
  isMissing(path: string): boolean {
    return this.#kindOf(path) === 'missing';
  }

  isDirectory(path: string): boolean {
    const real = this.realPath(path);
    return real !== undefined && this.#kindOf(real) === 'directory';
  }

  /** Looked at once: a decision sees one state of the files. */
  #kindOf(path: string): FileKind {
    let kind = this.#kinds.get(path);
    if (kind === undefined) {
      kind = this.#files.kindOf(path);
      this.#kinds.set(path, kind);
    }
    return kind;
  }

  /** What an absolute pattern expands to; `undefined` when there are too many names to look at each. */
  expand(pattern: string): readonly string[] | undefined {
    if (!this.#expanded.has(pattern)) {
      const found = expandGlob(pattern, (directory) => this.#namesIn(directory));
      this.#expanded.set(pattern, this.#looked > MOST_NAMES ? undefined : found);
    }
    return this.#expanded.get(pattern);
  }

  /** More names were to be looked at than are: a pattern may stand for anything that nobody has seen. */
  get isExhausted(): boolean {
    return this.#looked > MOST_NAMES;
  }

  #namesIn(directory: string): readonly string[] {
    if (this.#looked > MOST_NAMES) return [];
    const entries = this.#files.entries(directory);
    this.#looked += entries.length + 1;
    return entries.map(({ name }) => name);
  }

  /** What a word of a command names, made once for each word and its directories. */
  named(
    word: string,
    cwds: readonly string[],
    make: (word: string, cwds: readonly string[], place: Place) => readonly string[],
  ): readonly string[] {
    let words = this.#named.get(cwds);
    if (words === undefined) {
      words = new Map();
      this.#named.set(cwds, words);
    }
    let paths = words.get(word);
    if (paths === undefined) {
      paths = make(word, cwds, this);
      words.set(word, paths);
    }
    return paths;
  }

  /** The path and what its links lead to. */
  bothPaths(path: string): readonly string[] {
    let both = this.#both.get(path);
    if (both === undefined) {
      const real = this.realPath(path);
      both = real === undefined || real === path ? [path] : [path, real];
      this.#both.set(path, both);
    }
    return both;
  }

  /** True when the file that would be opened is in the workspace. */
  inWorkspace(path: string): boolean {
    const real = this.realPath(path);
    if (real === undefined || isInside(this.workplace.hookdHome, real)) return false;
    const { project, cwd, directories } = this.workplace;
    return (
      isInside(project, real) ||
      isInside(cwd, real) ||
      directories.some((directory) => isInside(directory, real))
    );
  }

  /** Anything of hookd's own: in its directory, or where its socket is. */
  inHookdHome(path: string): boolean {
    const home = this.workplace.hookdHome;
    if (isInside(home, path) || SOCKET_DIRECTORY.test(path)) return true;
    const real = this.realPath(path);
    return real !== undefined && real !== path && (isInside(home, real) || SOCKET_DIRECTORY.test(real));
  }

  /** True when hookd's own directory is the path, or lies below it. */
  holdsHookdHome(path: string): boolean {
    return this.bothPaths(path).some((one) => isInside(one, this.workplace.hookdHome));
  }

  /** The path that a program gets to, which goes through links before it goes up; `resolve` goes up first. */
  follow(cwd: string, word: string): string | undefined {
    if (!goesUp(word)) return pathFrom(cwd, word);
    let at = word.startsWith('/') ? '/' : cwd;
    for (const name of word.split('/').filter((one) => one !== '' && one !== '.')) {
      const from = name === '..' ? this.realPath(at) : at;
      if (from === undefined) return undefined;
      at = name === '..' ? dirname(from) : join(from, name);
    }
    return at;
  }

  /** A write there asks, whatever is allowed. In bypass mode only what configures this agent is left to guard. */
  isGuarded(path: string, mode: PermissionMode): boolean {
    return mode === 'bypassPermissions' ? this.isAgentSettings(path) : this.isProtected(path);
  }

  isProtected(path: string): boolean {
    return this.isAgentSettings(path) || this.bothPaths(path).some(isProtectedPath);
  }

  /** Settings and hook scripts, Claude Code's too, and what of them lies elsewhere. */
  isAgentSettings(path: string): boolean {
    return this.isInForce(path) || this.bothPaths(path).some(isAgentSettings);
  }

  /** Settings, or a script of a hook, that are in force now, by whatever link. */
  isInForce(path: string): boolean {
    return this.bothPaths(path).some((one) => this.#agentFiles().has(one));
  }

  /** Something below the path is of the agent's settings and hooks, or would be: it is not to be moved or replaced. */
  holdsAgentFiles(path: string): boolean {
    return this.bothPaths(path).some((one) => [...this.#agentFiles()].some((file) => isInside(one, file)));
  }

  /** Settings and hook scripts, and where their links lead now: one may have been turned, in the workspace or into it. */
  #agentFiles(): ReadonlySet<string> {
    const { policyFiles = [] } = this.workplace;
    this.#agents ??= new Set(policyFiles.flatMap((file) => this.bothPaths(file)));
    return this.#agents;
  }

  /** `/`, a child of it, home, the current, the project and the additional directories, $HOOKD_HOME and everything above them. */
  isCritical(path: string): boolean {
    const { home, cwd, project, hookdHome, directories } = this.workplace;
    return this.bothPaths(path).some(
      (one) =>
        one === '/' ||
        dirname(one) === '/' ||
        [home, cwd, project, hookdHome, ...directories].some((directory) => isInside(one, directory)),
    );
  }
}

/** Where the daemon's socket is when its path in $HOOKD_HOME would be too long. */
const SOCKET_DIRECTORY =
  /^\/(?:(?:var\/)?tmp\/hookd-\d+(?:-[^/]*)?|(?:var\/)?run\/user\/\d+\/hookd-[^/]*)(?:\/|$)/;
