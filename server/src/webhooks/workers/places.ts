import type { TenantId } from '#core/ids';

/** Who wants a place. */
export interface Delivering {
  readonly tenantId: TenantId;
  /** The host that its endpoint is on, with its port. */
  readonly host: string;
  /** Whether nothing succeeded at its endpoint of late. */
  readonly failing: boolean;
}

/** Of one tenant at one host, over all its endpoints there: no tenant floods a host with our connections. */
const MAX_PER_HOST = 20;

/**
 * The places for deliveries under way. A tenant takes one more as long as it holds fewer than are free: one tenant
 * alone gets half of them, each of two a third, and a newcomer always finds one. Those whose endpoints do not answer
 * share one half of the places in the same way.
 */
export class Places {
  readonly #all: Share;
  readonly #failing: Share;
  readonly #hosts = new Tally();

  constructor(total: number) {
    this.#all = new Share(total);
    this.#failing = new Share(total / 2);
  }

  get taken(): number {
    return this.#all.taken;
  }

  mayTake({ tenantId, host, failing }: Delivering): boolean {
    if (!this.#all.hasRoomFor(tenantId) || (failing && !this.#failing.hasRoomFor(tenantId))) return false;
    return this.#hosts.of(hostKey(tenantId, host)) < MAX_PER_HOST;
  }

  /** @returns gives the place back */
  take({ tenantId, host, failing }: Delivering): () => void {
    const change = (by: 1 | -1): void => {
      this.#all.change(tenantId, by);
      if (failing) this.#failing.change(tenantId, by);
      this.#hosts.change(hostKey(tenantId, host), by);
    };
    change(1);
    return () => change(-1);
  }
}

class Share {
  readonly #total: number;
  readonly #tenants = new Tally();
  taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  hasRoomFor(tenantId: TenantId): boolean {
    return this.#tenants.of(tenantId) < this.#total - this.taken;
  }

  change(tenantId: TenantId, by: 1 | -1): void {
    this.taken += by;
    this.#tenants.change(tenantId, by);
  }
}

class Tally {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  change(key: string, by: 1 | -1): void {
    const count = this.of(key) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

function hostKey(tenantId: TenantId, host: string): string {
  return `${tenantId}/${host}`;
}
