import type { InboundItem } from '#core/callback';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { readInboundMedia } from '#core/inbound-media';
import type { Runtime } from '#runtime/runtime';
import type { SqlRunner } from '#storage/database';
import {
  findKnownInbound,
  findOrMakeContact,
  findOrOpenConversation,
  type InboundRow,
  insertInbound,
} from '#storage/inbound-batch';
import { insertInboundMedia } from '#storage/inbound-media';
import { findByNetworkNames, nameKey } from '#storage/status-batch';
import { addUsage, slotOf, type UsageRow } from '#storage/usage';

/** An inbound message whose tenant is known. */
export interface OwnedInbound {
  readonly tenantId: TenantId;
  readonly item: InboundItem;
}

/** Stores inbound messages that are new, each with its contact and its one open conversation. */
export async function storeInbound(
  rt: Runtime,
  tx: SqlRunner,
  inbound: readonly OwnedInbound[],
  nowMs: number,
): Promise<number> {
  if (inbound.length === 0) return 0;
  const fresh = await withoutKnown(tx, inbound);
  const replies = await findByNetworkNames(
    tx,
    fresh.flatMap(({ tenantId, item: { replyToNetworkId, from } }) =>
      replyToNetworkId === null ? [] : [{ tenantId, recipient: from, networkMessageId: replyToNetworkId }],
    ),
  );
  const usage: UsageRow[] = [];
  for (const { tenantId, item } of fresh) {
    const replyTo = replies.get(nameKey({ tenantId, networkMessageId: item.replyToNetworkId ?? '' })) ?? null;
    const row = toRow(rt, { tenantId, item, replyTo, nowMs });
    const contactId = await findOrMakeContact(tx, row, rt.newId<ContactId>());
    const freshId = rt.newId<ConversationId>();
    const conversationId = await findOrOpenConversation(tx, row, { contactId, freshId });
    await insertInbound(tx, row, { contactId, conversationId });
    const media = readInboundMedia(row.type, row.content);
    if (media !== null) await insertInboundMedia(tx, row, media);
    usage.push(...usageOf(row, conversationId === freshId));
  }
  // Last, so that whoever waits for these counters holds nothing that this transaction still needs.
  await addUsage(tx, { rows: usage, atMs: nowMs, slot: slotOf(rt.newId()) });
  return fresh.length;
}

function usageOf({ tenantId, phoneNumberId, type }: InboundRow, opened: boolean): readonly UsageRow[] {
  const inbound: UsageRow = { tenantId, phoneNumberId, fact: 'inbound', name: type, amount: 1 };
  return opened ? [inbound, { ...inbound, fact: 'conversation', name: '' }] : [inbound];
}

async function withoutKnown(tx: SqlRunner, inbound: readonly OwnedInbound[]): Promise<readonly OwnedInbound[]> {
  const unique = [...new Map(inbound.map((one) => [`${one.tenantId}/${one.item.networkMessageId}`, one])).values()];
  const known = new Set<string>();
  for (const tenantId of new Set(unique.map((one) => one.tenantId))) {
    const ids = unique.filter((one) => one.tenantId === tenantId).map((one) => one.item.networkMessageId);
    for (const id of await findKnownInbound(tx, tenantId, ids)) known.add(`${tenantId}/${id}`);
  }
  return unique.filter((one) => !known.has(`${one.tenantId}/${one.item.networkMessageId}`));
}

interface ToRow {
  readonly tenantId: TenantId;
  readonly item: InboundItem;
  readonly replyTo: MessageId | null;
  readonly nowMs: number;
}

function toRow(rt: Runtime, { tenantId, item, replyTo, nowMs }: ToRow): InboundRow {
  return {
    tenantId,
    messageId: rt.newId<MessageId>(),
    networkMessageId: item.networkMessageId,
    phoneNumberId: item.phoneNumberId as PhoneNumberId,
    phone: item.from,
    userId: item.userId,
    profileName: item.profileName,
    username: item.username,
    type: item.type,
    body: item.body,
    content: item.content,
    replyTo,
    networkMs: item.at,
    nowMs,
  };
}
