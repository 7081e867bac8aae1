import type { TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import { PORTION_SIZE, placeIds } from '#search/domain/portions';
import { facts, kindNumber, type SearchKind } from '#search/domain/search-kind';
import {
  factsOfMessage,
  factsOfNote,
  textOfContact,
  textOfConversation,
  textOfMessage,
} from '#search/domain/search-texts';
import { prefixOf, vectorOf } from '#search/domain/search-words';
import {
  findPortionsAround,
  findPortionsOf,
  removeDocuments,
  saveDocuments,
  savePortions,
} from '#search/store/search-index';
import {
  readContactSources,
  readConversationSources,
  readMessageSources,
  readNoteSources,
  type Wanted,
} from '#search/store/search-sources';

/** Something to index; without a text it is to be found no more. */
interface Entry {
  readonly id: string;
  readonly text: string | null;
  readonly facts: readonly string[];
}

type ReadEntries = (tx: Transaction, tenantId: TenantId, wanted: Wanted) => Promise<readonly Entry[]>;

const READ: Readonly<Record<SearchKind, ReadEntries>> = {
  messages: async (tx, tenantId, wanted) =>
    (await readMessageSources(tx, tenantId, wanted)).map((message) => {
      const text = textOfMessage(message);
      return { id: message.id, text: message.isDeleted ? null : text, facts: factsOfMessage(message, text) };
    }),
  notes: async (tx, tenantId, wanted) =>
    (await readNoteSources(tx, tenantId, wanted)).map((note) => {
      return { id: note.id, text: note.body, facts: factsOfNote(note, note.body) };
    }),
  contacts: async (tx, tenantId, wanted) =>
    (await readContactSources(tx, tenantId, wanted)).map((contact) => {
      return { id: contact.id, text: contact.isGone ? null : textOfContact(contact), facts: [facts.any] };
    }),
  conversations: async (tx, tenantId, wanted) =>
    (await readConversationSources(tx, tenantId, wanted)).map((one) => {
      return { id: one.id, text: textOfConversation(one), facts: [facts.any, facts.number(one.phoneNumberId)] };
    }),
};

/** What one step has indexed. */
export interface Indexed {
  /** How many were read. */
  readonly count: number;
  /** The smallest id of them; null: there were none. */
  readonly firstId: string | null;
}

/** Brings what the index knows of these things up to what they are now. The caller holds the cursor of the tenant. */
export async function indexDocuments(
  tx: Transaction,
  tenantId: TenantId,
  kind: SearchKind,
  wanted: Wanted,
): Promise<Indexed> {
  const entries = await READ[kind](tx, tenantId, wanted);
  const number = kindNumber[kind];
  const gone = entries.filter(({ text }) => text === null).map(({ id }) => id);
  await removeDocuments(tx, tenantId, number, gone);
  const kept = entries.filter(({ text }) => text !== null);
  const portionOf = await portionsOf(
    tx,
    { tenantId, kind: number },
    kept.map(({ id }) => id),
  );
  const prefix = prefixOf(tenantId, kind);
  const documents = kept.map(({ id, text, facts: known }) => {
    const portion = portionOf.get(id) ?? 0;
    return { id, portion, words: vectorOf(`${prefix}${portion}`, text ?? '', known) };
  });
  await saveDocuments(tx, tenantId, number, documents);
  const firstId = entries.reduce<string | null>((least, { id }) => (least === null || id < least ? id : least), null);
  return { count: entries.length, firstId };
}

/** Where things stay, or go. */
async function portionsOf(
  tx: Transaction,
  of: { readonly tenantId: TenantId; readonly kind: number },
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const known = await findPortionsOf(tx, of.tenantId, of.kind, ids);
  const added = ids.filter((id) => !known.has(id)).toSorted();
  const [first, last] = [added[0], added.at(-1)];
  if (first === undefined || last === undefined) return known;
  const around = await findPortionsAround(tx, of, first, last);
  const placing = placeIds(around.known, added, around.last + 1, PORTION_SIZE);
  await savePortions(tx, of.tenantId, of.kind, placing.changed);
  return new Map([...known, ...placing.portionOf]);
}
