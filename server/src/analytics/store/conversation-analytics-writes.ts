import {
  DURATIONS,
  type Duration,
  type DurationDelta,
  type DurationRow,
} from '#conversations/domain/conversation-tally';
import { mergeHistograms, readHistogram, writeHistogram } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import { camelName } from '#database/camel-case';
import { statement, type Transaction } from '#database/database';
import { CONVERSATION_SUMS, sumWriter } from './analytics-sums.ts';

/** See `sumWriter`. */
export const addingConversationCounts = sumWriter(CONVERSATION_SUMS);

const KEYS = 'unnest($2::text[], $3::text[], $4::smallint[], $5::integer[]) as t (dimension, key, span, quarter)';

const READ_DURATIONS = statement('analytics_durations_before')`
select d.* from ${KEYS}
join analytics_durations d on d.tenant_id = $1 and d.dimension = t.dimension and d.key = t.key and d.span = t.span
  and d.quarter = t.quarter`;

const SAVE_DURATIONS = statement('analytics_durations_save', { insertsOnly: true })`
insert into analytics_durations (
  tenant_id, dimension, key, span, quarter, first_response, first_response_business, reply, reply_business, resolution,
  resolution_business)
select $1::uuid, t.* from unnest($2::text[], $3::text[], $4::smallint[], $5::integer[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::text[], $11::text[]) as t
on conflict (tenant_id, dimension, key, span, quarter) do update set
  first_response = excluded.first_response, first_response_business = excluded.first_response_business,
  reply = excluded.reply, reply_business = excluded.reply_business,
  resolution = excluded.resolution, resolution_business = excluded.resolution_business`;

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
    ...columnsOf(deltas, 'dimension', 'key'),
    ...columnsOf(deltas, 'span', 'quarter').map(plainArray),
  ];
  const { rows } = await tx.run<DurationRow & Readonly<Record<string, string>>>(READ_DURATIONS, keys);
  const before = new Map(rows.map((row) => [nameOf(row), row]));
  const column = (duration: Duration) =>
    deltas.map((delta) => {
      const old = readHistogram(before.get(nameOf(delta))?.[camelName(duration)] ?? '[]');
      return writeHistogram(mergeHistograms([old, delta.histograms.get(duration) ?? new Map()]));
    });
  await tx.run(SAVE_DURATIONS, [...keys, ...DURATIONS.map(column)]);
}

function nameOf({ dimension, key, span, quarter }: DurationRow): string {
  return `${dimension}\n${span}\n${quarter}\n${key}`;
}
