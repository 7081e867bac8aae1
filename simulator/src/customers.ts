import type { JsonObject } from './json.ts';
import { userIdOfPhone } from './recipient.ts';

/** A message that a customer wrote, kept for the page and for the 24-hour window. */
export type InboundRecord = {
  readonly id: string;
  readonly phoneNumberId: string;
  /** `wa_id`, or the user id of a customer whose phone is hidden. */
  readonly from: string;
  readonly userId: string | null;
  readonly receivedAtMs: number;
  /** Sends that the network had accepted before: the order of what happens within a millisecond. Absent in what an earlier version kept. */
  readonly sendsBefore?: number;
  readonly message: unknown;
};

/** What a phone shows beside the messages of the API: a message that the business wrote on its own phone, or a call. */
export type PhoneEvent = {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly peer: string;
  /** Whether it comes from the business. */
  readonly isOurs: boolean;
  readonly atMs: number;
  /** As of an `InboundRecord`. */
  readonly sendsBefore?: number;
  readonly message: JsonObject;
};

/** What is kept between two runs. */
export type KeptCustomers = {
  readonly names: readonly (readonly [peer: string, name: string])[];
  readonly lastInbound: readonly (readonly [key: string, atMs: number])[];
  readonly readUntil: readonly (readonly [key: string, atMs: number])[];
  readonly log: readonly InboundRecord[];
  /** Absent in what an earlier version kept. */
  readonly events?: readonly PhoneEvent[];
};

const WINDOW_MS = 24 * 3600 * 1000;
// The page shows recent talk; older messages matter only by their id and the window.
const MAX_LOG = 5_000;
const MAX_KEPT_NAMES = 20_000;
const MAX_KEPT_LOG = 2_000;
/** How long the network shows that the business is writing. */
const TYPING_MS = 25_000;

/** What the network knows of customers: names, what they wrote, and when they last wrote to each number. */
export class Customers {
  readonly #names = new Map<string, string>();
  readonly #lastInboundMs = new Map<string, number>();
  /** When the newest message was written that the business has marked as read. */
  readonly #readUntilMs = new Map<string, number>();
  readonly #typingUntilMs = new Map<string, number>();
  readonly #inboundIds = new Set<string>();
  #log: InboundRecord[] = [];
  /** By their ids, in the order in which they came. */
  readonly #events = new Map<string, PhoneEvent>();

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

  /** Of a call that has one already, this is its end. */
  noteEvent(event: PhoneEvent): void {
    const before = this.#events.get(event.id);
    const { atMs, sendsBefore } = before ?? event;
    this.#events.set(event.id, { ...event, atMs, ...(sendsBefore !== undefined && { sendsBefore }) });
    const [oldest] = this.#events.keys();
    if (this.#events.size > MAX_LOG && oldest !== undefined) this.#events.delete(oldest);
  }

  /** Oldest first. */
  events(): readonly PhoneEvent[] {
    return [...this.#events.values()];
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

  /** The business has read this message, and with it all earlier ones of the same thread. */
  markRead(messageId: string, typing: boolean, nowMs: number): void {
    const record = this.#log.findLast(({ id }) => id === messageId);
    if (record === undefined) return;
    const key = windowKey(record.phoneNumberId, record.from);
    this.#readUntilMs.set(key, Math.max(record.receivedAtMs, this.#readUntilMs.get(key) ?? 0));
    if (typing) this.#typingUntilMs.set(key, nowMs + TYPING_MS);
  }

  isRead({ phoneNumberId, from, receivedAtMs }: InboundRecord): boolean {
    return receivedAtMs <= (this.#readUntilMs.get(windowKey(phoneNumberId, from)) ?? 0);
  }

  /** What the business was writing has come. */
  stopTyping(phoneNumberId: string, peer: string): void {
    if (this.#typingUntilMs.size > 0) this.#typingUntilMs.delete(windowKey(phoneNumberId, peer));
  }

  isTyping(phoneNumberId: string, peer: string, nowMs: number): boolean {
    return nowMs < (this.#typingUntilMs.get(windowKey(phoneNumberId, peer)) ?? 0);
  }

  /** Recent inbound messages, oldest first. */
  recent(): readonly InboundRecord[] {
    return this.#log.slice(-MAX_LOG);
  }

  dump(nowMs: number): KeptCustomers {
    const log = this.#log.slice(-MAX_KEPT_LOG);
    return {
      names: [...this.#names].slice(-MAX_KEPT_NAMES),
      lastInbound: [...this.#lastInboundMs].filter(([, atMs]) => nowMs - atMs < WINDOW_MS),
      readUntil: [...this.#readUntilMs].slice(-MAX_KEPT_NAMES),
      log,
      events: this.events().slice(-MAX_KEPT_LOG),
    };
  }

  load({ names, lastInbound, readUntil, log, events = [] }: KeptCustomers): void {
    for (const [peer, name] of names) this.#names.set(peer, name);
    for (const [key, atMs] of lastInbound) this.#lastInboundMs.set(key, atMs);
    for (const [key, atMs] of readUntil) this.#readUntilMs.set(key, atMs);
    for (const { id } of log) this.#inboundIds.add(id);
    this.#log = [...log];
    for (const event of events) this.#events.set(event.id, event);
  }

  reset(): void {
    this.#readUntilMs.clear();
    this.#typingUntilMs.clear();
    this.#names.clear();
    this.#lastInboundMs.clear();
    this.#inboundIds.clear();
    this.#events.clear();
    this.#log = [];
  }
}

function windowKey(phoneNumberId: string, peer: string): string {
  return `${phoneNumberId}:${peer}`;
}
