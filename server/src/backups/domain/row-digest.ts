import { createHash } from 'node:crypto';

const MODULUS = 1n << 256n;

/** Adds up the hashes of lines: equal for the same lines in another order, and different when one is missing or doubled. */
export class RowDigest {
  #sum = 0n;
  #rows = 0;

  add(line: string): void {
    this.#sum = (this.#sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % MODULUS;
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  get hex(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
