import { sql } from 'kysely';
import { isUuid, type MessageId, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { queueState } from '#core/queue-state';
import type { Database } from '#database/database';
import { pageOf } from '#database/rows';
import type { InboundMessage, OutboundMessage, TraceEntry } from '#messages/domain/message';
import { type RepeatHold, repeatHold } from '#messages/domain/repeat-hold';
import { findRepeatFacts, readCallbackHealth } from './callback-health.ts';
import {
  type InboundFilter,
  narrowedInbound,
  narrowedOutbound,
  type OutboundFilter,
  selectInbound,
  selectOutbound,
  windowed,
} from './message-filters.ts';
import { type OutboundRow, toInbound, toOutbound, toTrace } from './message-rows.ts';

/** One message of a tenant by id; null when there is none, or it is another tenant's. */
export async function findMessage(
  db: Database,
  tenantId: TenantId,
  messageId: string,
): Promise<OutboundMessage | InboundMessage | null> {
  if (!isUuid(messageId)) return null;
  const outbound = await selectOutbound(db, tenantId)
    .where('m.messageId', '=', messageId as MessageId)
    .executeTakeFirst();
  if (outbound) return toOutbound(outbound);
  const inbound = await selectInbound(db, tenantId)
    .where('m.messageId', '=', messageId as MessageId)
    .executeTakeFirst();
  return inbound ? toInbound(inbound) : null;
}

/** Newest first. Costs the same on every page when a cursor is used. */
export async function listOutbound(
  db: Database,
  tenantId: TenantId,
  filter: OutboundFilter,
  window: ListWindow,
): Promise<Page<OutboundMessage>> {
  const rows = await windowed(narrowedOutbound(db, tenantId, filter), window).execute();
  return pageOf(rows.map(toOutbound), window.limit);
}

export async function listInbound(
  db: Database,
  tenantId: TenantId,
  filter: InboundFilter,
  window: ListWindow,
): Promise<Page<InboundMessage>> {
  const rows = await windowed(narrowedInbound(db, tenantId, filter), window).execute();
  return pageOf(rows.map(toInbound), window.limit);
}

/** A list of both directions: null leaves one of them out. */
export interface EitherFilter {
  readonly inbound: InboundFilter | null;
  readonly outbound: OutboundFilter | null;
}

/** Both directions in one list, newest first. */
export async function listEither(
  db: Database,
  tenantId: TenantId,
  filter: EitherFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<OutboundMessage | InboundMessage>> {
  const skipped = offset === 0 ? beforeId : await idAt(db, tenantId, filter, offset);
  if (offset > 0 && skipped === null) return { items: [], hasMore: false };
  const window: ListWindow = { limit, offset: 0, beforeId: skipped };
  const [came, went] = await Promise.all([
    filter.inbound && listInbound(db, tenantId, filter.inbound, window),
    filter.outbound && listOutbound(db, tenantId, filter.outbound, window),
  ]);
  const merged = [...(came?.items ?? []), ...(went?.items ?? [])].sort((a, b) => (a.messageId < b.messageId ? 1 : -1));
  const hasMore = merged.length > limit || came?.hasMore === true || went?.hasMore === true;
  return { items: merged.slice(0, limit), hasMore };
}

/** Which message is the last that a page skips: what stands before it is counted where it is stored. Null: there are fewer. */
async function idAt(
  db: Database,
  tenantId: TenantId,
  { inbound, outbound }: EitherFilter,
  offset: number,
): Promise<string | null> {
  const ids = [
    inbound && narrowedInbound(db, tenantId, inbound).clearSelect().select('m.messageId'),
    outbound && narrowedOutbound(db, tenantId, outbound).clearSelect().select('m.messageId'),
  ].flatMap((query) => (query ? [sql`select i.message_id from ${query} i`] : []));
  if (ids.length === 0) return null;
  const { rows } = await sql<{ messageId: string }>`
    select e.message_id from (${sql.join(ids, sql` union all `)}) e order by e.message_id desc offset ${offset - 1} limit 1
  `.execute(db.kysely);
  return rows[0]?.messageId ?? null;
}

/** Everything that happened to a message, oldest first; null when there is no such message. */
export async function traceMessage(
  db: Database,
  tenantId: TenantId,
  messageId: string,
  moment: { readonly nowMs: number; readonly waitMs: number },
): Promise<readonly TraceEntry[] | null> {
  if (!isUuid(messageId)) return null;
  const row = await selectOutbound(db, tenantId)
    .where('m.messageId', '=', messageId as MessageId)
    .executeTakeFirst();
  if (row) return toTrace(row, await findHold(db, row, moment));
  const inbound = await selectInbound(db, tenantId)
    .where('m.messageId', '=', messageId as MessageId)
    .executeTakeFirst();
  if (!inbound) return null;
  const detail = 'The message came from the network and was stored.';
  return [{ atMs: inbound.createdMs, event: 'received', detail }];
}

/** Why a message of unknown outcome is not repeated yet; only of such a one anything is asked. */
async function findHold(
  db: Database,
  row: OutboundRow,
  moment: { readonly nowMs: number; readonly waitMs: number },
): Promise<RepeatHold | null> {
  if (row.queueState !== queueState.unknown) return null;
  const facts = await findRepeatFacts(db, row.tenantId, row.messageId);
  return facts && repeatHold(await readCallbackHealth(db), facts, moment);
}
