import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { isJsonObject, parseJsonObject } from './json.ts';
import { hash32 } from './recipient.ts';

/** What a send leaves behind. */
export type LedgerEntry = {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly to: string;
  readonly type: string;
  /** JSON literal of `biz_opaque_callback_data`, or the text `null`. */
  readonly bizJson: string;
  readonly acceptedAtMs: number;
  /** The request body: JSON text on one line. */
  readonly requestJson: string;
};

export type LedgerFilter = { readonly to?: string; readonly phoneNumberId?: string };
export type LedgerPage = { readonly lines: readonly Buffer[]; readonly total: number };

const SLAB_BYTES = 4 * 1024 * 1024;
// UTF-8 needs at most three bytes for one UTF-16 unit.
const BYTES_PER_UNIT = 3;

/**
 * Every accepted send, in accept order. An entry is stored once, as the JSON line that a listing shows and that the file
 * holds, in large buffers outside the garbage collector's reach: a million entries cost what their text costs.
 */
export class Ledger {
  readonly #fd: number | null;
  #slabs: Buffer[] = [];
  #slab = Buffer.alloc(0);
  #used = 0;
  #flushed = 0;
  #index = new LedgerIndex();
  #answers: (() => void)[] = [];
  #lastMs = -1;
  #lastIso = '';

  /** `file` is appended to; null keeps the ledger in memory only. Throws what opening the file throws. */
  constructor(file: string | null) {
    this.#fd = file === null ? null : openSync(file, 'a');
  }

  get size(): number {
    return this.#index.size;
  }

  /**
   * Records a send, then calls `answer`: immediately without a file, otherwise after the one write that ends this turn
   * of the event loop. A write that fails throws out of the loop and ends the process: a ledger with holes would be
   * worse than none.
   */
  append(entry: LedgerEntry, answer: () => void): void {
    this.#store(entry);
    if (this.#fd === null) {
      answer();
      return;
    }
    if (this.#answers.length === 0) setImmediate(() => this.#settle());
    this.#answers.push(answer);
  }

  /** Puts back a line of an earlier run; the file has it already. False for a line that is none. */
  restore(line: string): boolean {
    const entry = parseEntry(line);
    if (entry === null) return false;
    this.#store(entry);
    this.#flushed = this.#used;
    return true;
  }

  /** Entries from `offset`, oldest first; `total` counts all that match. */
  page(filter: LedgerFilter, offset: number, limit: number): LedgerPage {
    if (filter.to === undefined && filter.phoneNumberId === undefined) {
      const end = Math.min(this.size, offset + limit);
      const lines: Buffer[] = [];
      for (let i = offset; i < end; i++) lines.push(this.#line(i));
      return { lines, total: this.size };
    }
    return this.#filteredPage(filter, offset, limit);
  }

  /** Empties the ledger, the file included. */
  reset(): void {
    this.#settle();
    this.#slabs = [];
    this.#slab = Buffer.alloc(0);
    this.#used = 0;
    this.#flushed = 0;
    this.#index = new LedgerIndex();
    if (this.#fd !== null) ftruncateSync(this.#fd, 0);
  }

  close(): void {
    this.#settle();
    if (this.#fd !== null) closeSync(this.#fd);
  }

  #store(entry: LedgerEntry): void {
    const line =
      `{"id":"${entry.id}","phone_number_id":"${entry.phoneNumberId}","to":"${entry.to}","type":"${entry.type}",` +
      `"biz_opaque_callback_data":${entry.bizJson},"accepted_at":"${this.#iso(entry.acceptedAtMs)}",` +
      `"request":${entry.requestJson}}\n`;
    const room = line.length * BYTES_PER_UNIT;
    if (this.#slab.length - this.#used < room) this.#newSlab(room);
    const bytes = this.#slab.write(line, this.#used, 'utf8');
    this.#index.push(this.#slabs.length - 1, this.#used, bytes - 1, hash32(entry.to), hash32(entry.phoneNumberId));
    this.#used += bytes;
  }

  #newSlab(room: number): void {
    this.#flush();
    this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, room));
    this.#slabs.push(this.#slab);
    this.#used = 0;
    this.#flushed = 0;
  }

  #settle(): void {
    this.#flush();
    const answers = this.#answers;
    this.#answers = [];
    for (const answer of answers) answer();
  }

  #flush(): void {
    if (this.#fd === null) return;
    while (this.#flushed < this.#used) {
      this.#flushed += writeSync(this.#fd, this.#slab, this.#flushed, this.#used - this.#flushed);
    }
  }

  #line(position: number): Buffer {
    const { slab, start, length } = this.#index.at(position);
    return (this.#slabs[slab] ?? this.#slab).subarray(start, start + length);
  }

  #filteredPage(filter: LedgerFilter, offset: number, limit: number): LedgerPage {
    const lines: Buffer[] = [];
    let total = 0;
    for (const position of this.#index.candidates(filter)) {
      const line = this.#line(position);
      if (!matches(line, filter)) continue;
      if (total >= offset && lines.length < limit) lines.push(line);
      total++;
    }
    return { lines, total };
  }

  #iso(ms: number): string {
    if (ms !== this.#lastMs) {
      this.#lastMs = ms;
      this.#lastIso = new Date(ms).toISOString();
    }
    return this.#lastIso;
  }
}

/** Where each line lies and what it may be filtered by, in growing columns of 32-bit numbers. */
class LedgerIndex {
  #size = 0;
  #capacity = 1024;
  #columns: readonly Uint32Array[] = Array.from({ length: 5 }, () => new Uint32Array(this.#capacity));

  get size(): number {
    return this.#size;
  }

  push(...values: [slab: number, start: number, length: number, toHash: number, numberHash: number]): void {
    if (this.#size === this.#capacity) this.#grow();
    for (const [i, column] of this.#columns.entries()) column[this.#size] = values[i] ?? 0;
    this.#size++;
  }

  at(position: number): { readonly slab: number; readonly start: number; readonly length: number } {
    const [slab, start, length] = this.#columns.map((column) => column[position] ?? 0);
    return { slab: slab ?? 0, start: start ?? 0, length: length ?? 0 };
  }

  /** Positions whose hashes fit; a hash can lie, so the line itself must be asked. */
  *candidates(filter: LedgerFilter): Generator<number> {
    const toHash = filter.to === undefined ? null : hash32(filter.to);
    const numberHash = filter.phoneNumberId === undefined ? null : hash32(filter.phoneNumberId);
    for (let i = 0; i < this.#size; i++) {
      if (toHash !== null && this.#columns[3]?.[i] !== toHash) continue;
      if (numberHash !== null && this.#columns[4]?.[i] !== numberHash) continue;
      yield i;
    }
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#columns = this.#columns.map((column) => {
      const wider = new Uint32Array(this.#capacity);
      wider.set(column);
      return wider;
    });
  }
}

function parseEntry(line: string): LedgerEntry | null {
  const entry = parseJsonObject(line);
  if (entry === null) return null;
  const { id, phone_number_id: phoneNumberId, to, type, accepted_at: at, request } = entry;
  if (![id, phoneNumberId, to, type, at].every((value) => typeof value === 'string')) return null;
  return {
    id: String(id),
    phoneNumberId: String(phoneNumberId),
    to: String(to),
    type: String(type),
    bizJson: JSON.stringify(entry.biz_opaque_callback_data ?? null),
    acceptedAtMs: Date.parse(String(at)),
    requestJson: JSON.stringify(request ?? {}),
  };
}

function matches(line: Buffer, filter: LedgerFilter): boolean {
  const entry: unknown = JSON.parse(line.toString('utf8'));
  if (!isJsonObject(entry)) return false;
  if (filter.to !== undefined && entry.to !== filter.to) return false;
  return filter.phoneNumberId === undefined || entry.phone_number_id === filter.phoneNumberId;
}
