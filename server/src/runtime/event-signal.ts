import type { TenantId } from '#core/ids';

/** `here`: this process committed the events; `elsewhere`: another one did, and said so. */
export type SignalOrigin = 'here' | 'elsewhere';
export type EventListener = (tenantIds: ReadonlySet<TenantId>, origin: SignalOrigin) => void;

/**
 * Says within this process whose events were just committed. Nothing depends on it: readers poll as well, and events of
 * other processes come by the poll or a notification.
 */
export class EventSignal {
  readonly #listeners = new Set<EventListener>();

  notify(tenantIds: ReadonlySet<TenantId>, origin: SignalOrigin = 'here'): void {
    if (tenantIds.size > 0) for (const listener of this.#listeners) listener(tenantIds, origin);
  }

  /** @returns stops listening */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
