import type { DeliveryId } from '#core/ids';
import type { StoredEvent } from '#events/domain/event';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { FAILING_REPEAT_MS } from '#webhooks/domain/webhook-schedule';
import type { DueDelivery } from '#webhooks/store/webhook-deliveries';

/** Concurrent deliveries of one endpoint. */
const MAX_CONCURRENCY = 10;
/** What a new endpoint gets concurrently: it has to show that it answers. */
const FIRST_CONCURRENCY = 2;
/** Fewer than this in memory: it is time to look for more. */
const LOW_WATER = 5;

/**
 * A read that found nothing new beside what is under way is not repeated for so long, unless an attempt ends: what
 * hangs stays due, and every event of its tenant is a reason to read.
 */
const EMPTY_REST_MS = 5_000;

/** An endpoint as it is now. */
export interface OpenedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Where it is: host and port. */
  readonly host: string;
  /** The secrets that sign at a time; null: they cannot be decrypted here. */
  readonly secretsAt: (nowMs: number) => readonly string[] | null;
}

/** A delivery that may start, with its event where that is at hand. */
export interface ReadyDelivery extends DueDelivery {
  readonly event: StoredEvent | null;
}

/** Events of one lane in memory: those just taken, so that they need not be read once more for each delivery. */
const MAX_EVENTS = 200;

/** What is known of an endpoint in the process that owns its lane. */
export class EndpointLane {
  readonly key: string;
  readonly epoch: number;
  readonly inFlight = new Map<DeliveryId, ReadyDelivery>();
  /** Due deliveries that nothing holds back. */
  ready: readonly ReadyDelivery[] = [];
  /** Null: it must be read (again) before the next attempt. */
  opened: OpenedEndpoint | null = null;
  /** The database may hold more work. */
  mayHaveMore = true;
  /** Events may wait to be taken. */
  hasEvents = true;
  /** A read is under way. */
  filling = false;
  /** Wall clock until which the endpoint asked to be left alone. */
  restUntilMs = 0;
  /** Since when no attempt has succeeded. */
  failingSinceMs: number | null = null;
  /** Whether its tenant has been notified of that. */
  isEmitted = false;
  readonly #events = new Map<number, StoredEvent>();
  #emptyUntilMs = 0;
  /** A notification came in the meantime. */
  #isAsked = false;
  #concurrency = FIRST_CONCURRENCY;

  constructor(key: string, epoch: number) {
    this.key = key;
    this.epoch = epoch;
  }

  get failing(): boolean {
    return this.failingSinceMs !== null;
  }

  /** A notification says that work waits. */
  wake(hasEvents: boolean, nowMs: number): void {
    this.hasEvents ||= hasEvents;
    if (this.hasEvents || nowMs >= this.#emptyUntilMs) this.mayHaveMore = true;
    else this.#isAsked = true;
  }

  /** A read found so many deliveries. */
  found(count: number, nowMs: number): void {
    if (count === 0 && this.inFlight.size > 0) this.#emptyUntilMs = nowMs + EMPTY_REST_MS;
  }

  /** An attempt is over. */
  ended(deliveryId: DeliveryId): void {
    this.inFlight.delete(deliveryId);
    this.#emptyUntilMs = 0;
    this.mayHaveMore ||= this.#isAsked;
    this.#isAsked = false;
  }

  /** Whether it is time to look for work. */
  wantsMore(nowMs: number): boolean {
    return this.mayHaveMore && !this.filling && this.ready.length < LOW_WATER && nowMs >= this.restUntilMs;
  }

  /** Whether a delivery may start now. */
  mayStart(nowMs: number): boolean {
    return this.ready.length > 0 && this.inFlight.size < this.#concurrency && nowMs >= this.restUntilMs;
  }

  /** The endpoint was changed: it and its due deliveries are read again. */
  forget(): void {
    this.opened = null;
    this.ready = [];
    this.mayHaveMore = true;
  }

  /** The next delivery, which counts as under way from here on. */
  start(): ReadyDelivery | null {
    const [next, ...rest] = this.ready;
    if (next === undefined) return null;
    this.ready = rest;
    this.inFlight.set(next.deliveryId, next);
    return next;
  }

  /** Keeps events that were just taken; the oldest make room. */
  remember(events: readonly StoredEvent[]): void {
    for (const event of events) this.#events.set(event.sequence, event);
    for (const sequence of this.#events.keys()) {
      if (this.#events.size <= MAX_EVENTS) break;
      this.#events.delete(sequence);
    }
  }

  /** Gives back what is remembered of the event of a delivery, once. */
  withEvent(delivery: DueDelivery): ReadyDelivery {
    const { sequence } = delivery;
    const event = sequence === null ? undefined : this.#events.get(sequence);
    if (sequence !== null) this.#events.delete(sequence);
    return { ...delivery, event: event ?? null };
  }

  /** What is under way or about to be: not to be loaded again. */
  known(): readonly DeliveryId[] {
    return [...this.inFlight.keys(), ...this.ready.map(({ deliveryId }) => deliveryId)];
  }

  /** It answers: more concurrent deliveries, one by one. */
  succeeded(): void {
    this.failingSinceMs = null;
    this.isEmitted = false;
    this.#concurrency = Math.min(MAX_CONCURRENCY, this.#concurrency + 1);
  }

  /**
   * Whether its tenant is to be notified that nothing gets through. Whether another process has done so is checked
   * later.
   */
  mustEmit(nowMs: number): boolean {
    return !this.isEmitted && this.failingSinceMs !== null && nowMs - this.failingSinceMs >= FAILING_REPEAT_MS;
  }

  /** It does not: one at a time, until it does again. */
  failed(nowMs: number): void {
    this.failingSinceMs ??= nowMs;
    this.#concurrency = 1;
  }
}
