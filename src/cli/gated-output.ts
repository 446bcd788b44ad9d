/** Passes on what readline draws while somebody is to see it. */
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';

export type TerminalOutput = NodeJS.WritableStream & { readonly columns?: number };

export class GatedOutput extends Writable {
  readonly #target: TerminalOutput;
  isOpen = true;

  constructor(target: TerminalOutput) {
    super({ decodeStrings: false });
    this.#target = target;
    if (target instanceof EventEmitter) target.on('resize', () => this.emit('resize'));
  }

  get columns(): number {
    return this.#target.columns || 80;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOpen) this.#target.write(chunk);
    done();
  }
}
