/** Sends one request to the base URL in argv[2] and prints the response: for tests that need an environment of their own. */
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { answerOf, openRequests } from './recorded-request.ts';

const requests = openRequests();
const model = createAnthropicModel({ apiKey: 'sk-passed-in', baseUrl: process.argv[2] });
const { response } = await answerOf(model, requests.record());
await requests.remove();
console.log(JSON.stringify(response.content));
