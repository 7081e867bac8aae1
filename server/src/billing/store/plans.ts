import type { Plan } from '#billing/domain/subscription';
import type { TenantId } from '#core/ids';
import { type Database, statement, type Transaction } from '#database/database';

/** All plans, by id. */
export async function listPlans(db: Pick<Database, 'kysely'>): Promise<readonly Plan[]> {
  return (await db.kysely.selectFrom('plans').selectAll().orderBy('planId').execute()).map(toPlan);
}

export async function findPlan(db: Pick<Database, 'kysely'>, planId: string): Promise<Plan | null> {
  const row = await db.kysely.selectFrom('plans').selectAll().where('planId', '=', planId).executeTakeFirst();
  return row ? toPlan(row) : null;
}

const SAVE_PLAN = statement('plan_save')`
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
  is_default = excluded.is_default`;

const DROP_DEFAULT = statement('plan_drop_default')`
update plans set is_default = null where is_default and plan_id <> $1`;

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
const LIST_PLAN_TENANTS = statement('plan_tenants')`
select t.tenant_id
from tenants t
left join subscriptions s on s.tenant_id = t.tenant_id
where coalesce(s.plan_id, (select p.plan_id from plans p where p.is_default)) = $1
order by t.tenant_id`;

export async function listPlanTenants(tx: Transaction, planId: string): Promise<readonly TenantId[]> {
  const { rows } = await tx.run<{ readonly tenantId: TenantId }>(LIST_PLAN_TENANTS, [planId]);
  return rows.map((row) => row.tenantId);
}

interface PlanTable extends Omit<Plan, 'interval' | 'isDefault'> {
  readonly billingInterval: Plan['interval'];
  readonly isDefault: true | null;
  readonly createdMs: number;
}

declare module '#database/schema' {
  interface Schema {
    plans: PlanTable;
  }
}

/** A row of `plans`. */
export function toPlan({ billingInterval: interval, isDefault, createdMs: _, ...row }: PlanTable): Plan {
  return { ...row, interval, isDefault: isDefault === true };
}
