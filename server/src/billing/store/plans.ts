import type { Plan } from '#billing/domain/subscription';
import type { TenantId } from '#core/ids';
import type { Database, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';

/** All plans, by id. */
export async function listPlans(db: Pick<Database, 'kysely'>): Promise<readonly Plan[]> {
  return (await db.kysely.selectFrom('plans').selectAll().orderBy('plan_id').execute()).map(toPlan);
}

export async function findPlan(db: Pick<Database, 'kysely'>, planId: string): Promise<Plan | null> {
  const row = await db.kysely.selectFrom('plans').selectAll().where('plan_id', '=', planId).executeTakeFirst();
  return row ? toPlan(row) : null;
}

const SAVE_PLAN: Statement = {
  name: 'plan_save',
  text: `
insert into plans (
  plan_id, name, price_minor_units, currency, billing_interval, fair_use_messages, fair_use_enforcement,
  fair_use_warning_percent, media_bytes, grace_days, low_balance_micros, is_default,
  created_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict (plan_id) do update set
  name = excluded.name, price_minor_units = excluded.price_minor_units, currency = excluded.currency,
  billing_interval = excluded.billing_interval, fair_use_messages = excluded.fair_use_messages,
  fair_use_enforcement = excluded.fair_use_enforcement, fair_use_warning_percent = excluded.fair_use_warning_percent,
  media_bytes = excluded.media_bytes, grace_days = excluded.grace_days, low_balance_micros = excluded.low_balance_micros,
  is_default = excluded.is_default`,
};

const DROP_DEFAULT: Statement = {
  name: 'plan_drop_default',
  text: 'update plans set is_default = null where is_default and plan_id <> $1',
};

/** Makes a plan or replaces the one with its id. One that becomes the default takes that from the one before. */
export async function savePlan(tx: Transaction, plan: Plan, nowMs: number): Promise<void> {
  if (plan.isDefault) await tx.run(DROP_DEFAULT, [plan.planId]);
  await tx.run(SAVE_PLAN, [
    plan.planId,
    plan.name,
    plan.priceMinorUnits,
    plan.currency,
    plan.interval,
    plan.fairUseMessages,
    plan.fairUseEnforcement,
    plan.fairUseWarningPercent,
    plan.mediaBytes,
    plan.graceDays,
    plan.lowBalanceMicros,
    plan.isDefault ? true : null,
    nowMs,
  ]);
}

/** Of all tenants: a plan is everybody's who has it. Those without a subscription of their own have the default plan. */
const LIST_PLAN_TENANTS: Statement = {
  name: 'plan_tenants',
  text: `
select t.tenant_id
from tenants t
left join subscriptions s on s.tenant_id = t.tenant_id
where coalesce(s.plan_id, (select p.plan_id from plans p where p.is_default)) = $1
order by t.tenant_id`,
};

export async function listPlanTenants(tx: Transaction, planId: string): Promise<readonly TenantId[]> {
  const { rows } = await tx.run<{ readonly tenant_id: TenantId }>(LIST_PLAN_TENANTS, [planId]);
  return rows.map((row) => row.tenant_id);
}

/** A row of `plans`, alone or joined. */
export function toPlan(row: Schema['plans']): Plan {
  return {
    planId: row.plan_id,
    name: row.name,
    priceMinorUnits: row.price_minor_units,
    currency: row.currency,
    interval: row.billing_interval,
    fairUseMessages: row.fair_use_messages,
    fairUseEnforcement: row.fair_use_enforcement,
    fairUseWarningPercent: row.fair_use_warning_percent,
    mediaBytes: row.media_bytes,
    graceDays: row.grace_days,
    lowBalanceMicros: row.low_balance_micros,
    isDefault: row.is_default === true,
  };
}
