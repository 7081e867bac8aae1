import { credentialId, type Principal } from '#core/caller/principal';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';

/** How many may be open at once in one process. */
export interface SlotLimits {
  readonly perKey: number;
  /** All keys of a tenant together. */
  readonly perTenant: number;
  /** All people of a tenant together, apart from its keys; each of their sessions has as much as a key. Absent: as keys. */
  readonly perPeople?: number;
  /** Each holds a connection and asks the database now and then. */
  readonly perProcess: number;
}

/** A program needs one stream, and so does a browser, over all its tabs. */
export const STREAM_LIMITS: SlotLimits = { perKey: 10, perTenant: 50, perPeople: 2_000, perProcess: 4_000 };
/** A program may wait for the outcome of several messages at once. */
export const WAIT_LIMITS: SlotLimits = { perKey: 50, perTenant: 100, perProcess: 2_000 };

/** Requests that wait for somebody outside: few of one tenant, since each holds a connection that others may need. */
export const OUTSIDE_LIMITS: SlotLimits = { perKey: 16, perTenant: 16, perProcess: OUTSIDE_AT_ONCE };

/** Counts what callers hold open in this process: streams, or requests that wait. */
export class StreamSlots {
  readonly #limits: SlotLimits;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** @returns gives the place back, once however often it is called; null: too many are open */
  take(caller: Pick<Principal, 'tenantId' | 'keyId' | 'session'>): (() => void) | null {
    const { perKey, perTenant, perPeople = perTenant, perProcess } = this.#limits;
    const limits = new Map([
      [credentialId(caller), perKey],
      caller.session === null ? [`keys of ${caller.tenantId}`, perTenant] : [`people of ${caller.tenantId}`, perPeople],
    ] as [string, number][]);
    const isFull = [...limits].some(([name, limit]) => (this.#open.get(name) ?? 0) >= limit);
    if (isFull || this.#all >= perProcess) return null;
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
