import type { KeyId, TenantId } from '#core/ids';

/** Streams that one key may hold open in one process; a program needs one. */
const MAX_PER_KEY = 10;
/** All keys of a tenant together. */
const MAX_PER_TENANT = 50;
/** Each holds a connection and asks the database now and then. */
const MAX_PER_PROCESS = 2_000;

/** Counts the open streams of this process. */
export class StreamSlots {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** @returns gives the place back, once however often it is called; null: too many are open */
  take(tenantId: TenantId, keyId: KeyId): (() => void) | null {
    const limits = new Map([
      [`key ${keyId}`, MAX_PER_KEY],
      [`tenant ${tenantId}`, MAX_PER_TENANT],
    ]);
    const isFull = [...limits].some(([name, limit]) => (this.#open.get(name) ?? 0) >= limit);
    if (isFull || this.#all >= MAX_PER_PROCESS) return null;
    this.#count([...limits.keys()], 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#count([...limits.keys()], -1);
      isHeld = false;
    };
  }

  #count(names: readonly string[], by: 1 | -1): void {
    this.#all += by;
    for (const name of names) {
      const count = (this.#open.get(name) ?? 0) + by;
      if (count === 0) this.#open.delete(name);
      else this.#open.set(name, count);
    }
  }
}
