import type { ContactWork } from '#contacts/actions/save-contacts';
import { nameFromBook } from '#contacts/domain/book-name';
import type { TenantId } from '#core/ids';
import type { BookItem } from '#inbound/domain/callback-items';
import { bringPeople } from './bring-people.ts';

/** An entry of the book of a business's phone whose tenant is known. */
export interface OwnedBookEntry {
  readonly tenantId: TenantId;
  readonly item: BookItem;
}

/**
 * Gives contacts the names that they have in the phone's book, made where there are none. What leaves the book changes nothing: the
 * contact stays, and is called as before.
 * @returns how many entries named somebody
 */
export async function storeBook(work: ContactWork, entries: readonly OwnedBookEntry[]): Promise<number> {
  const named = entries.filter(({ item }) => item.name !== null);
  for (const tenantId of [...new Set(named.map((one) => one.tenantId))].sort()) {
    const people = named
      .filter((one) => one.tenantId === tenantId)
      .map(({ item: { from, userId, name, at } }) => ({ phone: from, userId, name: name ?? '', at }));
    await bringPeople({ ...work, survivors: new Map() }, tenantId, {
      people,
      complete: (contact, { name, at }) => nameFromBook(contact, { name, atMs: at }, work.nowMs),
    });
  }
  return named.length;
}
