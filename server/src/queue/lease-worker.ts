import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import { Loop } from './loop.ts';
import { Shares } from './shares.ts';

interface WorkerDeps<Job> {
  readonly rt: Runtime;
  /** Appears in the log. */
  readonly name: string;
  /** Between two polls when nothing is due. */
  readonly pollMs: number;
  /** Concurrent jobs per process. */
  readonly places: number;
  /** Asked before a poll, which is left out when nothing is due. */
  readonly isDue: () => Promise<boolean>;
  /** Takes up to `limit` jobs that are due for this process, none of these tenants. */
  readonly claim: (limit: number, without: readonly TenantId[]) => Promise<readonly Job[]>;
  readonly work: (job: Job) => Promise<void>;
}

/**
 * Works on what is claimed by leases in the database, several jobs concurrently. Each tenant has its share of the
 * places, so that one whose jobs hang delays no other.
 */
export class LeaseWorker<Job extends { readonly tenantId: TenantId }> {
  readonly #parts: WorkerDeps<Job>;
  readonly #shares: Shares;
  readonly #running = new Map<Promise<void>, TenantId>();
  readonly #loop: Loop;
  #mayBeMore = false;
  /** A job has ended that kept others from being claimed. */
  #isFreed = false;

  constructor(parts: WorkerDeps<Job>) {
    this.#parts = parts;
    this.#shares = new Shares(parts.places, parts.rt.clock);
    this.#loop = new Loop(parts.rt, parts.pollMs, parts.name, () => this.#poll());
  }

  start(): void {
    this.#loop.start();
  }

  /** Finishes what is under way. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#running.keys());
  }

  async #poll(): Promise<void> {
    const isFreed = this.#isFreed;
    this.#isFreed = false;
    if (isFreed || (await this.#parts.isDue())) await this.runOnce();
  }

  /** One step: fills the places that are free. @returns how many jobs it began */
  async runOnce(): Promise<number> {
    let begun = 0;
    while (this.#shares.free > 0) {
      // Half of what is free: tenants that are not known to be slow yet leave places too.
      const limit = Math.ceil(this.#shares.free / 2);
      const without = this.#atTheirShare();
      const jobs = await this.#parts.claim(limit, without);
      for (const job of jobs) this.#begin(job);
      begun += jobs.length;
      this.#mayBeMore = without.length > 0;
      if (jobs.length < limit) return begun;
    }
    this.#mayBeMore = true;
    return begun;
  }

  #atTheirShare(): readonly TenantId[] {
    const tenants = [...new Set(this.#running.values())];
    return tenants.filter((tenant) => !this.#shares.mayTake({ key: tenant, tenant }));
  }

  #begin(job: Job): void {
    const { tenantId: tenant } = job;
    this.#shares.take(job, { key: tenant, tenant });
    const work = this.#parts.work(job).finally(() => {
      this.#shares.release(job);
      this.#running.delete(work);
      if (!this.#mayBeMore) return;
      this.#isFreed = true;
      this.#loop.wake();
    });
    this.#running.set(work, tenant);
  }
}
