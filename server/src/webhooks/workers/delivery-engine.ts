import { setMaxListeners } from 'node:events';
import type { TenantId } from '#core/ids';
import type { SettledAttempt } from '#webhooks/actions/notify-events';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { evaluateWebhook, FAILING_LIMIT_MS, type WebhookVerdict } from '#webhooks/domain/webhook-schedule';
import type { DueDelivery } from '#webhooks/store/webhook-deliveries';
import { type AttemptDeps, attemptDelivery, type MadeAttempt } from './attempt.ts';
import { EndpointLane, type OpenedEndpoint, type ReadyDelivery } from './endpoint-lane.ts';
import { Places } from './places.ts';
import { settledDelivery } from './settle.ts';

/** Deliveries that one read loads into memory. */
const LOAD_AT_ONCE = 50;

export interface EngineDeps extends AttemptDeps {
  /** Writes what an attempt made of its delivery. */
  readonly settle: (one: SettledAttempt) => Promise<void>;
  /** Switches an endpoint off. */
  readonly disable: (endpoint: WebhookEndpoint, reason: 'gone' | 'failing') => Promise<unknown>;
  /** Records the event that nothing gets through. */
  readonly emitFailing: (endpoint: WebhookEndpoint) => Promise<unknown>;
  /** Deliveries under way over all endpoints. */
  readonly maxInFlight: number;
  /** Asked right before each attempt: whether the lane certainly is ours. */
  readonly holds: (key: string, epoch: number) => boolean;
  /** Reads the endpoint of a lane; null: it is gone or disabled. */
  readonly open: (lane: EndpointLane) => Promise<OpenedEndpoint | null>;
  /** Enqueues what is new and finds what is due. */
  readonly find: (
    lane: EndpointLane,
    limit: number,
  ) => Promise<{
    readonly due: readonly DueDelivery[];
    readonly more: boolean;
  }>;
}

/**
 * Delivers the events of the lanes of this process: each endpoint at its own pace, in turns. An endpoint that does not
 * answer holds at most its own few places, a tenant at most what it leaves to others as well, and all that fail together
 * at most half of the places (`Places`).
 */
export class DeliveryEngine {
  readonly #parts: EngineDeps;
  readonly #lanes = new Map<string, EndpointLane>();
  #tenants: ReadonlySet<TenantId> = new Set();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #places: Places;
  #stopping = false;

  constructor(parts: EngineDeps) {
    this.#parts = parts;
    this.#places = new Places(parts.maxInFlight);
    // Each attempt under way listens.
    setMaxListeners(0, this.#stop.signal);
  }

  get inFlight(): number {
    return this.#places.taken;
  }

  isBusy(key: string): boolean {
    return (this.#lanes.get(key)?.inFlight.size ?? 0) > 0;
  }

  /** The lanes that are ours; `changed` ones are read again. */
  own(owned: ReadonlyMap<string, { readonly epoch: number }>, changed: ReadonlySet<string>): void {
    for (const [key, lane] of this.#lanes) {
      if (owned.get(key)?.epoch !== lane.epoch) this.#lanes.delete(key);
      else if (changed.has(key)) lane.forget();
    }
    for (const [key, { epoch }] of owned) {
      if (!this.#lanes.has(key)) this.#lanes.set(key, new EndpointLane(key, epoch));
    }
    this.#tenants = new Set([...this.#lanes.keys()].map((key) => key.slice(0, key.indexOf('/')) as TenantId));
    this.#pump();
  }

  /** Whether one of these tenants has a lane here. */
  hasLaneOf(tenantIds: ReadonlySet<TenantId>): boolean {
    return [...tenantIds].some((tenantId) => this.#tenants.has(tenantId));
  }

  /** Work waits in these lanes. */
  wake(due: Iterable<{ readonly key: string; readonly hasEvents: boolean }>): void {
    const nowMs = this.#parts.rt.clock.now();
    for (const { key, hasEvents } of due) this.#lanes.get(key)?.wake(hasEvents, nowMs);
    this.#pump();
  }

  /** Starts nothing more, lets what is under way end for `graceMs`, then breaks it off: it stays due. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const cancel = this.#parts.rt.clock.after(graceMs, () => this.#stop.abort());
    await Promise.all(this.#running);
    cancel();
  }

  #pump(): void {
    if (this.#stopping) return;
    const nowMs = this.#parts.rt.clock.now();
    for (const lane of this.#lanes.values()) if (lane.wantsMore(nowMs)) this.#track(this.#fill(lane));
    for (const [key, lane] of this.#lanes) {
      if (!this.#start(lane, nowMs)) continue;
      // To the end of the line, where this loop meets it again after all others, and the next one too.
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
    }
  }

  #start(lane: EndpointLane, nowMs: number): boolean {
    const { opened, failing } = lane;
    if (opened === null || !lane.mayStart(nowMs)) return false;
    const asker = { tenantId: opened.endpoint.tenantId, host: opened.host, failing };
    if (!this.#places.mayTake(asker) || !this.#parts.holds(lane.key, lane.epoch)) return false;
    const delivery = lane.start();
    if (delivery === null) return false;
    const giveBack = this.#places.take(asker);
    this.#track(
      this.#run(lane, opened, delivery)
        // The delivery is still due: a poll finds it again.
        .catch((error: Error) => this.#parts.rt.log.warn({ error: error.message }, 'webhook.attempt_failed'))
        .finally(() => {
          lane.ended(delivery.deliveryId);
          giveBack();
          this.#pump();
        }),
    );
    return true;
  }

  async #fill(lane: EndpointLane): Promise<void> {
    lane.filling = true;
    lane.mayHaveMore = false;
    try {
      lane.opened ??= await this.#parts.open(lane);
      if (lane.opened === null) return;
      lane.failingSinceMs ??= lane.opened.endpoint.failingSinceMs;
      const { due, more } = await this.#parts.find(lane, LOAD_AT_ONCE);
      lane.ready = [...lane.ready, ...due.map((delivery) => lane.withEvent(delivery))];
      if (more) lane.mayHaveMore = true;
      lane.found(due.length, this.#parts.rt.clock.now());
    } catch (error) {
      // The next poll finds the lane again.
      this.#parts.rt.log.warn({ error: (error as Error).message }, 'webhook.find_failed');
    } finally {
      lane.filling = false;
    }
    this.#pump();
  }

  async #run(lane: EndpointLane, opened: OpenedEndpoint, delivery: ReadyDelivery): Promise<void> {
    const made = await attemptDelivery(this.#parts, delivery, opened, this.#stop.signal);
    if (made === null) return;
    const { rt } = this.#parts;
    const nowMs = rt.clock.now();
    const verdict = evaluateWebhook({ ...made, attempts: delivery.attempts + 1, nowMs, random: rt.random });
    this.#learn(lane, verdict, nowMs);
    const { tenantId, endpointId } = opened.endpoint;
    const settled = settledDelivery({ tenantId, delivery, attempt: made.attempt, verdict, nowMs });
    await this.#parts.settle({ settled, lane: { tenantId, endpointId, epoch: lane.epoch } });
    // What it held back may leave now.
    if (delivery.orderKey !== null) lane.mayHaveMore = true;
    rt.metrics.webhooks.inc({ outcome: made.attempt.error ?? 'delivered' });
    this.#report(opened.endpoint, delivery, made);
    const reason = disabledBy(lane, verdict, nowMs);
    if (reason !== null) return this.#disable(lane, opened.endpoint, reason);
    if (!lane.mustEmit(nowMs)) return;
    await this.#parts.emitFailing(opened.endpoint);
    lane.isEmitted = true;
  }

  #learn(lane: EndpointLane, verdict: WebhookVerdict, nowMs: number): void {
    if (verdict.kind === 'delivered') lane.succeeded();
    else lane.failed(nowMs);
    if (verdict.kind !== 'again' || verdict.restUntilMs === null) return;
    lane.restUntilMs = Math.max(lane.restUntilMs, verdict.restUntilMs);
  }

  async #disable(lane: EndpointLane, endpoint: WebhookEndpoint, reason: 'gone' | 'failing'): Promise<void> {
    lane.ready = [];
    lane.opened = null;
    await this.#parts.disable(endpoint, reason);
  }

  #report({ tenantId, endpointId }: WebhookEndpoint, delivery: DueDelivery, { attempt, traceId }: MadeAttempt): void {
    const { status, error, durationMs } = attempt;
    const { eventId, type, attempts } = delivery;
    const line = { tenantId, endpointId, eventId, type, attempt: attempts + 1, status, error, durationMs, traceId };
    this.#parts.rt.log.info(line, error === null ? 'webhook.delivered' : 'webhook.failed');
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }
}

function disabledBy(lane: EndpointLane, verdict: WebhookVerdict, nowMs: number): 'gone' | 'failing' | null {
  if (verdict.kind === 'gone') return 'gone';
  const sinceMs = lane.failingSinceMs;
  return sinceMs !== null && nowMs - sinceMs >= FAILING_LIMIT_MS ? 'failing' : null;
}
