import { dayOf, type Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';

/** Rows that one counter is spread over, so that writers that meet do not wait for each other. */
const SLOTS = 16;

/** The slot of a writer, from an id that it made by chance: no two batches that meet are likely to share one. */
export function slotOf(id: string): number {
  return Number.parseInt(id.slice(-1), 16) % SLOTS;
}

export type UsageFact = 'outbound' | 'inbound' | 'category' | 'conversation' | 'media';

export interface UsageRow {
  readonly tenantId: TenantId;
  readonly fact: UsageFact;
  /** Empty where there is none. */
  readonly phoneNumberId: string;
  /** Type of a message; empty where there is none. */
  readonly name: string;
  readonly amount: number;
}

/** Sorted by key: transactions that share counters wait for each other instead of deadlocking. */
const ADD_USAGE = statement('usage_add')`
insert into usage_counters (tenant_id, day, fact, phone_number_id, name, slot, amount)
select t.tenant_id, $6::integer, t.fact, t.phone_number_id, t.name, $7::smallint, sum(t.amount)
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[])
  as t (tenant_id, fact, phone_number_id, name, amount)
group by 1, 3, 4, 5
order by 1, 3, 4, 5
on conflict (tenant_id, day, fact, phone_number_id, name, slot)
do update set amount = usage_counters.amount + excluded.amount`;

export interface AddUsage {
  readonly rows: readonly UsageRow[];
  /** When the facts came about. */
  readonly atMs: number;
  /** From `slotOf`. */
  readonly slot: number;
}

/** Counts facts that the same transaction stores. */
export async function addUsage(db: SqlRunner, { rows, atMs, slot }: AddUsage): Promise<void> {
  if (rows.length === 0) return;
  await db.run(ADD_USAGE, [
    plainArray(rows.map((row) => row.tenantId)),
    rows.map((row) => row.fact),
    rows.map((row) => row.phoneNumberId),
    rows.map((row) => row.name),
    plainArray(rows.map((row) => row.amount)),
    dayOf(atMs),
    slot,
  ]);
}

/** What was used in a time of whole days. */
export interface Usage {
  readonly outbound: number;
  readonly inbound: number;
  /** Outbound messages by type. */
  readonly byType: Readonly<Record<string, number>>;
  /** Messages that the network has priced, by its category. */
  readonly byCategory: Readonly<Record<string, number>>;
  /** Outbound messages by phone_number_id. */
  readonly byNumber: Readonly<Record<string, number>>;
  readonly mediaBytes: number;
  readonly conversations: number;
}

const READ_USAGE = statement('usage_read')`
select fact, phone_number_id, name, sum(amount)::bigint as amount from usage_counters
where tenant_id = $1 and day >= $2 and day < $3
group by fact, phone_number_id, name
order by fact, phone_number_id, name`;

type Counted = Omit<UsageRow, 'tenantId'>;

/** Adds up the counters of a tenant. */
export async function readUsage(db: SqlRunner, tenantId: TenantId, period: Period): Promise<Usage> {
  const { rows } = await db.run<Counted>(READ_USAGE, [tenantId, dayOf(period.startMs), dayOf(period.endMs)]);
  const of = (fact: UsageFact) => rows.filter((row) => row.fact === fact);
  return {
    outbound: total(of('outbound')),
    inbound: total(of('inbound')),
    byType: totalsBy(of('outbound'), (row) => row.name),
    byCategory: totalsBy(of('category'), (row) => row.name),
    byNumber: totalsBy(of('outbound'), (row) => row.phoneNumberId),
    mediaBytes: total(of('media')),
    conversations: total(of('conversation')),
  };
}

function total(rows: readonly Counted[]): number {
  return rows.reduce((sum, row) => sum + row.amount, 0);
}

function totalsBy(rows: readonly Counted[], keyOf: (row: Counted) => string): Readonly<Record<string, number>> {
  const totals = new Map<string, number>();
  for (const row of rows) totals.set(keyOf(row), (totals.get(keyOf(row)) ?? 0) + row.amount);
  return Object.fromEntries(totals);
}

const COUNT_OUTBOUND = statement('usage_count_outbound')`
select coalesce(sum(amount), 0)::bigint as amount from usage_counters
where tenant_id = $1 and day >= $2 and day < $3 and fact = 'outbound'`;

/** Outbound messages accepted in a time of whole days. */
export async function countOutbound(db: SqlRunner, tenantId: TenantId, period: Period): Promise<number> {
  const values = [tenantId, dayOf(period.startMs), dayOf(period.endMs)];
  return (await firstRow(db.run<{ amount: number }>(COUNT_OUTBOUND, values)))?.amount ?? 0;
}
