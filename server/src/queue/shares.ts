import type { Clock } from '#runtime/clock';

/** Who holds places: a lane, and the tenant that it belongs to. */
export interface Holder {
  readonly key: string;
  readonly tenant: string;
}

/** A lane may keep this multiple of what stays free: alone it gets four places of five. */
const QUICK_MULTIPLE = 4;
/** The same for a slow lane: alone it gets a third of the places, and twenty of them leave one in eleven. */
const SLOW_MULTIPLE = 0.5;
/** The same for a tenant: above the multiples of its lanes, so that one of them leaves room to the others. */
const TENANT_MULTIPLE = 8;
/** Work that holds its place longer than this on average is slow; a send takes a tenth of it. */
export const SLOW_MS = 500;

interface Lane {
  held: number;
  /** Places given back in the period that began at `sinceMs`, and in the one before. */
  returned: number;
  returnedBefore: number;
  sinceMs: number;
}

/**
 * A bounded number of places, shared among lanes and their tenants. Each may grow as long as it holds at most a
 * multiple of what is still free (the dynamic threshold of packet switches): one alone gets most of them, several get
 * equal parts, and some are left for newcomers, since a place that is held cannot be taken away. A lane gets little
 * until its work has come back quickly. A lane that holds nothing may always take a free place.
 */
export class Shares {
  readonly #size: number;
  readonly #clock: Clock;
  readonly #holders = new Map<unknown, Holder>();
  readonly #lanes = new Map<string, Lane>();
  readonly #tenants = new Map<string, number>();

  constructor(size: number, clock: Clock) {
    this.#size = size;
    this.#clock = clock;
  }

  get held(): number {
    return this.#holders.size;
  }

  get free(): number {
    return this.#size - this.#holders.size;
  }

  heldBy(key: string): number {
    return this.#lanes.get(key)?.held ?? 0;
  }

  /** Whether one more place may be taken for this lane. */
  mayTake({ key, tenant }: Holder): boolean {
    if (this.free <= 0 || !this.#fits(this.#tenants.get(tenant) ?? 0, TENANT_MULTIPLE)) return false;
    const lane = this.#lanes.get(key);
    if (lane === undefined) return true;
    return this.#fits(lane.held, this.#isSlow(lane) ? SLOW_MULTIPLE : QUICK_MULTIPLE);
  }

  /** Takes a place, whether or not it is free. @param id names it until it is given back */
  take(id: unknown, holder: Holder): void {
    const { key, tenant } = holder;
    this.#holders.set(id, holder);
    const lane = this.#lanes.get(key);
    if (lane) lane.held += 1;
    else this.#lanes.set(key, { held: 1, returned: 0, returnedBefore: 0, sinceMs: this.#clock.monotonic() });
    this.#tenants.set(tenant, (this.#tenants.get(tenant) ?? 0) + 1);
  }

  /** Gives a place back; one that is not held is ignored. */
  release(id: unknown): void {
    const holder = this.#holders.get(id);
    if (holder === undefined) return;
    const { key, tenant } = holder;
    this.#holders.delete(id);
    const lane = this.#lanes.get(key);
    if (lane === undefined || lane.held <= 1) this.#lanes.delete(key);
    else {
      lane.held -= 1;
      lane.returned += 1;
    }
    const left = (this.#tenants.get(tenant) ?? 1) - 1;
    if (left > 0) this.#tenants.set(tenant, left);
    else this.#tenants.delete(tenant);
  }

  #fits(held: number, multiple: number): boolean {
    return held === 0 || held + 1 <= multiple * (this.free - 1);
  }

  /** By Little's law: work takes longer than a period on average when more is held than comes back in one. */
  #isSlow(lane: Lane): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs - lane.sinceMs >= SLOW_MS) {
      lane.returnedBefore = lane.returned;
      lane.returned = 0;
      lane.sinceMs = nowMs;
    }
    return lane.held >= Math.max(lane.returned, lane.returnedBefore);
  }
}
