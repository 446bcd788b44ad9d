/** What leaves for the endpoint, beside what the SDK's own client would send: that client is not part of hookd. */
import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { type MessagesApi, startMessagesApi } from '../support/messages-api.ts';
import { answerOf, openRequests } from './recorded-request.ts';

async function sentTo(api: MessagesApi, baseUrl: string) {
  const requests = openRequests();
  const request = requests.record();
  await answerOf(createAnthropicModel({ apiKey: 'sk-test', baseUrl }), request).catch(() => undefined);
  await requests.remove();
  const sent = await api.nextRequest();
  const { model, maxTokens: max_tokens } = request.value;
  const client = new Anthropic({ apiKey: 'sk-test', baseURL: baseUrl, maxRetries: 0, webhookKey: null });
  const messages = [{ role: 'user', content: 'go' }] as const;
  await client.messages
    .stream({ model, max_tokens, messages: [...messages] })
    .finalMessage()
    .catch(() => undefined);
  return { sent, wanted: await api.nextRequest() };
}

test.each(['', '/', '/behind/a%20proxy/'])(
  'the request to the base URL with "%s" is the one of the SDK',
  async (path) => {
    const api = await startMessagesApi([]);
    const { sent, wanted } = await sentTo(api, `${api.url}${path}`);
    await api.close();
    expect([sent.method, sent.path]).toEqual([wanted.method, wanted.path]);
    for (const name of [
      'accept',
      'anthropic-version',
      'authorization',
      'content-type',
      'host',
      'user-agent',
    ]) {
      expect(`${name}: ${sent.headers[name]}`).toBe(`${name}: ${wanted.headers[name]}`);
    }
  },
);
