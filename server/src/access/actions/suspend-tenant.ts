import { OPERATOR } from '#access/domain/audit';
import { changeTenantState } from '#access/store/tenant-states';
import type { TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { audit } from './audit.ts';

const MAX_REASON = 500;

/**
 * Stops a tenant everywhere within 2 s: its keys are refused with the reason, and nothing of it leaves. What waits keeps
 * its place and its validity; callbacks are still stored.
 * @throws OperatorError when it is not active
 */
export async function suspendTenant(
  rt: Runtime,
  db: Database,
  { tenantId, reason }: { readonly tenantId: TenantId; readonly reason: string | null },
): Promise<void> {
  if (reason !== null && reason.length > MAX_REASON)
    throw new OperatorError(`A reason has at most ${MAX_REASON} characters.`);
  await db.transaction(async (tx) => {
    const move = { tenantId, from: ['active'], to: 'suspended', reason, nowMs: rt.clock.now() } as const;
    if (!(await changeTenantState(tx, move))) throw new OperatorError('The tenant is not active.');
    const details = { reason };
    await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.suspended', targetId: tenantId, details });
  });
}

/**
 * Resumes a suspended tenant: what waits and is still valid leaves.
 * @throws OperatorError when it is not suspended
 */
export async function resumeTenant(rt: Runtime, db: Database, tenantId: TenantId): Promise<void> {
  await db.transaction(async (tx) => {
    const move = { tenantId, from: ['suspended'], to: 'active', reason: null, nowMs: rt.clock.now() } as const;
    if (!(await changeTenantState(tx, move))) throw new OperatorError('The tenant is not suspended.');
    await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.resumed', targetId: tenantId, details: {} });
  });
}
