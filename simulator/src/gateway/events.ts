/** The gateway reports events: signed posts that are repeated until they are accepted. */
import { createHmac } from 'node:crypto';
import type { Clock, Timers } from '../clock.ts';
import type { Settings } from '../settings.ts';
import { type Gateway, type GatewayObject, seconds } from './gateway.ts';

/** The version of the API that events are written in. */
export const GATEWAY_VERSION = '2026-10-28.endive';

/** What is to go wrong with the posts. */
export type GatewayFaults = {
  /** How many times each event is posted once more. */
  readonly duplicates: number;
  /** Events that belong together leave in reverse order. */
  readonly reorder: boolean;
  /** Nothing leaves until this is off again. */
  readonly hold: boolean;
};

const NO_GATEWAY_FAULTS: GatewayFaults = { duplicates: 0, reorder: false, hold: false };

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 10_000;
const MAX_TRIES = 20;
const TIMEOUT_MS = 10_000;

type Parts = {
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly settings: () => Settings;
};

/** Makes events and posts them one after the other. */
export class GatewayEvents {
  readonly #parts: Parts;
  #faults: GatewayFaults = NO_GATEWAY_FAULTS;
  #held: (readonly GatewayObject[])[] = [];
  /** The end of everything that was to be posted so far. */
  #tail: Promise<void> = Promise.resolve();
  #generation = 0;
  #abort = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get faults(): GatewayFaults {
    return this.#faults;
  }

  /** Replaces the faults; what was held back leaves when `hold` is off. */
  use(faults: GatewayFaults): void {
    this.#faults = faults;
    if (faults.hold) return;
    const held = this.#held;
    this.#held = [];
    for (const events of held) this.#send(events);
  }

  /** Emits events about objects, in their current state, in this order. */
  emit(...occurred: readonly (readonly [type: string, object: GatewayObject])[]): void {
    const events = occurred.map(([type, object]) => this.#newEvent(type, object));
    if (this.#faults.hold) this.#held.push(events);
    else this.#send(events);
  }

  /** Posts an event again. */
  resend(event: GatewayObject): void {
    this.#send([event]);
  }

  /** Forgets what was not posted yet. */
  reset(): void {
    this.#generation++;
    this.#held = [];
    this.#faults = NO_GATEWAY_FAULTS;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#tail = Promise.resolve();
  }

  #newEvent(type: string, object: GatewayObject): GatewayObject {
    const { gateway, clock } = this.#parts;
    return gateway.keep({
      id: gateway.newId('evt'),
      object: 'event',
      api_version: GATEWAY_VERSION,
      created: seconds(clock.now()),
      // As it is now: what happens later is another event.
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    });
  }

  #send(events: readonly GatewayObject[]): void {
    const { duplicates, reorder } = this.#faults;
    const ordered = reorder ? [...events].reverse() : events;
    const generation = this.#generation;
    for (const event of ordered) {
      for (let copy = 0; copy <= duplicates; copy++) {
        this.#tail = this.#tail.then(() => this.#post(event, 1, generation));
      }
    }
  }

  async #post(event: GatewayObject, attempt: number, generation: number): Promise<void> {
    const { gatewayCallbackUrl: url, gatewayWebhookSecret: secret } = this.#parts.settings();
    if (url === null || generation !== this.#generation) return;
    const body = JSON.stringify(event);
    const taken = await this.#deliver(url, body, gatewaySignature(secret, body, seconds(this.#parts.clock.now())));
    if (taken || generation !== this.#generation || attempt >= MAX_TRIES) return;
    // Later, beside the queue: one event that is not accepted must not delay the others.
    const waitMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
    this.#parts.timers.after(waitMs, () => void this.#post(event, attempt + 1, generation));
  }

  async #deliver(url: string, body: string, signature: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
        body,
        signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }
}

/** `t=…,v1=…`: HMAC-SHA256 of "{timestamp}.{body}" under the endpoint's secret. */
function gatewaySignature(secret: string, body: string, timestamp: number): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');
  return `t=${timestamp},v1=${digest}`;
}
