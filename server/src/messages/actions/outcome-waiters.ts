import type { MessageId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { OutboundMessage } from '#messages/domain/message';
import { findMessage } from '#messages/store/message-reads';
import type { Runtime } from '#runtime/runtime';

/** Requests that may wait concurrently; one more gets its 202 without waiting. */
const MAX_WAITERS = 1_000;
/** How often a waiting request polls: another process may be the one that sends. */
const POLL_MS = 500;

/** Wakes requests that wait for the outcome of a message, as soon as this process has stored something about it. */
export class OutcomeWaiters {
  readonly #waiters = new Map<string, Set<() => void>>();
  #count = 0;
  #closed = false;

  /** No further request may wait. */
  get full(): boolean {
    return this.#closed || this.#count >= MAX_WAITERS;
  }

  /** No request waits: no notification is needed. */
  get idle(): boolean {
    return this.#count === 0;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Something about this message was stored. */
  changed(messageId: string): void {
    for (const wake of this.#waiters.get(messageId) ?? []) wake();
  }

  /** @returns a function that stops the waking */
  add(messageId: string, wake: () => void): () => void {
    const wakers = this.#waiters.get(messageId) ?? new Set();
    this.#waiters.set(messageId, wakers.add(wake));
    this.#count += 1;
    return () => {
      if (!wakers.delete(wake)) return;
      this.#count -= 1;
      if (wakers.size === 0) this.#waiters.delete(messageId);
    };
  }

  /** Wakes everybody for good: the process is about to stop. */
  close(): void {
    this.#closed = true;
    for (const wakers of this.#waiters.values()) for (const wake of wakers) wake();
  }
}

export interface AwaitOutcome {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly waitMs: number;
  /** Asked once a second; the wait ends with what it throws. */
  readonly requireAllowed: () => Promise<void>;
}

interface WaitDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly watch: OutcomeWaiters;
}

/**
 * Waits until a message is sent or failed.
 * @returns the message; null when the time is over, too many wait already, or the process stops
 */
export async function awaitOutcome(
  parts: WaitDeps,
  { tenantId, messageId, waitMs, requireAllowed }: AwaitOutcome,
): Promise<OutboundMessage | null> {
  const { rt, db, watch } = parts;
  if (watch.full) return null;
  const signal = new Signal();
  const leave = watch.add(messageId, () => signal.give());
  const endMs = rt.clock.monotonic() + waitMs;
  try {
    while (!watch.closed) {
      // Registered before the look: what changes in between is not missed.
      const message = await findMessage(db, tenantId, messageId);
      if (message !== null && isOver(message)) return message;
      const leftMs = endMs - rt.clock.monotonic();
      if (leftMs <= 0) return null;
      await signal.within(rt, Math.min(POLL_MS, leftMs));
      await requireAllowed();
    }
    return null;
  } finally {
    leave();
  }
}

function isOver(message: object): message is OutboundMessage {
  return 'status' in message && (message.status === 'sent' || message.status === 'failed');
}

/** A signal that is kept until it is taken. */
class Signal {
  #given = false;
  #wake: (() => void) | null = null;

  give(): void {
    this.#given = true;
    this.#wake?.();
  }

  /** Resolves at the signal, or after `ms`. */
  async within(rt: Runtime, ms: number): Promise<void> {
    if (!this.#given) {
      await new Promise<void>((resolve) => {
        const cancel = rt.clock.after(ms, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#given = false;
    this.#wake = null;
  }
}
