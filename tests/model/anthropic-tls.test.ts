import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { messageOf } from '../support/message-events.ts';
import { answerOf, openRequests } from './recorded-request.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CERTIFICATE = fileOf('../fixtures/tls/certificate.pem');

let server: Server;
let url: string;

beforeEach(async () => {
  const key = readFileSync(fileOf('../fixtures/tls/key.pem'));
  server = createServer({ key, cert: readFileSync(CERTIFICATE) }, (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(messageOf([{ type: 'text', text: 'sealed' }], 'm')));
    });
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

test('a certificate that nobody trusts is named', async () => {
  const requests = openRequests();
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: url });
  await expect(answerOf(model, requests.record())).rejects.toMatchObject({
    message: `${url}/v1/messages gave no answer: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    isTransient: false,
  });
  await requests.remove();
});

test('NODE_EXTRA_CA_CERTS is trusted, proxy variables are not read, and no kept connection keeps the program', async () => {
  const proxy = 'http://127.0.0.1:9';
  const env = {
    PATH: process.env['PATH'],
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    ...{
      HTTPS_PROXY: proxy,
      https_proxy: proxy,
      ALL_PROXY: proxy,
      HTTP_PROXY: proxy,
      NODE_USE_ENV_PROXY: '1',
    },
  };
  const argv = ['--import', 'tsx', fileOf('one-request.ts'), url];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env });
  expect(stdout).toBe('[{"type":"text","text":"sealed"}]\n');
});
