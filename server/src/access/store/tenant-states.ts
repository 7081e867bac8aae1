import { refusalOf, type TenantCondition, type TenantState } from '#access/domain/tenant-state';
import type { TenantRefusal } from '#core/caller/principal';
import type { TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/**
 * Tenants of whom nothing may leave, as an array: a worker's claim over all tenants leaves their rows where they are.
 * Evaluated once per statement.
 */
export const INACTIVE_TENANTS = `array(
  select s.tenant_id from tenants s where s.state <> 'active' union all select f.tenant_id from tenants f where f.fence is not null)`;

/**
 * Whether one of the tenants of a parameter, an array, is being copied here or has left: rows that are missing prove nothing, and what is
 * written may be dropped.
 */
export const isAnyFenced = (tenantIds: string): string =>
  `exists (select from tenants f where f.tenant_id = any(${tenantIds}::uuid[]) and f.fence in ('refuse', 'skip'))`;

const TENANT_MOVE = statement('tenant_move')`
update tenants set state = $2, state_reason = $3, state_ms = $4
where tenant_id = $1 and state = any($5::text[])
returning tenant_id`;

export interface TenantStateChange {
  readonly tenantId: TenantId;
  readonly from: readonly TenantState[];
  readonly to: TenantState;
  readonly reason: string | null;
  readonly nowMs: number;
}

/** @returns false when the tenant is in none of the states, or is not there */
export async function changeTenantState(
  tx: Transaction,
  { tenantId, from, to, reason, nowMs }: TenantStateChange,
): Promise<boolean> {
  return (await tx.run(TENANT_MOVE, [tenantId, to, reason, nowMs, from])).rowCount > 0;
}

const TENANT_FIND_STATE = statement('tenant_find_state')`
select state, state_reason, fence from tenants where tenant_id = $1`;

/** Why nothing of a tenant is answered; null while it is active, or when there is no such tenant. */
export async function findTenantRefusal(db: SqlRunner, tenantId: TenantId): Promise<TenantRefusal | null> {
  const { rows } = await db.run<TenantCondition>(TENANT_FIND_STATE, [tenantId]);
  return rows[0] === undefined ? null : refusalOf(rows[0]);
}
