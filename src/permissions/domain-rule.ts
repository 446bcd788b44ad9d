/**
 * The content of `WebFetch(domain:HOST)`: one host, compared without regard to case, port, path, user or a final dot.
 * `*.h` stands for every host below `h`, but not for `h` itself; any other star stays within one label.
 */
import { domainToASCII } from 'node:url';
import { compileWildcard, matchesWildcard, type Wildcard } from './wildcard.ts';

export interface DomainPattern {
  /** From the last label to the first. */
  readonly labels: readonly Wildcard[];
  /** `*.h`: one or more labels stand before these. */
  readonly below: boolean;
}

export const DOMAIN_PREFIX = 'domain:';

/** For rules that restrict: `*` alone is every host there is. */
export const EVERY_DOMAIN: DomainPattern = { labels: [], below: true };

/** `undefined` when the text is no host, with or without stars. */
export function compileDomain(text: string): DomainPattern | undefined {
  const host = withoutFinalDot(text.trim().toLowerCase());
  const below = host.startsWith('*.');
  const labels = (below ? host.slice(2) : host).split('.');
  if (labels.some((label) => !/^[\p{L}\p{N}_*-]+$/u.test(label))) return undefined;
  return { below, labels: labels.map(asciiLabel).reverse().map(compileWildcard) };
}

/** The host of an address, as rules see it; `undefined` where there is none. */
export function hostOf(address: string): string | undefined {
  const url = parsed(address) ?? parsed(`https://${address}`);
  const host = withoutFinalDot(url?.hostname.toLowerCase() ?? '');
  return host === '' ? undefined : host;
}

export function matchesDomain({ labels, below }: DomainPattern, host: string): boolean {
  const found = host.split('.').reverse();
  if (below ? found.length <= labels.length : found.length !== labels.length) return false;
  return labels.every((label, index) => matchesWildcard(label, found[index] ?? ''));
}

const withoutFinalDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/** As an address is written on the wire: `bücher` there is `xn--bcher-kva`. */
function asciiLabel(label: string): string {
  return /[^\u0000-\u007f]/.test(label) && !label.includes('*') ? domainToASCII(label) || label : label;
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
