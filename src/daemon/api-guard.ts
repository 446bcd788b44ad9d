/** What holds for every request: no web page sends it, it speaks this protocol, and its client has a name. */
import { CLIENT_HEADER, PROTOCOL, PROTOCOL_HEADER } from '../core/protocol.ts';
import { ApiProblem } from './api-problem.ts';

/** Throws ApiProblem. */
export function guardRequest(headers: Headers): void {
  refuseBrowsers(headers);
  const protocol = headers.get(PROTOCOL_HEADER);
  if (protocol === null || protocol === PROTOCOL) return;
  throw new ApiProblem(
    400,
    'PROTOCOL_MISMATCH',
    `This daemon speaks protocol ${PROTOCOL}; the client asks for ${JSON.stringify(protocol.slice(0, 40))}.`,
    'Run the daemon and its clients from one version of hookd: "hookd daemon restart".',
  );
}

/** As the audit names it. Sanitised: it is shown on terminals. */
export function clientName(headers: Headers): string {
  const given = headers.get(CLIENT_HEADER) ?? '';
  const name = given
    .replace(/[^A-Za-z0-9 ._@:/-]/g, '')
    .trim()
    .slice(0, 60);
  return name === '' ? 'api' : name;
}

/** Somebody may have bound the socket to a port: a page in a browser must not reach it there. */
function refuseBrowsers(headers: Headers): void {
  const marks = ['origin', 'referer', 'sec-fetch-site'].filter((name) => headers.has(name));
  const host = headers.get('host') ?? '';
  if (!/^[A-Za-z0-9_-]*$/.test(host)) marks.push(`host ${JSON.stringify(host.slice(0, 80))}`);
  if (marks.length === 0) return;
  throw new ApiProblem(
    403,
    'BROWSER_REFUSED',
    `The request looks like a web page's (${marks.join(', ')}). The API is for programs of the daemon's user, on its socket.`,
    'Use a URL like http://hookd/v1/health, without a port, over the socket.',
  );
}
