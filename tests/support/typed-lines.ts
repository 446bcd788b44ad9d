/** A terminal without a terminal: keys go in, what is drawn comes out. */
import { PassThrough } from 'node:stream';
import { LineInput } from '../../src/cli/line-input.ts';

export interface TypedLines {
  readonly input: LineInput;
  readonly type: (keys: string) => void;
  /** Everything that was drawn, without escape sequences. */
  readonly drawn: () => string;
  /** Lets what was typed take effect. */
  readonly settle: () => Promise<void>;
}

export function typedLines({ history = [] }: { readonly history?: readonly string[] } = {}): TypedLines {
  const keys = new PassThrough();
  const screen = Object.assign(new PassThrough(), { columns: 80 });
  let text = '';
  screen.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const input = new LineInput({ input: keys, output: screen, history });
  return {
    input,
    type: (typed) => void keys.write(typed),
    drawn: () => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', ''),
    settle: () => new Promise((done) => setImmediate(() => setImmediate(done))),
  };
}
