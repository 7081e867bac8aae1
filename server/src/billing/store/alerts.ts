import { dayOf, type Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { statement, type Transaction } from '#database/database';

/** Of each tenant the plan that counts: its own, or the default. */
const PLAN_OF_TENANT = `
  left join subscriptions s on s.tenant_id = t.tenant_id
  join plans p on p.plan_id = coalesce(s.plan_id, (select d.plan_id from plans d where d.is_default))`;

export type UsageThreshold = 'warning' | 'exceeded';

/** A threshold of the fair use that a tenant has crossed and was not told of before. */
export interface CrossedThreshold {
  readonly tenantId: TenantId;
  readonly threshold: UsageThreshold;
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
  readonly enforcement: 'soft' | 'hard';
}

/** Of all tenants. Who inserts the row tells; whoever looks at the same time finds it there. */
const TAKE_CROSSED = statement('usage_alerts_take')`
with crossed as materialized (
  select t.tenant_id, x.threshold, x.percent, u.used, p.fair_use_messages as "limit",
    p.fair_use_enforcement as enforcement
  from tenants t ${PLAN_OF_TENANT}
  cross join lateral (
    select coalesce(sum(c.amount), 0)::bigint as used from usage_counters c
    where c.tenant_id = t.tenant_id and c.day >= $1 and c.day < $2 and c.fact = 'outbound') u
  cross join lateral (
    values ('warning', p.fair_use_warning_percent::integer), ('exceeded', 100)) as x (threshold, percent)
  where p.fair_use_messages > 0 and u.used * 100 >= p.fair_use_messages * x.percent
    and not exists (
      select 1 from usage_alerts a
      where a.tenant_id = t.tenant_id and a.month_day = $1 and a.threshold = x.threshold)
  order by t.tenant_id, x.percent
  limit $4
), told as (
  insert into usage_alerts (tenant_id, month_day, threshold, told_ms)
  select tenant_id, $1, threshold, $3 from crossed order by tenant_id, percent
  on conflict do nothing
  returning tenant_id, threshold
)
select c.* from crossed c join told using (tenant_id, threshold) order by c.tenant_id, c.percent, c.threshold desc`;

/** Marks thresholds as told, which the caller tells in the same transaction. @returns those that nobody told before */
export async function takeCrossedThresholds(
  tx: Transaction,
  { month, nowMs, limit }: { readonly month: Period; readonly nowMs: number; readonly limit: number },
): Promise<readonly CrossedThreshold[]> {
  const values = [dayOf(month.startMs), dayOf(month.endMs), nowMs, limit];
  return (await tx.run<CrossedThreshold>(TAKE_CROSSED, values)).rows;
}

const FORGET_MONTHS = statement('usage_alerts_forget')`
delete from usage_alerts where tenant_id is not null and month_day < $1`;

/** What was told of months before this one is never asked for again. Over all tenants. */
export async function forgetEarlierAlerts(tx: Transaction, month: Period): Promise<void> {
  await tx.run(FORGET_MONTHS, [dayOf(month.startMs)]);
}

/** A wallet that has less than its plan's threshold, whose tenant was not told yet. */
export interface LowWallet {
  readonly tenantId: TenantId;
  readonly availableMicros: number;
  readonly thresholdMicros: number;
}

/** Wallets of all tenants that have enough again: the next time they run low is told anew. */
const FORGET_FILLED = statement('wallet_alerts_forget')`
delete from wallet_alerts a using tenants t ${PLAN_OF_TENANT}
  join wallets w on w.tenant_id = t.tenant_id
where a.tenant_id = t.tenant_id and (p.low_balance_micros is null or w.available_micros >= p.low_balance_micros)`;

const TAKE_LOW = statement('wallet_alerts_take')`
with low as materialized (
  select t.tenant_id, w.available_micros, p.low_balance_micros as threshold_micros
  from tenants t ${PLAN_OF_TENANT}
  join wallets w on w.tenant_id = t.tenant_id
  where w.available_micros < p.low_balance_micros
    and not exists (select 1 from wallet_alerts a where a.tenant_id = t.tenant_id)
  order by t.tenant_id
  limit $2
), told as (
  insert into wallet_alerts (tenant_id, told_ms) select tenant_id, $1 from low order by tenant_id
  on conflict do nothing
  returning tenant_id
)
select l.* from low l join told using (tenant_id) order by l.tenant_id`;

export async function forgetFilledWallets(tx: Transaction): Promise<void> {
  await tx.run(FORGET_FILLED, []);
}

/** Marks low wallets as told, which the caller tells in the same transaction. @returns those that nobody told before */
export async function takeLowWallets(
  tx: Transaction,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly LowWallet[]> {
  return (await tx.run<LowWallet>(TAKE_LOW, [nowMs, limit])).rows;
}
