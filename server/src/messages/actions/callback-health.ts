import type { PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type NumberStatus, noteRefusal, noteStatuses } from '#messages/store/callback-health';
import type { Runtime } from '#runtime/runtime';

/** Often enough that a repetition is not delayed, seldom enough to cost nothing beside the statuses themselves. */
const MAX_NOTE_MS = 5_000;

/** How often it is recorded that statuses come in, in milliseconds: a small part of the wait that depends on it. */
export function noteEveryMs(rt: Runtime): number {
  return Math.min(MAX_NOTE_MS, rt.config.unknownWaitS * 100);
}

/**
 * Remembers of which numbers statuses came in, until it is recorded for the dispatchers, which may be other processes.
 */
export class StatusNotes {
  readonly #db: Database;
  #fresh = new Map<string, NumberStatus>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param statusMs when the callback came that held the status */
  add(tenantId: TenantId, phoneNumberId: PhoneNumberId, statusMs: number): void {
    const known = this.#fresh.get(phoneNumberId);
    if (known === undefined || known.statusMs < statusMs)
      this.#fresh.set(phoneNumberId, { tenantId, phoneNumberId, statusMs });
  }

  /** Records what is new; runs no query when nothing is. */
  async write(): Promise<void> {
    if (this.#fresh.size === 0) return;
    const fresh = this.#fresh;
    this.#fresh = new Map();
    try {
      await noteStatuses(this.#db, [...fresh.values()]);
    } catch (error) {
      for (const { tenantId, phoneNumberId, statusMs } of fresh.values()) this.add(tenantId, phoneNumberId, statusMs);
      throw error;
    }
  }
}

/**
 * Records refusals of callbacks, at most one in five seconds: anyone who knows the address can post garbage.
 * @returns what to call at each refusal
 */
export function makeRefusalNote(rt: Runtime, db: Database): () => void {
  let notedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const monoMs = rt.clock.monotonic();
    if (monoMs - notedMs < noteEveryMs(rt)) return;
    notedMs = monoMs;
    noteRefusal(db, rt.clock.now()).catch((error: Error) => {
      notedMs = Number.NEGATIVE_INFINITY;
      rt.log.warn({ error: error.message }, 'callback.refusal_not_noted');
    });
  };
}
