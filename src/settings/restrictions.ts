/**
 * What the user, the command line and managed settings keep back: variables from hooks and commands, addresses and variables
 * from http hooks. A list binds the hooks of its own authority and of those below.
 */
import { HOOK_SCOPES, type Hook, type HookScope, type HooksInForce } from '../hooks/hook.ts';
import { compileWildcard, matchesWildcard } from '../permissions/wildcard.ts';
import type { SettingsOrigin } from './origin.ts';
import type { Restrictions } from './restrictions-schema.ts';

export interface RestrictingFile {
  readonly origin: Pick<SettingsOrigin, 'scope'>;
  readonly values: Restrictions;
}

/** What the files of one scope keep back. */
export interface ScopedNames {
  readonly scope: HookScope;
  readonly names: readonly string[];
}

/** An environment less what is kept back from this reader; from `tools` (the agent's commands) all of it. */
export function withoutScrubbed(
  env: Readonly<Record<string, string | undefined>>,
  reader: HookScope | 'tools',
  scrubbed: readonly ScopedNames[],
): Readonly<Record<string, string | undefined>> {
  const wildcards = scrubbed
    .filter(({ scope }) => reader === 'tools' || HOOK_SCOPES.indexOf(scope) <= HOOK_SCOPES.indexOf(reader))
    .flatMap(({ names }) => names.map(compileWildcard));
  if (wildcards.length === 0) return env;
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !wildcards.some((wildcard) => matchesWildcard(wildcard, name))),
  );
}

export function scrubbedBy(files: readonly RestrictingFile[]): readonly ScopedNames[] {
  const scoped = files.flatMap(({ origin, values }) =>
    values.scrubEnv === undefined ? [] : [Object.freeze({ scope: origin.scope, names: values.scrubEnv })],
  );
  return Object.freeze(scoped);
}

/** The http hooks as they may send. Files of one scope speak together; every scope that speaks must agree. */
export function restrictHttp({ hooks }: HooksInForce, files: readonly RestrictingFile[]): HooksInForce {
  return Object.freeze({ hooks: Object.freeze(hooks.map((hook) => restricted(hook, files))) });
}

function restricted(hook: Hook, files: readonly RestrictingFile[]): Hook {
  const { handler, source } = hook;
  if (handler.type !== 'http') return hook;
  const urls = listsFor(source.scope, files, 'allowedHttpHookUrls');
  const variables = listsFor(source.scope, files, 'httpHookAllowedEnvVars');
  if (urls.length === 0 && variables.length === 0) return hook;
  const isAllowed = urls.every((list) => list.some((pattern) => isUrlLike(handler.url, pattern)));
  const said = isAllowed ? ('listed' as const) : ('refused' as const);
  const allowedEnvVars = handler.allowedEnvVars.filter((name) =>
    variables.every((list) => list.includes(name)),
  );
  const reach = urls.length === 0 ? {} : { reach: said };
  return Object.freeze({ ...hook, handler: Object.freeze({ ...handler, allowedEnvVars, ...reach }) });
}

/** One list for each scope of as much authority that has one. */
function listsFor(
  scope: HookScope,
  files: readonly RestrictingFile[],
  key: 'allowedHttpHookUrls' | 'httpHookAllowedEnvVars',
): readonly (readonly string[])[] {
  const above = HOOK_SCOPES.slice(0, HOOK_SCOPES.indexOf(scope) + 1);
  return above.flatMap((one) => {
    const lists = files
      .filter(({ origin }) => origin.scope === one)
      .flatMap(({ values }) => values[key] ?? []);
    const speaks = files.some(({ origin, values }) => origin.scope === one && values[key] !== undefined);
    return speaks ? [lists] : [];
  });
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * A star in the host's part stays in it: it must not reach a host that the writer did not mean. A pattern without a path
 * that ends with a star stands for every path. An address with a user name matches nothing.
 */
export function isUrlLike(written: string, pattern: string): boolean {
  if (!URL.canParse(written)) return false;
  const url = new URL(written);
  if (url.username !== '' || url.password !== '') return false;
  if (pattern === '*') return true;
  const parts = /^([a-z*]+:)\/\/([^/?#@\\]+)(\/.*)?$/i.exec(pattern);
  if (parts === null) return false;
  const [, scheme = '', host = '', path = host.endsWith('*') ? '/*' : '/'] = parts;
  const fits = (text: string, star: string): boolean => matchesWildcard(compileWildcard(star), text);
  const withPort = `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;
  return (
    fits(url.protocol, scheme.toLowerCase()) &&
    [url.host, withPort].some((one) => fits(one, host.toLowerCase())) &&
    fits(`${url.pathname}${url.search}`, path)
  );
}
