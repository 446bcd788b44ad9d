/** Reads a request's body: JSON of at most 1 MiB that fits its schema. The limit holds whatever the header claims. */
import { ApiProblem } from './api-problem.ts';
import { type Bodies, checkBody } from './api-schema.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** Throws ApiProblem. A request without a body counts as `{}`. */
export async function readBody<Name extends keyof Bodies>(
  request: Request,
  name: Name,
): Promise<Bodies[Name]> {
  const bytes = await readBytes(request);
  if (bytes.length > 0) assertJson(request);
  const checked = checkBody(name, bytes.length === 0 ? {} : parse(bytes));
  if (checked.ok) return checked.body;
  throw new ApiProblem(400, 'REQUEST_INVALID', `Wrong body: ${checked.problem}.`, SEE);
}

const SEE = 'docs/api.md says what each request holds.';

async function readBytes(request: Request): Promise<Buffer> {
  const claimed = Number(request.headers.get('content-length') ?? '0');
  if (claimed > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  for (;;) {
    const { done, value } = await nextOf(reader);
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(value);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function nextOf(reader: Reader): ReturnType<Reader['read']> {
  try {
    return await reader.read();
  } catch {
    throw new ApiProblem(400, 'REQUEST_INVALID', 'The connection broke within the body.', 'Send it whole.');
  }
}

function tooLarge(): ApiProblem {
  return new ApiProblem(
    413,
    'REQUEST_TOO_LARGE',
    `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    'Put what is that long into a file, and name the file.',
  );
}

/** No form and no plain text: those a web page may send anywhere without asking. */
function assertJson(request: Request): void {
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(type)) return;
  const found = type === '' ? 'there is none' : `it is ${JSON.stringify(type)}`;
  throw new ApiProblem(
    415,
    'REQUEST_INVALID',
    `The content type of a body must be application/json; ${found}.`,
    'With curl: -H "Content-Type: application/json".',
  );
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is no UTF-8';
    throw new ApiProblem(400, 'REQUEST_INVALID', `The body is no JSON: ${why}.`, SEE);
  }
}
