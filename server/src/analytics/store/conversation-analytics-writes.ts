import {
  type ConversationDelta,
  type ConversationMeasure,
  DURATIONS,
  type Duration,
  type DurationDelta,
  type DurationRow,
} from '#conversations/domain/conversation-tally';
import { mergeHistograms, readHistogram, writeHistogram } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import type { Command, Statement, Transaction } from '#database/database';
import { byDays } from '#events/domain/message-sums';

const addTo = (table: string): Statement => ({
  name: `analytics_add_${table}`,
  insertsOnly: true,
  text: `
insert into ${table} (
  tenant_id, dimension, key, quarter, opened, reopened, resolved, assigned, replies)
select $1::uuid, t.* from unnest($2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
  $9::bigint[]) as t
on conflict (tenant_id, dimension, key, quarter) do update set
  opened = ${table}.opened + excluded.opened,
  reopened = ${table}.reopened + excluded.reopened,
  resolved = ${table}.resolved + excluded.resolved,
  assigned = ${table}.assigned + excluded.assigned,
  replies = ${table}.replies + excluded.replies`,
});
const ADD_QUARTERS = addTo('analytics_conversations');
const ADD_DAYS = addTo('analytics_conversation_days');

/** The commands that add to the sums of a tenant's conversations, of quarters and of days. Each sum may be named once. */
export function addingConversationCounts(tenantId: TenantId, deltas: readonly ConversationDelta[]): readonly Command[] {
  if (deltas.length === 0) return [];
  return [addingRows(ADD_QUARTERS, tenantId, deltas), addingRows(ADD_DAYS, tenantId, byDays(deltas))];
}

function addingRows(statement: Statement, tenantId: TenantId, deltas: readonly ConversationDelta[]): Command {
  const column = (measure: ConversationMeasure) => plainArray(deltas.map(({ counts }) => counts[measure]));
  const parameters = [
    tenantId,
    deltas.map((delta) => delta.dimension),
    deltas.map((delta) => delta.key),
    plainArray(deltas.map((delta) => delta.quarter)),
    ...[column('opened'), column('reopened'), column('resolved'), column('assigned'), column('replies')],
  ];
  return { statement, parameters };
}

const KEYS = 'unnest($2::text[], $3::text[], $4::smallint[], $5::integer[]) as t (dimension, key, span, quarter)';

const READ_DURATIONS: Statement = {
  name: 'analytics_durations_before',
  text: `
select d.* from ${KEYS}
join analytics_durations d on d.tenant_id = $1 and d.dimension = t.dimension and d.key = t.key and d.span = t.span
  and d.quarter = t.quarter`,
};

const SAVE_DURATIONS: Statement = {
  name: 'analytics_durations_save',
  insertsOnly: true,
  text: `
insert into analytics_durations (
  tenant_id, dimension, key, span, quarter, first_response, first_response_business, reply, reply_business, resolution,
  resolution_business)
select $1::uuid, t.* from unnest($2::text[], $3::text[], $4::smallint[], $5::integer[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::text[], $11::text[]) as t
on conflict (tenant_id, dimension, key, span, quarter) do update set
  first_response = excluded.first_response, first_response_business = excluded.first_response_business,
  reply = excluded.reply, reply_business = excluded.reply_business,
  resolution = excluded.resolution, resolution_business = excluded.resolution_business`,
};

/**
 * Adds to the histograms of a tenant: they are read, merged and written. The caller has moved the tenant's cursor, so
 * that nobody else writes them meanwhile. Each row may be named once.
 */
export async function addDurations(
  tx: Transaction,
  tenantId: TenantId,
  deltas: readonly DurationDelta[],
): Promise<void> {
  if (deltas.length === 0) return;
  const keys = [
    tenantId,
    deltas.map((delta) => delta.dimension),
    deltas.map((delta) => delta.key),
    plainArray(deltas.map((delta) => delta.span)),
    plainArray(deltas.map((delta) => delta.quarter)),
  ];
  const { rows } = await tx.run<DurationRow & Readonly<Record<Duration, string>>>(READ_DURATIONS, keys);
  const before = new Map(rows.map((row) => [nameOf(row), row]));
  const column = (duration: Duration) =>
    deltas.map((delta) => {
      const old = readHistogram(before.get(nameOf(delta))?.[duration] ?? '[]');
      return writeHistogram(mergeHistograms([old, delta.histograms.get(duration) ?? new Map()]));
    });
  await tx.run(SAVE_DURATIONS, [...keys, ...DURATIONS.map(column)]);
}

function nameOf({ dimension, key, span, quarter }: DurationRow): string {
  return `${dimension}\n${span}\n${quarter}\n${key}`;
}
