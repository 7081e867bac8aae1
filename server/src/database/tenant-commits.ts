import type { Clock } from '#runtime/clock';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';

/** How long rows of a tenant that were found locked are written apart. */
const APART_MS = 10_000;

export interface TenantCommitsOptions<Item, Result>
  extends Omit<GroupCommitOptions<Item, Result>, 'onLocked' | 'writeAside' | 'clock'> {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly tenantOf: (item: Item) => string;
  /** Whether anybody else can hold a row: the embedded database has one session, and no statement of it ever waits for a row. */
  readonly isShared: boolean;
  /** Rows that may wait apart, of all tenants together; those beyond are refused as `overloaded`. Absent: `maxQueued`. */
  readonly maxApart?: number;
  /** The same on connections that are many, for rows that may have to wait. */
  readonly writePatiently?: GroupCommitOptions<Item, Result>['write'];
}

/**
 * Group commit of rows of all tenants together. Where somebody else holds a row of a tenant (an operator's transaction, a tool), who
 * comes then leaves beside the statement that hangs, which fails and is repeated tenant by tenant; rows of that tenant are
 * then written apart for a while, so that nobody else waits for the lock again.
 */
export class TenantCommits<Item, Result> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #tenantOf: (item: Item) => string;
  readonly #together: GroupCommit<Item, Result>;
  readonly #apart: GroupCommit<Item, Result>;
  readonly #apartUntilMs = new Map<string, number>();

  constructor({ writePatiently, isShared, maxApart, ...options }: TenantCommitsOptions<Item, Result>) {
    this.#clock = options.clock;
    this.#tenantOf = options.tenantOf;
    const writeAside = writePatiently ?? options.write;
    const onLocked = (item: Item): void => {
      const tenant = options.tenantOf(item);
      this.#apartUntilMs.set(tenant, options.clock.monotonic() + APART_MS);
      this.#together.handOver(tenant, this.#apart);
    };
    const common = { ...options, onLocked, ...(isShared ? { writeAside } : {}) };
    this.#together = new GroupCommit(common);
    this.#apart = new GroupCommit({
      ...common,
      write: writeAside,
      maxInFlight: 1,
      maxQueued: maxApart ?? options.maxQueued,
    });
  }

  /** Rows that wait or are being written, but for those apart. */
  get pending(): number {
    return this.#together.pending;
  }

  /** Whether only rows leave at present of whose tenants nothing is in the statements that hang. */
  get isHanging(): boolean {
    return this.#together.isHanging;
  }

  /** Resolves once the row is committed. @throws as GroupCommit does */
  add(item: Item): Promise<Result> {
    return this.#commitsOf(this.#tenantOf(item)).add(item);
  }

  /** Whether rows of a tenant would wait behind more than the next statements take. */
  isBacklogged(tenant: string): boolean {
    return this.#commitsOf(tenant).isBacklogged;
  }

  /** Resolves when everything added so far is settled. */
  async drain(): Promise<void> {
    await Promise.all([this.#together.drain(), this.#apart.drain()]);
  }

  #commitsOf(tenant: string): GroupCommit<Item, Result> {
    return this.#apartUntilMs.size > 0 && this.#isApart(tenant) ? this.#apart : this.#together;
  }

  #isApart(tenant: string): boolean {
    const untilMs = this.#apartUntilMs.get(tenant) ?? Number.NEGATIVE_INFINITY;
    if (untilMs <= this.#clock.monotonic()) this.#apartUntilMs.delete(tenant);
    return this.#apartUntilMs.has(tenant);
  }
}
