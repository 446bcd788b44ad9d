/**
 * The `env` of settings: who may set which variable, and whom it reaches. What a project sets reaches the project's own
 * hooks and the commands of the agent, never the hooks of somebody with more authority.
 */
import { isObject } from '../core/json.ts';
import { HOOK_SCOPES, type HookScope } from '../hooks/hook.ts';
import type { JsonDocument } from './json.ts';
import { isOfProject, type SettingsOrigin } from './origin.ts';
import { describeValue, keyText, type SettingsProblem } from './problem.ts';
import type { SettingsScope } from './schema.ts';

export type Variables = Readonly<Record<string, string>>;

/** What one file sets. */
export interface ScopedVariables {
  readonly scope: SettingsScope;
  readonly values: Variables;
}

/**
 * Decides what a command means, which code a program loads, or where a credential goes: with one of these a project
 * would make judged commands run something else.
 */
const NOT_FROM_PROJECTS = new RegExp(
  `^(${[
    ...['PATH', 'HOME', 'SHELL', 'SHLVL', 'CDPATH', 'IFS', 'PWD', 'OLDPWD', 'USER', 'LOGNAME', 'TMPDIR'],
    ...['ENV', 'BASH.*', 'SHELLOPTS', 'FUNCNEST', 'GLOBIGNORE', 'EXECIGNORE', 'POSIXLY_CORRECT', 'PS[0-4]'],
    ...[
      'PROMPT_COMMAND',
      'ZDOTDIR',
      'FPATH',
      'LD_.*',
      'DYLD_.*',
      'GCONV_PATH',
      'GLIBC_TUNABLES',
      'MALLOC_.*',
    ],
    ...[
      'NODE_OPTIONS',
      'NODE_PATH',
      'NODE_EXTRA_CA_CERTS',
      'PYTHON.*',
      'PERL.*',
      'RUBY.*',
      'GEM_.*',
      'LUA_.*',
    ],
    ...['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH', 'PHP_INI_SCAN_DIR', 'PHPRC'],
    ...[
      'GIT_.*',
      'SSH_.*',
      'EDITOR',
      'VISUAL',
      'BROWSER',
      'PAGER',
      'MANPAGER',
      'LESS.*',
      'MORE',
      'GREP_OPTIONS',
    ],
    ...['RIPGREP_CONFIG_PATH', 'XDG_.*', 'SUDO_.*', 'ANTHROPIC_.*', 'CLAUDE.*', 'HOOKD_.*', 'MODEL_ID'],
    ...['HTTPS?_PROXY', 'ALL_PROXY', 'NO_PROXY', 'SSL_CERT_.*', 'CURL_.*', 'WGETRC'],
  ].join('|')})$`,
  'i',
);

const NOT_FROM_PROJECTS_BECAUSE =
  'a project cannot set this variable, ignored: it may change what a command runs, what code is loaded or where a secret is sent';

export interface ReadVariables {
  readonly values: Variables;
  readonly problems: readonly SettingsProblem[];
}

/** Wrong types are already among the problems of the file. */
export function readVariables(origin: SettingsOrigin, document: JsonDocument): ReadVariables {
  const written = isObject(document.value) ? document.value['env'] : undefined;
  if (!isObject(written) || !origin.isTrusted) return { values: {}, problems: [] };
  const values = new Map<string, string>();
  const problems: SettingsProblem[] = [];
  for (const [name, value] of Object.entries(written)) {
    const path = ['env', name];
    const tell = (severity: SettingsProblem['severity'], message: string, found?: string): void => {
      const at = { file: origin.file, ...document.placeOfKey(path), key: keyText(path) };
      problems.push({ severity, ...at, message, ...(found === undefined ? {} : { found }) });
    };
    if (isOfProject(origin) && NOT_FROM_PROJECTS.test(name)) {
      tell('warning', NOT_FROM_PROJECTS_BECAUSE);
    } else if (name === '' || /[=\0]/.test(name) || String(value).includes('\0')) {
      tell('error', 'no process can be given this variable', describeValue(value));
    } else {
      if (value === null) tell('warning', 'null becomes the text "null"');
      values.set(name, String(value));
    }
  }
  return { values: Object.freeze(Object.fromEntries(values)), problems };
}

/**
 * What the settings set for a hook of this scope: only those with as much authority or more have a say. For `tools`
 * (the agent's commands) all do. `inOrder`: the lowest precedence first.
 */
export function variablesFor(reader: HookScope | 'tools', inOrder: readonly ScopedVariables[]): Variables {
  const reaches = ({ scope }: ScopedVariables): boolean =>
    reader === 'tools' || HOOK_SCOPES.indexOf(scope) <= HOOK_SCOPES.indexOf(reader);
  return Object.assign({}, ...inOrder.filter(reaches).map(({ values }) => values)) as Variables;
}
