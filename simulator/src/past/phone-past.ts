/** What the apps on the phones of businesses know from before the API, and whether they share it. */
import type { JsonObject } from '../json.ts';

/** Somebody in the book of a phone. */
export type BookEntry = { readonly phone: string; readonly name: string };

/** A message as the network's callbacks show it, with its thread. */
export type PastMessage = {
  /** The customer, digits. */
  readonly customer: string;
  readonly isSent: boolean;
  readonly atMs: number;
  readonly message: JsonObject;
};

export type SyncType = 'history' | 'smb_app_state_sync';

export type PhonePast = {
  book: readonly BookEntry[];
  messages: readonly PastMessage[];
  /** Whether the business has refused to share its messages. */
  refuses: boolean;
  /** What was asked for: each once. */
  readonly asked: Set<SyncType>;
};

export class PhonePasts {
  readonly #pasts = new Map<string, PhonePast>();

  /** Of a number, empty until it is given one. */
  of(phoneNumberId: string): PhonePast {
    const known = this.#pasts.get(phoneNumberId) ?? { book: [], messages: [], refuses: false, asked: new Set() };
    this.#pasts.set(phoneNumberId, known);
    return known;
  }

  reset(): void {
    this.#pasts.clear();
  }
}
