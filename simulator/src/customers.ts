import { userIdOfPhone } from './recipient.ts';

/** A message that a customer wrote, kept for the page and for the 24-hour window. */
export type InboundRecord = {
  readonly id: string;
  readonly phoneNumberId: string;
  /** `wa_id`, or the user id of a customer whose phone is hidden. */
  readonly from: string;
  readonly userId: string | null;
  readonly receivedAtMs: number;
  readonly message: unknown;
};

const WINDOW_MS = 24 * 3600 * 1000;
// The page shows recent talk; older messages matter only by their id and the window.
const MAX_LOG = 5_000;

/** What the network knows of customers: names, what they wrote, and when they last wrote to each number. */
export class Customers {
  readonly #names = new Map<string, string>();
  readonly #lastInboundMs = new Map<string, number>();
  readonly #inboundIds = new Set<string>();
  #log: InboundRecord[] = [];

  /** The profile name: the one given with an inbound message, else one made from the last digits. */
  nameOf(peer: string): string {
    return this.#names.get(peer) ?? `Customer ${peer.slice(-4)}`;
  }

  rename(peer: string, name: string): void {
    this.#names.set(peer, name);
  }

  noteInbound(record: InboundRecord): void {
    this.#inboundIds.add(record.id);
    // A business may answer to the phone or to the user id that the customer wrote with.
    for (const peer of new Set([record.from, record.userId])) {
      if (peer !== null) this.#lastInboundMs.set(windowKey(record.phoneNumberId, peer), record.receivedAtMs);
    }
    this.#log.push(record);
    if (this.#log.length > MAX_LOG * 2) this.#log = this.#log.slice(-MAX_LOG);
  }

  hasWritten(messageId: string): boolean {
    return this.#inboundIds.has(messageId);
  }

  /** True while the customer service window between this number and this customer is open. */
  windowOpen(phoneNumberId: string, peer: string, nowMs: number): boolean {
    const last =
      this.#lastInboundMs.get(windowKey(phoneNumberId, peer)) ??
      this.#lastInboundMs.get(windowKey(phoneNumberId, userIdOfPhone(peer)));
    return last !== undefined && nowMs - last < WINDOW_MS;
  }

  /** Recent inbound messages, oldest first. */
  recent(): readonly InboundRecord[] {
    return this.#log.slice(-MAX_LOG);
  }

  reset(): void {
    this.#names.clear();
    this.#lastInboundMs.clear();
    this.#inboundIds.clear();
    this.#log = [];
  }
}

function windowKey(phoneNumberId: string, peer: string): string {
  return `${phoneNumberId}:${peer}`;
}
