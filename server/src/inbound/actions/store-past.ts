import type { ContactWork } from '#contacts/actions/save-contacts';
import { applyContactChange } from '#contacts/domain/contact-change';
import { touchContacts } from '#contacts/store/contacts';
import { addPastMessages, type PairPast } from '#conversations/actions/add-past';
import { previewOf } from '#conversations/domain/conversation';
import { pairKey } from '#conversations/store/conversation-inbound';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import { insertInbound } from '#inbound/store/inbound-batch';
import { groupByMessage, takeParkedChanges } from '#inbound/store/parked-changes';
import { findReceived } from '#inbound/store/past-batch';
import { readInboundMedia } from '#media/domain/inbound-media';
import { insertManyInboundMedia } from '#media/store/inbound-media';
import { storeEarlierStatuses } from '#messages/actions/store-statuses';
import { summaryOf } from '#messages/domain/inbound-summary';
import { changeMessage } from '#messages/domain/message-change';
import { findSent, insertPastSent } from '#messages/store/past-messages';
import { nameKey } from '#messages/store/status-batch';
import { bringPeople } from './bring-people.ts';
import { fillKnown, findKnown } from './fill-past.ts';
import { type OwnedPast, type PastRow, toPastRow } from './past-rows.ts';
import { DELETED_PREVIEW } from './store-echo-changes.ts';

/** A message with its customer and its conversation. */
interface PlacedPast {
  readonly row: PastRow;
  readonly contactId: ContactId;
  readonly conversationId: ConversationId;
}

/**
 * Stores messages from before the API that are not here, and completes those that are: no events, no rules, nothing unread, nothing counted.
 * The caller has locked the customers, so that nobody stores one of them meanwhile.
 * @returns how many are new
 */
export async function storePastMessages(work: ContactWork, past: readonly OwnedPast[]): Promise<number> {
  let stored = 0;
  for (const tenantId of [...new Set(past.map((one) => one.tenantId))].sort()) {
    const own = past.filter((one) => one.tenantId === tenantId);
    stored += await storeOfTenant(work, tenantId, own);
  }
  return stored;
}

async function storeOfTenant(work: ContactWork, tenantId: TenantId, past: readonly OwnedPast[]): Promise<number> {
  const unique = fullest(past);
  const known = await findKnown(work.tx, tenantId, unique);
  await fillKnown(
    work,
    unique.flatMap((one) => {
      const stored = known.get(one.item.networkMessageId);
      return stored === undefined ? [] : [{ ...one, stored }];
    }),
  );
  const fresh = unique.filter(({ item }) => !known.has(item.networkMessageId));
  if (fresh.length === 0) return 0;
  const rows = await withChanges(
    work,
    fresh.map((one) => toPastRow(one, work.nowMs)),
  );
  const placed = await placeAll(work, tenantId, await withAnswered(work, tenantId, rows));
  await insertAll(work, placed);
  return placed.length;
}

/** Of what one portion says of a message, the most: a file instead of the mark in its place. */
function fullest(past: readonly OwnedPast[]): readonly OwnedPast[] {
  const unique = new Map<string, OwnedPast>();
  for (const one of past) {
    const told = unique.get(one.item.networkMessageId);
    if (told === undefined || (told.item.isEmpty && !one.item.isEmpty)) unique.set(one.item.networkMessageId, one);
  }
  return [...unique.values()];
}

/** The messages as edits and deletions left them that came before they did. */
async function withChanges({ tx }: ContactWork, rows: readonly PastRow[]): Promise<readonly PastRow[]> {
  const changes = groupByMessage(await takeParkedChanges(tx, rows));
  if (changes.size === 0) return rows;
  return rows.map((row) =>
    (changes.get(nameKey(row)) ?? []).reduce((said, { change }) => changeMessage(said, change), row),
  );
}

/** Names the messages that these answer, as far as they are here or among these. */
async function withAnswered(
  { tx }: ContactWork,
  tenantId: TenantId,
  rows: readonly PastRow[],
): Promise<readonly PastRow[]> {
  const answering = rows.filter(({ quotedId }) => quotedId !== null);
  if (answering.length === 0) return rows;
  const networkIds = answering.flatMap(({ quotedId }) => quotedId ?? []);
  const recipients = answering.flatMap(({ phone, userId }) => [phone, userId].filter((one) => one !== null));
  const stored = [
    ...(await findSent(tx, tenantId, { recipients: [...new Set(recipients)], networkIds })),
    ...(await findReceived(tx, tenantId, networkIds)),
  ];
  const ids = new Map([...rows, ...stored].map((one) => [one.networkMessageId, one.messageId]));
  return rows.map((row) => ({ ...row, replyTo: ids.get(row.quotedId ?? '') ?? null }));
}

async function placeAll(
  work: ContactWork,
  tenantId: TenantId,
  rows: readonly PastRow[],
): Promise<readonly PlacedPast[]> {
  const contactOf = await contactsOf(work, tenantId, rows);
  const known = rows.map((row) => ({ row, contactId: contactOf(row) }));
  const pairs = new Map<string, PairPast>();
  for (const { row, contactId } of known) {
    const pair = { tenantId, contactId, phoneNumberId: row.phoneNumberId };
    pairs.set(pairKey(pair), { ...pair, ...addRow(pairs.get(pairKey(pair)), row) });
  }
  const places = await addPastMessages(work, [...pairs.values()]);
  return known.map(({ row, contactId }) => {
    const conversationId = places.get(pairKey({ ...row, contactId }));
    if (conversationId === undefined) throw new Error(`The conversation of ${row.networkMessageId} is not there.`);
    return { row, contactId, conversationId };
  });
}

type PastOfRows = Omit<PairPast, 'tenantId' | 'contactId' | 'phoneNumberId'>;

function addRow(before: PastOfRows | undefined, row: PastRow): PastOfRows {
  const { messageId, networkMs, isSent, type } = row;
  const isNewest = before === undefined || messageId > before.newest.messageId;
  const newest = isNewest ? { messageId, inbound: !isSent, type, preview: previewOf(shownText(row)) } : before.newest;
  const later = (time: number | null | undefined, counts: boolean) =>
    counts ? Math.max(time ?? networkMs, networkMs) : (time ?? null);
  return {
    newest,
    newestMs: Math.max(before?.newestMs ?? networkMs, networkMs),
    inboundMs: later(before?.inboundMs, !isSent && row.opensWindow),
    outboundMs: later(before?.outboundMs, isSent),
  };
}

function shownText(row: PastRow): string | null {
  if (row.isSent) return row.deletedMs === null ? row.body : DELETED_PREVIEW;
  return row.body ?? summaryOf(row);
}

/** The customers, each with the time of what they wrote last. */
async function contactsOf(
  work: ContactWork,
  tenantId: TenantId,
  rows: readonly PastRow[],
): Promise<(row: PastRow) => ContactId> {
  const people = new Map<string, { phone: string | null; userId: string | null; at: number; inboundMs: number }>();
  for (const { phone, userId, networkMs, isSent, opensWindow } of rows) {
    const before = people.get(`${phone}/${userId}`) ?? { phone, userId, at: networkMs, inboundMs: 0 };
    const inboundMs = isSent || !opensWindow ? before.inboundMs : Math.max(before.inboundMs, networkMs);
    people.set(`${phone}/${userId}`, { ...before, at: Math.max(before.at, networkMs), inboundMs });
  }
  const places = await bringPeople({ ...work, survivors: new Map() }, tenantId, {
    people: [...people.values()],
    // Of one who is known, the time is written below: it is no change of the contact.
    complete: (contact, { inboundMs }) =>
      contact.version > 1 || contact.createdMs !== work.nowMs || inboundMs === 0
        ? contact
        : applyContactChange(contact, { lastInboundMs: inboundMs }, work.nowMs),
  });
  const contacts = new Map([...people].map(([key, person]) => [key, places.get(person)]));
  const wrote = [...people.values()].flatMap((person) => {
    const contactId = places.get(person);
    return contactId === undefined || person.inboundMs === 0 ? [] : [{ contactId, inboundMs: person.inboundMs }];
  });
  await touchContacts(work.tx, tenantId, wrote);
  return ({ phone, userId }) => {
    const contactId = contacts.get(`${phone}/${userId}`);
    if (contactId === undefined) throw new Error('A customer of the past was not recognised.');
    return contactId;
  };
}

async function insertAll({ rt, tx, events, nowMs }: ContactWork, placed: readonly PlacedPast[]): Promise<void> {
  const received = placed.flatMap(({ row, ...place }) =>
    row.isSent ? [] : [{ ...place, row: { ...row, nowMs: row.networkMs, isPast: true } }],
  );
  await insertInbound(tx, received);
  const files = received.flatMap(({ row }) => {
    const media = row.deletedMs === null ? readInboundMedia(row.type, row.content) : null;
    return media === null ? [] : [{ ...row, media, nowMs }];
  });
  await insertManyInboundMedia(tx, files);
  const sent = placed.flatMap(({ row, ...place }) => (row.isSent ? [{ ...row, ...place }] : []));
  await insertPastSent(tx, sent);
  await storeEarlierStatuses(tx, events, { rt, messages: sent, nowMs });
}
