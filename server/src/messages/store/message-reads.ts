import { type SelectQueryBuilder, sql } from 'kysely';
import { idFloor, isUuid, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { queueState } from '#core/queue-state';
import type { Database } from '#database/database';
import type { Schema } from '#database/schema';
import type { InboundMessage, MessageStatus, OutboundMessage, TraceEntry } from '#messages/domain/message';
import { type RepeatHold, repeatHold } from '#messages/domain/repeat-hold';
import { findRepeatFacts, readCallbackHealth } from './callback-health.ts';
import { type OutboundRow, toInbound, toOutbound, toTrace } from './message-rows.ts';

interface CommonFilter {
  readonly phoneNumberId?: string;
  readonly conversationId?: string;
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
  readonly campaignName?: string;
  readonly possibleDuplicate?: boolean;
}

export interface InboundFilter extends CommonFilter {
  readonly from?: string;
  readonly type?: string;
}

/** One message of a tenant by id; null when there is none, or it is another tenant's. */
export async function findMessage(
  db: Database,
  tenantId: TenantId,
  messageId: string,
): Promise<OutboundMessage | InboundMessage | null> {
  if (!isUuid(messageId)) return null;
  const outbound = await selectOutbound(db, tenantId).where('m.message_id', '=', messageId).executeTakeFirst();
  if (outbound) return toOutbound(outbound);
  const inbound = await selectInbound(db, tenantId).where('m.message_id', '=', messageId).executeTakeFirst();
  return inbound ? toInbound(inbound) : null;
}

/** Newest first. Costs the same on every page when a cursor is used. */
export async function listOutbound(
  db: Database,
  tenantId: TenantId,
  filter: OutboundFilter,
  window: ListWindow,
): Promise<Page<OutboundMessage>> {
  let query = selectOutbound(db, tenantId);
  if (filter.to !== undefined) query = query.where('m.to_phone', '=', filter.to);
  if (filter.campaignName !== undefined) query = query.where('m.campaign_name', '=', filter.campaignName);
  if (filter.phoneNumberId !== undefined) query = query.where('m.phone_number_id', '=', filter.phoneNumberId);
  if (filter.conversationId !== undefined) query = query.where('m.conversation_id', '=', filter.conversationId);
  if (filter.afterId !== undefined) query = query.where('m.message_id', '>', filter.afterId);
  if (filter.possibleDuplicate !== undefined) query = query.where(mayBeDouble(filter.possibleDuplicate));
  if (filter.status !== undefined) query = withStatus(query, filter.status);
  const rows = await windowed(query.where(idRange(filter)), window).execute();
  return toPage(rows.map(toOutbound), window);
}

export async function listInbound(
  db: Database,
  tenantId: TenantId,
  filter: InboundFilter,
  window: ListWindow,
): Promise<Page<InboundMessage>> {
  let query = selectInbound(db, tenantId);
  if (filter.from !== undefined) query = query.where('m.sender', '=', filter.from);
  if (filter.type !== undefined) query = query.where('m.type', '=', filter.type);
  if (filter.phoneNumberId !== undefined) query = query.where('m.phone_number_id', '=', filter.phoneNumberId);
  if (filter.conversationId !== undefined) query = query.where('m.conversation_id', '=', filter.conversationId);
  if (filter.afterId !== undefined) query = query.where('m.message_id', '>', filter.afterId);
  const rows = await windowed(query.where(idRange(filter)), window).execute();
  return toPage(rows.map(toInbound), window);
}

/** Everything that happened to a message, oldest first; null when there is no such message. */
export async function traceMessage(
  db: Database,
  tenantId: TenantId,
  messageId: string,
  moment: { readonly nowMs: number; readonly waitMs: number },
): Promise<readonly TraceEntry[] | null> {
  if (!isUuid(messageId)) return null;
  const row = await selectOutbound(db, tenantId).where('m.message_id', '=', messageId).executeTakeFirst();
  if (row) return toTrace(row, await findHold(db, row, moment));
  const inbound = await selectInbound(db, tenantId).where('m.message_id', '=', messageId).executeTakeFirst();
  if (!inbound) return null;
  return [
    {
      atMs: Number(inbound.created_ms),
      event: 'received',
      detail: 'The message came from the network and was stored.',
    },
  ];
}

/** Why a message of unknown outcome is not repeated yet; only of such a one anything is asked. */
async function findHold(
  db: Database,
  row: OutboundRow,
  moment: { readonly nowMs: number; readonly waitMs: number },
): Promise<RepeatHold | null> {
  if (row.queue_state !== queueState.unknown) return null;
  const facts = await findRepeatFacts(db, row.tenant_id as TenantId, row.message_id);
  return facts && repeatHold(await readCallbackHealth(db), facts, moment);
}

/** The columns that lists and single reads need; `sending` is a claimed row of the queue. */
function selectOutbound(db: Database, tenantId: TenantId) {
  return db.kysely
    .selectFrom('outbound_messages as m')
    .leftJoin('send_queue as q', (join) =>
      join.onRef('q.tenant_id', '=', 'm.tenant_id').onRef('q.message_id', '=', 'm.message_id'),
    )
    .leftJoin('phone_numbers as n', (join) =>
      join.onRef('n.tenant_id', '=', 'm.tenant_id').onRef('n.phone_number_id', '=', 'm.phone_number_id'),
    )
    .selectAll('m')
    .select([
      'q.state as queue_state',
      'q.due_ms as queue_due_ms',
      'q.attempts as queue_attempts',
      'n.display_phone',
      'n.status as number_status',
      'n.pause_reason',
    ])
    .where('m.tenant_id', '=', tenantId);
}

function selectInbound(db: Database, tenantId: TenantId) {
  return db.kysely
    .selectFrom('inbound_messages as m')
    .leftJoin('phone_numbers as n', (join) =>
      join.onRef('n.tenant_id', '=', 'm.tenant_id').onRef('n.phone_number_id', '=', 'm.phone_number_id'),
    )
    .leftJoin('inbound_media as f', (join) =>
      join.onRef('f.tenant_id', '=', 'm.tenant_id').onRef('f.message_id', '=', 'm.message_id'),
    )
    .leftJoin('media as d', (join) =>
      join.onRef('d.tenant_id', '=', 'f.tenant_id').onRef('d.media_id', '=', 'f.media_id'),
    )
    .selectAll('m')
    .select((row) => [
      'n.display_phone',
      'f.status as media_status',
      'f.media_id',
      'f.filename as media_filename',
      'f.error as media_error',
      'd.size as media_size',
      row.fn.coalesce('d.mime_type', 'f.mime_type').as('media_mime_type'),
      row.fn.coalesce('d.sha256', 'f.sha256').as('media_sha256'),
    ])
    .where('m.tenant_id', '=', tenantId);
}

type OutboundQuery = ReturnType<typeof selectOutbound>;

/** Queued and sending walk the queue, failed the dead letters: both small; a filter on the big table would walk all of it. */
function withStatus(query: OutboundQuery, status: ListedStatus): OutboundQuery {
  switch (status) {
    case 'sent':
      return query.where('m.status', '=', 'sent');
    case 'delivered':
      return query
        .where('m.status', '=', 'sent')
        .where('m.delivered_ms', 'is not', null)
        .where('m.read_ms', 'is', null);
    case 'read':
      return query.where('m.status', '=', 'sent').where('m.read_ms', 'is not', null);
    case 'failed':
      return query
        .where('m.status', '=', 'failed')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('dead_letters as d')
              .select('d.message_id')
              .whereRef('d.tenant_id', '=', 'm.tenant_id')
              .whereRef('d.message_id', '=', 'm.message_id'),
          ),
        );
    case 'queued':
      return query.where('m.status', '=', 'queued').where('q.state', '=', queueState.ready);
    case 'sending':
      return query.where('m.status', '=', 'queued').where('q.state', 'in', [queueState.claimed, queueState.unknown]);
  }
}

/** Without a parameter, so that the index of those few serves it. */
function mayBeDouble(wanted: boolean) {
  return wanted ? sql<boolean>`m.possible_duplicate` : sql<boolean>`not m.possible_duplicate`;
}

/** Ids are time-ordered: a span of time is a span of the primary key. */
function idRange(filter: CommonFilter) {
  const after =
    filter.createdAfterMs === undefined ? sql`true` : sql`m.message_id >= ${idFloor(filter.createdAfterMs)}::uuid`;
  const before =
    filter.createdBeforeMs === undefined ? sql`true` : sql`m.message_id < ${idFloor(filter.createdBeforeMs)}::uuid`;
  return sql<boolean>`${after} and ${before}`;
}

type Listed = Schema & { m: Schema['outbound_messages'] | Schema['inbound_messages'] };

function windowed<Query extends SelectQueryBuilder<Listed, never, unknown> | object>(
  query: Query,
  window: ListWindow,
): Query {
  const ordered = (query as unknown as OutboundQuery).orderBy('m.message_id', 'desc').limit(window.limit + 1);
  const from =
    window.beforeId === null ? ordered.offset(window.offset) : ordered.where('m.message_id', '<', window.beforeId);
  return from as unknown as Query;
}

function toPage<T>(items: readonly T[], window: ListWindow): Page<T> {
  return { items: items.slice(0, window.limit), hasMore: items.length > window.limit };
}
