import type { ContactId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { IdentityKind } from '#core/phone/recipient';

/** A number or user id that a contact is recognised by, and from when to when, by the network's clock. */
export interface HeldIdentity {
  readonly kind: IdentityKind;
  /** The key that all spellings share. */
  readonly value: string;
  readonly contactId: ContactId;
  /** Since when it has been the contact's; null: not known. */
  readonly sinceMs: number | null;
  /** When the contact gave it up for another one; null: it did not. */
  readonly leftMs: number | null;
}

/** Whether the contact gave it up, and did not take it again since. */
export function isFormer({ sinceMs, leftMs }: Pick<HeldIdentity, 'sinceMs' | 'leftMs'>): boolean {
  return leftMs !== null && (sinceMs === null || sinceMs <= leftMs);
}

/** Whether somebody else has it at a time: the network gives a number that was given up to others; user ids it does not. */
export function hasChangedHands(held: HeldIdentity, atMs: number): boolean {
  return held.kind === 'phone' && isFormer(held) && held.leftMs !== null && held.leftMs < atMs;
}

/**
 * By which of its numbers, or of its user ids, a contact is written to once it took one: the one that it took last. If it took
 * none, the present one stays, unless it was given up.
 * @param taken as it is spelled; null: none of this kind
 */
export function currentIdentity(
  held: readonly HeldIdentity[],
  kind: IdentityKind,
  { present, taken }: { readonly present: string | null; readonly taken: string | null },
): string | null {
  const current = held.filter((one) => one.kind === kind && !isFormer(one));
  const own = current.find(({ value }) => present !== null && value === phoneKey(present));
  const since = (one: HeldIdentity | undefined) => one?.sinceMs ?? -1;
  const [latest] = current.toSorted((a, b) => since(b) - since(a) || (a.value < b.value ? -1 : 1));
  const stays = own !== undefined && (taken === null || since(own) >= since(latest));
  if (latest === undefined || stays) return present;
  return taken !== null && phoneKey(taken) === latest.value ? taken : latest.value;
}
