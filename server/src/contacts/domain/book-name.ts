import type { Contact } from './contact.ts';
import { applyContactChange } from './contact-change.ts';

/** What the book of the business's phone calls somebody. */
export interface BookName {
  readonly name: string;
  /** When the book said so, by the network's clock. */
  readonly atMs: number;
}

/**
 * The contact once the phone's book has named it; the same object when that is no news. What somebody here called it stays: only a
 * contact without a name, or one that the book has named, gets the new one. In whichever order reports come, it ends the same.
 */
export function nameFromBook(contact: Contact, { name, atMs }: BookName, nowMs: number): Contact {
  if (!isNewer(contact, { name, atMs })) return contact;
  const isTheBooks = contact.name === null || contact.name === contact.bookName;
  const named = isTheBooks ? applyContactChange(contact, { name }, nowMs) : contact;
  return { ...named, bookName: name, bookMs: atMs };
}

/** Of two reports of one moment, one wins whatever their order. */
function isNewer({ bookName, bookMs }: Contact, said: BookName): boolean {
  if (bookMs === null || bookName === null || bookMs !== said.atMs) return said.atMs > (bookMs ?? 0);
  return said.name > bookName;
}

/** The name of two contacts that become one: what somebody here called them counts, else what the phone's book said last. */
export function mergeBookNames(one: Contact, other: Contact): Pick<Contact, 'name' | 'bookName' | 'bookMs'> {
  const { bookName, bookMs } = (other.bookMs ?? 0) > (one.bookMs ?? 0) ? other : one;
  const given = [one, other].map(({ name, bookName: ofBook }) => (name === ofBook ? null : name));
  return { name: given[0] ?? given[1] ?? bookName ?? one.name ?? other.name, bookName, bookMs };
}
