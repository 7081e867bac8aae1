import type { ContactWork } from '#contacts/actions/save-contacts';
import { addPhoneAnswers, type PairAnswers } from '#conversations/actions/add-phone-answers';
import { previewOf } from '#conversations/domain/conversation';
import { pairKey } from '#conversations/store/conversation-inbound';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { emitChanges } from '#events/actions/with-events';
import { type MessageChange, STAGE_BITS } from '#events/domain/message-events';
import type { EchoItem } from '#inbound/domain/callback-items';
import { findInboundByNetworkIds, type InboundRow } from '#inbound/store/inbound-batch';
import { groupByMessage, takeParkedChanges } from '#inbound/store/parked-changes';
import { storeEarlierStatuses } from '#messages/actions/store-statuses';
import { bodyOfSent, storedContent } from '#messages/domain/content';
import { type ChangeableMessage, changeMessage } from '#messages/domain/message-change';
import { type EchoRow, insertEchoes } from '#messages/store/echoes';
import { findPastSent, takeOverSent } from '#messages/store/past-messages';
import { findByNetworkNames, nameKey } from '#messages/store/status-batch';
import { resolveContacts } from './resolve-contacts.ts';
import { DELETED_PREVIEW } from './store-echo-changes.ts';

/** A message from the phone of the business whose tenant is known. */
export interface OwnedEcho {
  readonly tenantId: TenantId;
  readonly item: EchoItem;
}

/** As it can be changed, before it is stored. */
type UnplacedEcho = Omit<EchoRow, 'contactId' | 'conversationId'> &
  ChangeableMessage & { readonly userId: string | null; readonly type: EchoRow['type'] };

/**
 * Stores what the business wrote on its phone, unless it is stored: as sent messages, in the conversations of their customers,
 * with the statuses that came before. The caller has locked the customers, so that two callbacks with one message wait for
 * each other.
 * @returns how many are new
 */
export async function storeEchoes(work: ContactWork, echoes: readonly OwnedEcho[]): Promise<number> {
  if (echoes.length === 0) return 0;
  const { rt, tx, events, nowMs } = work;
  const { unknown, past } = await withoutKnown(work, echoes);
  const fresh = [...unknown, ...past.keys()].toSorted((one, other) => one.item.at - other.item.at);
  if (fresh.length === 0) return 0;
  const quoting = await withQuotes(
    work,
    fresh.map((one) => ({ ...one, messageId: past.get(one) ?? rt.newId<MessageId>() })),
  );
  const rows = await withParkedChanges(work, quoting);
  const addressees = new Map(rows.map((row) => [row, addresseeOf(row)]));
  const contactOf = await resolveContacts({ ...work, survivors: new Map() }, [...addressees.values()]);
  const known = rows.map((row) => ({ row, contactId: contactOf(addressees.get(row) ?? addresseeOf(row)) }));
  const pairs = new Map<string, PairAnswers>();
  for (const { row, contactId } of known) {
    const { tenantId, phoneNumberId, messageId, networkMs, type } = row;
    const key = pairKey({ tenantId, contactId, phoneNumberId });
    const answer = {
      messageId,
      networkMs,
      type,
      preview: previewOf(row.deletedMs === null ? row.body : DELETED_PREVIEW),
    };
    pairs.set(key, { tenantId, contactId, phoneNumberId, answers: [...(pairs.get(key)?.answers ?? []), answer] });
  }
  const places = await addPhoneAnswers({ rt, tx, events }, [...pairs.values()]);
  const placed = known.map(({ row, contactId }): EchoRow => {
    const conversationId = places.get(pairKey({ ...row, contactId }));
    if (conversationId === undefined) throw new Error(`The conversation of ${row.networkMessageId} is not there.`);
    return { ...row, contactId, conversationId };
  });
  const takenOver = new Set(past.values());
  await insertEchoes(
    tx,
    placed.filter(({ messageId }) => !takenOver.has(messageId)),
  );
  await takeOverSent(
    tx,
    placed.filter(({ messageId }) => takenOver.has(messageId)),
  );
  emitChanges(events, placed.map(sentNews));
  await storeEarlierStatuses(tx, events, { rt, messages: placed, nowMs });
  return placed.length;
}

/** What nobody stored yet, and what only the history of the number reported, with its id: of that, nobody was told. */
async function withoutKnown(
  { tx }: ContactWork,
  echoes: readonly OwnedEcho[],
): Promise<{ readonly unknown: readonly OwnedEcho[]; readonly past: ReadonlyMap<OwnedEcho, MessageId> }> {
  const unique = [...new Map(echoes.map((one) => [keyOf(one), one])).values()];
  const names = unique.map(({ tenantId, item: { networkMessageId, to, userId } }) => {
    return { tenantId, networkMessageId, recipients: [to, userId].filter((one) => one !== null) };
  });
  const known = await findByNetworkNames(tx, names);
  const ids = unique.flatMap((one) => {
    const messageId = known.get(keyOf(one));
    return messageId === undefined ? [] : [{ tenantId: one.tenantId, messageId }];
  });
  const past = await findPastSent(tx, ids);
  return {
    unknown: unique.filter((one) => !known.has(keyOf(one))),
    past: new Map(
      unique.flatMap((one) => {
        const messageId = known.get(keyOf(one));
        return messageId !== undefined && past.has(messageId) ? [[one, messageId] as const] : [];
      }),
    ),
  };
}

function keyOf({ tenantId, item: { networkMessageId } }: OwnedEcho): string {
  return nameKey({ tenantId, networkMessageId });
}

/** The messages as edits and deletions left them that came before they did. */
async function withParkedChanges({ tx }: ContactWork, rows: readonly UnplacedEcho[]): Promise<readonly UnplacedEcho[]> {
  const changes = groupByMessage(await takeParkedChanges(tx, rows));
  return rows.map((row) =>
    (changes.get(nameKey(row)) ?? []).reduce((said, { change }) => changeMessage(said, change), row),
  );
}

/** Names the messages that these answer: what the customer wrote, and what the business did. */
async function withQuotes(
  { tx, nowMs }: ContactWork,
  echoes: readonly (OwnedEcho & { readonly messageId: MessageId })[],
): Promise<readonly UnplacedEcho[]> {
  const quoting = echoes.flatMap(({ tenantId, item: { quotedId, to, userId } }) =>
    quotedId === null
      ? []
      : [{ tenantId, networkMessageId: quotedId, recipients: [to, userId].filter((one) => one !== null) }],
  );
  const received = await findInboundByNetworkIds(tx, quoting);
  const sent = await findByNetworkNames(tx, quoting);
  return echoes.map(({ tenantId, messageId, item }) => {
    const { networkMessageId, content, quotedId, userId } = item;
    const quoted = nameKey({ tenantId, networkMessageId: quotedId ?? '' });
    return {
      ...{ tenantId, messageId, networkMessageId, userId, nowMs },
      ...{ type: content.type, content: storedContent(content), body: bodyOfSent(content) },
      ...{ context: null, versions: null, deletedMs: null },
      phoneNumberId: item.phoneNumberId as PhoneNumberId,
      to: item.to ?? userId ?? '',
      replyTo: received.get(quoted) ?? sent.get(quoted) ?? null,
      networkMs: item.at,
    };
  });
}

/** The customer is found, or made, as the sender of a message that says nothing. */
function addresseeOf({
  tenantId,
  messageId,
  networkMessageId,
  phoneNumberId,
  to,
  userId,
  networkMs,
  nowMs,
}: UnplacedEcho): InboundRow {
  return {
    ...{ tenantId, messageId, networkMessageId, phoneNumberId, userId, networkMs, nowMs },
    phone: to === userId ? null : to,
    profileName: null,
    username: null,
    type: 'system',
    body: null,
    content: {},
    context: null,
    groupId: null,
    opensWindow: false,
    versions: null,
    deletedMs: null,
    replyTo: null,
    referral: null,
  };
}

function sentNews(row: EchoRow): MessageChange {
  return {
    tenantId: row.tenantId,
    messageId: row.messageId,
    bits: STAGE_BITS.sent,
    status: 'sent',
    type: row.type,
    template: null,
    to: row.to,
    phoneNumberId: row.phoneNumberId,
    campaignName: null,
    clientRef: null,
    author: { kind: 'phone', id: null, name: null },
    conversationId: row.conversationId,
    contactId: row.contactId,
    sentMs: row.networkMs,
    deliveredMs: null,
    readMs: null,
    failedMs: null,
    error: null,
    pricing: null,
    possibleDuplicate: false,
  };
}
