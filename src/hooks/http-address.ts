/** Whether an http hook may send to its URL. Pure: nothing is looked up. */
import type { Handler } from './hook.ts';

type Addressed = Pick<Extract<Handler, { type: 'http' }>, 'url' | 'reach'>;

/** Why each run of the hook fails before anything is sent; undefined: it may send. */
export function addressProblem({ url: written, reach }: Addressed): string | undefined {
  if (reach === 'refused') return 'its URL is not among allowedHttpHookUrls';
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined) return 'its URL cannot be read';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return `${url.protocol} is not supported: a URL begins with https: or http:`;
  if (reach === 'listed' || isLoopback(url.hostname)) return undefined;
  return 'its URL is neither https nor on this machine, and no setting of the user allows it';
}

/** The URL parser has written addresses in their plain form by now. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
