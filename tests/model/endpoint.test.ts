import { expect, test } from 'vitest';
import { readEndpoint } from '../../src/model/endpoint.ts';

test.each([
  [{}, 'There is no API key and no auth token for the model.'],
  [{ apiKey: '', authToken: ' ' }, 'There is no API key and no auth token for the model.'],
  [
    { apiKey: 'sk secret' },
    'The API key or auth token holds a blank, a line break or a letter outside ASCII.',
  ],
  [{ apiKey: 'sk', baseUrl: 'example.org' }, 'The base URL of the model is not an http or https URL.'],
  [{ apiKey: 'sk', baseUrl: 'file:///etc' }, 'The base URL of the model is not an http or https URL.'],
  [
    { apiKey: 'sk', baseUrl: 'https://me:secret@example.org' },
    'The base URL of the model holds a user name or password; pass a key or token instead.',
  ],
  [
    { apiKey: 'sk', baseUrl: 'https://example.org/?a=b' },
    'The base URL of the model ends in a query or fragment.',
  ],
])('%j is refused before anything is sent, without repeating a secret', (options, message) => {
  expect(() => readEndpoint(options)).toThrow(
    expect.objectContaining({ code: 'MODEL_NOT_CONFIGURED', message }),
  );
});

test('a key goes to the official API as a bearer token, and elsewhere as x-api-key too', () => {
  const official = { authorization: 'Bearer sk' };
  expect(readEndpoint({ apiKey: 'sk\n' })).toMatchObject({
    baseUrl: 'https://api.anthropic.com',
    headers: official,
  });
  expect(readEndpoint({ apiKey: 'sk', baseUrl: 'https://api.anthropic.com/' }).headers).toEqual(official);
  expect(readEndpoint({ apiKey: 'sk', baseUrl: 'http://127.0.0.1:9/x/' })).toMatchObject({
    baseUrl: 'http://127.0.0.1:9/x',
    name: 'http://127.0.0.1:9/x/v1/messages',
    headers: { ...official, 'x-api-key': 'sk' },
  });
});

test('a token goes as a bearer token only, and only when there is no key', () => {
  const baseUrl = 'http://127.0.0.1:9';
  expect(readEndpoint({ authToken: 'token', baseUrl }).headers).toEqual({ authorization: 'Bearer token' });
  expect(readEndpoint({ apiKey: 'sk', authToken: 'token', baseUrl }).credential).toBe('sk');
});
