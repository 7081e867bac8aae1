import { type SelectQueryBuilder, sql } from 'kysely';
import type { NamedAuthor } from '#core/caller/author';
import { idFloor, type MessageId, type TenantId } from '#core/ids';
import type { ListWindow } from '#core/paging';
import { queueState } from '#core/queue-state';
import type { Database } from '#database/database';
import { otherSpellingSql } from '#database/phone-key-sql';
import type { Schema } from '#database/schema';
import { authorJson } from '#events/store/message-author';
import type { DeliveryState } from '#messages/domain/delivery';
import type { MessageStatus } from '#messages/domain/message';

interface CommonFilter {
  readonly phoneNumberId?: string;
  readonly conversationId?: string;
  /** Messages of all conversations with this contact, and what was sent to its numbers outside of one. */
  readonly contactId?: string;
  /** Only ids greater than this one. */
  readonly afterId?: string;
  readonly createdAfterMs?: number;
  readonly createdBeforeMs?: number;
}

/** What a list can be narrowed to: the status, or how far a sent message came. */
export type ListedStatus = MessageStatus | 'delivered' | 'read';

export interface OutboundFilter extends CommonFilter {
  readonly to?: string;
  readonly status?: ListedStatus;
  readonly deliveryState?: DeliveryState;
  readonly clientRef?: string;
  readonly type?: string;
  readonly campaignName?: string;
  readonly possibleDuplicate?: boolean;
}

export interface InboundFilter extends CommonFilter {
  readonly from?: string;
  readonly type?: string;
}

/** Messages of the business that pass a filter. */
export function narrowedOutbound(db: Database, tenantId: TenantId, filter: OutboundFilter): OutboundQuery {
  let query = selectOutbound(db, tenantId);
  if (filter.to !== undefined) query = query.where('m.toPhone', '=', filter.to);
  if (filter.type !== undefined) query = query.where('m.type', '=', filter.type);
  if (filter.campaignName !== undefined) query = query.where('m.campaignName', '=', filter.campaignName);
  if (filter.clientRef !== undefined) query = query.where('m.clientRef', '=', filter.clientRef);
  if (filter.possibleDuplicate !== undefined) query = query.where(mayBeDouble(filter.possibleDuplicate));
  if (filter.contactId !== undefined) query = query.where(sentTo(tenantId, filter.contactId));
  if (filter.status !== undefined) query = withStatus(query, filter.status);
  if (filter.deliveryState !== undefined) query = withDeliveryState(query, filter.deliveryState);
  return query.where(inCommon(filter));
}

/** Messages of customers that pass a filter. */
export function narrowedInbound(db: Database, tenantId: TenantId, filter: InboundFilter): InboundQuery {
  let query = selectInbound(db, tenantId);
  if (filter.from !== undefined) query = query.where('m.sender', '=', filter.from);
  if (filter.type !== undefined) query = query.where('m.type', '=', filter.type);
  if (filter.contactId !== undefined) query = query.where(cameFrom(tenantId, filter.contactId));
  return query.where(inCommon(filter));
}

/** The columns that lists and single reads need; `sending` is a claimed row of the queue. */
export function selectOutbound(db: Database, tenantId: TenantId) {
  return db.kysely
    .selectFrom('outbound_messages as m')
    .leftJoin('send_queue as q', (join) =>
      join.onRef('q.tenantId', '=', 'm.tenantId').onRef('q.messageId', '=', 'm.messageId'),
    )
    .leftJoin('phone_numbers as n', (join) =>
      join.onRef('n.tenantId', '=', 'm.tenantId').onRef('n.phoneNumberId', '=', 'm.phoneNumberId'),
    )
    .selectAll('m')
    .select([
      'q.state as queueState',
      'q.dueMs as queueDueMs',
      'q.attempts as queueAttempts',
      'n.displayPhone',
      'n.status as numberStatus',
      'n.pauseReason',
      sql<NamedAuthor | null>`${sql.raw(authorJson('m'))}`.as('author'),
    ])
    .where('m.tenantId', '=', tenantId);
}

export function selectInbound(db: Database, tenantId: TenantId) {
  return db.kysely
    .selectFrom('inbound_messages as m')
    .leftJoin('phone_numbers as n', (join) =>
      join.onRef('n.tenantId', '=', 'm.tenantId').onRef('n.phoneNumberId', '=', 'm.phoneNumberId'),
    )
    .leftJoin('inbound_media as f', (join) =>
      join.onRef('f.tenantId', '=', 'm.tenantId').onRef('f.messageId', '=', 'm.messageId'),
    )
    .leftJoin('media as d', (join) => join.onRef('d.tenantId', '=', 'f.tenantId').onRef('d.mediaId', '=', 'f.mediaId'))
    .selectAll('m')
    .select((row) => [
      'n.displayPhone',
      'f.status as mediaStatus',
      'f.mediaId',
      'f.filename as mediaFilename',
      'f.error as mediaError',
      'd.size as mediaSize',
      row.fn.coalesce('d.mimeType', 'f.mimeType').as('mediaMimeType'),
      row.fn.coalesce('d.sha256', 'f.sha256').as('mediaSha256'),
    ])
    .where('m.tenantId', '=', tenantId);
}

type OutboundQuery = ReturnType<typeof selectOutbound>;
type InboundQuery = ReturnType<typeof selectInbound>;

/** Queued and sending walk the queue, failed the dead letters: both small; a filter on the big table would walk all of it. */
function withStatus(query: OutboundQuery, status: ListedStatus): OutboundQuery {
  switch (status) {
    case 'sent':
      return query.where('m.status', '=', 'sent');
    case 'delivered':
      return query.where('m.status', '=', 'sent').where('m.deliveredMs', 'is not', null).where('m.readMs', 'is', null);
    case 'read':
      return query.where('m.status', '=', 'sent').where('m.readMs', 'is not', null);
    case 'failed':
      return query
        .where('m.status', '=', 'failed')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('dead_letters as d')
              .select('d.messageId')
              .whereRef('d.tenantId', '=', 'm.tenantId')
              .whereRef('d.messageId', '=', 'm.messageId'),
          ),
        );
    case 'queued':
      return query.where('m.status', '=', 'queued').where('q.state', '=', queueState.ready);
    case 'sending':
      return query.where('m.status', '=', 'queued').where('q.state', 'in', [queueState.claimed, queueState.unknown]);
  }
}

/** As `deliveryStateOf` names it. Where `withStatus` has an index for it, the same one is used. */
function withDeliveryState(query: OutboundQuery, state: DeliveryState): OutboundQuery {
  switch (state) {
    case 'pending':
      return query.where('m.status', '=', 'queued').where('q.state', '<>', queueState.unknown);
    case 'unknown':
      return query.where('m.status', '=', 'queued').where('q.state', '=', queueState.unknown);
    case 'accepted':
    case 'sent': {
      const unseen = withStatus(query, 'sent').where('m.deliveredMs', 'is', null).where('m.readMs', 'is', null);
      return unseen.where('m.sentMs', state === 'sent' ? 'is not' : 'is', null);
    }
    default:
      return withStatus(query, state);
  }
}

/** Arrays, not a join: found once, the conversations lead into the index of messages by conversation. */
function cameFrom(tenantId: TenantId, contactId: string) {
  return sql<boolean>`(m.conversation_id = any(array(
    select conversation_id from conversations where tenant_id = ${tenantId}::uuid and contact_id = ${contactId}::uuid))
    or (m.conversation_id is null and m.contact_id = ${contactId}::uuid))`;
}

/**
 * The messages of a contact's conversations, and those to its numbers and user ids that belong to no conversation. They are found through
 * the indexes of conversations and of recipients, and only then looked at.
 */
function sentTo(tenantId: TenantId, contactId: string) {
  return sql<boolean>`m.message_id = any(array(
    select e.message_id from conversations c
    join outbound_messages e on e.tenant_id = c.tenant_id and e.conversation_id = c.conversation_id
    where c.tenant_id = ${tenantId}::uuid and c.contact_id = ${contactId}::uuid
    union all
    select e.message_id from contact_identities i
    cross join lateral (select i.value as phone union select ${sql.raw(otherSpellingSql('i.value'))}) s
    join outbound_messages e on e.tenant_id = i.tenant_id and e.to_phone = s.phone and e.conversation_id is null
    where i.tenant_id = ${tenantId}::uuid and i.contact_id = ${contactId}::uuid))`;
}

/** Without a parameter, so that the index of those few serves it. */
function mayBeDouble(wanted: boolean) {
  return wanted ? sql<boolean>`m.possible_duplicate` : sql<boolean>`not m.possible_duplicate`;
}

/** What both lists are narrowed to. Ids are time-ordered: a span of time is a span of the primary key. */
function inCommon({ phoneNumberId, conversationId, afterId, createdAfterMs, createdBeforeMs }: CommonFilter) {
  const conditions = [sql`true`];
  if (phoneNumberId !== undefined) conditions.push(sql`m.phone_number_id = ${phoneNumberId}`);
  if (conversationId !== undefined) conditions.push(sql`m.conversation_id = ${conversationId}`);
  if (afterId !== undefined) conditions.push(sql`m.message_id > ${afterId}`);
  if (createdAfterMs !== undefined) conditions.push(sql`m.message_id >= ${idFloor(createdAfterMs)}::uuid`);
  if (createdBeforeMs !== undefined) conditions.push(sql`m.message_id < ${idFloor(createdBeforeMs)}::uuid`);
  return sql.join<boolean>(conditions, sql` and `);
}

type Listed = Schema & { m: Schema['outbound_messages'] | Schema['inbound_messages'] };

export function windowed<Query extends SelectQueryBuilder<Listed, never, unknown> | object>(
  query: Query,
  window: ListWindow,
): Query {
  const ordered = (query as unknown as OutboundQuery).orderBy('m.messageId', 'desc').limit(window.limit + 1);
  const from =
    window.beforeId === null
      ? ordered.offset(window.offset)
      : ordered.where('m.messageId', '<', window.beforeId as MessageId);
  return from as unknown as Query;
}
