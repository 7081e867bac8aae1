import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';

/** Readers of all tenants that may wait in one process; one more is answered immediately. */
const MAX_READERS = 5_000;

/** Wakes readers of events as soon as their tenant has new ones. */
export class EventWaiters {
  readonly #rt: Runtime;
  readonly #readers = new Map<TenantId, Set<EventReader>>();
  readonly #unlisten: () => void;
  #count = 0;
  #closed = false;

  constructor(rt: Runtime) {
    this.#rt = rt;
    this.#unlisten = rt.eventSignal.listen((tenantIds) => {
      for (const tenantId of tenantIds) for (const reader of this.#readers.get(tenantId) ?? []) reader.wake();
    });
  }

  /** The process is about to stop, or too many wait already: no more may wait. */
  get full(): boolean {
    return this.#closed || this.#count >= MAX_READERS;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Register before looking: what is committed in between is then not missed. */
  enter(tenantId: TenantId): EventReader {
    const readers = this.#readers.get(tenantId) ?? new Set<EventReader>();
    const reader = new EventReader(this.#rt, () => {
      if (!readers.delete(reader)) return;
      this.#count -= 1;
      if (readers.size === 0) this.#readers.delete(tenantId);
    });
    this.#readers.set(tenantId, readers.add(reader));
    this.#count += 1;
    return reader;
  }

  /** Wakes everybody for good: the process is about to stop. */
  close(): void {
    this.#closed = true;
    this.#unlisten();
    for (const readers of this.#readers.values()) for (const reader of readers) reader.wake();
  }
}

/** A waiter for events of a tenant. A wake-up is kept until it is waited for. */
export class EventReader {
  readonly #rt: Runtime;
  readonly #leave: () => void;
  #woken = false;
  #resolve: (() => void) | null = null;

  constructor(rt: Runtime, leave: () => void) {
    this.#rt = rt;
    this.#leave = leave;
  }

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  /** Resolves when woken, or after `ms`. @returns whether it was woken */
  async within(ms: number): Promise<boolean> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const cancel = this.#rt.clock.after(ms, resolve);
        this.#resolve = () => {
          cancel();
          resolve();
        };
      });
      this.#resolve = null;
    }
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  leave(): void {
    this.#leave();
  }
}
