import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 16_384;
const TO_CUSTOMER = 0x11;
const FROM_CUSTOMER = 0x12;
const OUTBOUND_ID_BYTES = 9;
const INBOUND_ID_BYTES = 9;
// The longest peer is a parent user id: two letters, ".ENT." and 128 characters.
const SCRATCH_BYTES = 256;

/**
 * Makes the network's message ids. The bytes come from the operating system and not from the seeded generator:
 * a simulator that restarts must never give out an id twice.
 */
export class WamidMaker {
  readonly #fill: (buffer: Buffer) => void;
  readonly #pool = Buffer.alloc(POOL_BYTES);
  readonly #scratch = Buffer.alloc(SCRATCH_BYTES);
  #used = POOL_BYTES;

  constructor(fill: (buffer: Buffer) => void = (buffer) => void randomFillSync(buffer)) {
    this.#fill = fill;
  }

  /** Id of a message from the business to `peer` (digits, or a user id when no phone is known). */
  outbound(peer: string): string {
    return this.#make(peer, TO_CUSTOMER, this.#hex(OUTBOUND_ID_BYTES));
  }

  /** Id of a message from `peer` to the business: 20 characters that begin with 3A. */
  inbound(peer: string): string {
    return this.#make(peer, FROM_CUSTOMER, `3A${this.#hex(INBOUND_ID_BYTES)}`);
  }

  /** 22 characters for `fbtrace_id` and the trace header. */
  trace(): string {
    const at = this.#take(16);
    return this.#pool.toString('base64url', at, at + 16);
  }

  /** A media id: 15 decimal digits. */
  mediaId(): string {
    const at = this.#take(6);
    return String(100_000_000_000_000 + this.#pool.readUIntBE(at, 6));
  }

  #make(peer: string, direction: number, id: string): string {
    const scratch = this.#scratch;
    scratch[0] = 0x1c;
    scratch[1] = 0x18;
    const peerBytes = scratch.write(peer, 3, 'latin1');
    scratch[2] = peerBytes;
    let at = 3 + peerBytes;
    scratch[at++] = 0x15;
    scratch[at++] = 0x02;
    scratch[at++] = 0x00;
    scratch[at++] = direction;
    scratch[at++] = 0x18;
    scratch[at++] = id.length;
    at += scratch.write(id, at, 'latin1');
    scratch[at++] = 0x00;
    return `wamid.${scratch.toString('base64', 0, at)}`;
  }

  #hex(bytes: number): string {
    const at = this.#take(bytes);
    return this.#pool.toString('hex', at, at + bytes).toUpperCase();
  }

  #take(bytes: number): number {
    if (this.#used + bytes > POOL_BYTES) {
      this.#fill(this.#pool);
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += bytes;
    return at;
  }
}
