import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 1 << 16;
const NEWLINE = 10;

/** Counts the lines of a ledger as it grows, reading each byte once. */
export class LedgerWatch {
  readonly #file: string;
  #position = 0;
  #lines = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** How many accepts the network has written by now. */
  count(): number {
    const handle = openSync(this.#file, 'r');
    const chunk = Buffer.alloc(CHUNK);
    try {
      for (let read = CHUNK; read === CHUNK; ) {
        read = readSync(handle, chunk, 0, CHUNK, this.#position);
        this.#position += read;
        for (let at = 0; at < read; at += 1) if (chunk[at] === NEWLINE) this.#lines += 1;
      }
    } finally {
      closeSync(handle);
    }
    return this.#lines;
  }
}
