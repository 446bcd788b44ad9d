/** Where requests go and with which credential: checked once, before anything is sent. */
import { HookdError } from '../core/errors.ts';

const OFFICIAL_URL = 'https://api.anthropic.com';

export interface EndpointOptions {
  readonly apiKey?: string | undefined;
  /** Used only when there is no API key. */
  readonly authToken?: string | undefined;
  readonly baseUrl?: string | undefined;
}

export interface Endpoint {
  readonly baseUrl: string;
  /** The whole address of a request, for people. */
  readonly name: string;
  readonly credential: string;
  /** The headers that carry the credential. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws MODEL_NOT_CONFIGURED. No message of it holds the credential or a password of the URL. */
export function readEndpoint({ apiKey, authToken, baseUrl }: EndpointOptions): Endpoint {
  const key = apiKey?.trim() ?? '';
  const credential = key === '' ? (authToken?.trim() ?? '') : key;
  if (credential === '') throw notConfigured('There is no API key and no auth token for the model.');
  if (!/^[\x21-\x7e]+$/.test(credential)) {
    throw notConfigured('The API key or auth token holds a blank, a line break or a letter outside ASCII.');
  }
  const url = readUrl(baseUrl?.trim() ?? '');
  const official = url === OFFICIAL_URL;
  return {
    baseUrl: url,
    name: `${url}/v1/messages`,
    credential,
    headers: {
      authorization: `Bearer ${credential}`,
      // Since 1.0 the SDK sends a key as a bearer token; many compatible endpoints look for it where it was before.
      ...(key === '' || official ? {} : { 'x-api-key': key }),
    },
  };
}

function readUrl(text: string): string {
  if (text === '') return OFFICIAL_URL;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw notConfigured('The base URL of the model is not an http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw notConfigured(
      'The base URL of the model holds a user name or password; pass a key or token instead.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw notConfigured('The base URL of the model ends in a query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

function notConfigured(message: string): HookdError {
  return new HookdError('MODEL_NOT_CONFIGURED', message);
}
