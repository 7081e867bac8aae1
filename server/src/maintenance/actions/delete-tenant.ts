import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import { changeTenantState } from '#access/store/tenant-states';
import { findTenant } from '#access/store/tenants';
import type { TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import {
  type Deletion,
  EMPTIED_TABLES,
  findDeletion,
  finishDeletion,
  insertDeletion,
  listUnfinishedDeletions,
  loosenTenantBlobs,
  removeTenantRows,
} from '#maintenance/store/delete-tenant';
import type { Runtime } from '#runtime/runtime';

/** Until then every process knows that the tenant is being deleted, and what was under way has ended. */
export const SETTLE_MS = 60_000;
/** Batches of one table in one step, so that a step stays short. */
const MAX_BATCHES = 20;

/**
 * Begins to delete a tenant permanently: from now on it is refused and nothing of it leaves. Housekeeping removes its
 * rows and bytes step by step; a repeated call reports the progress.
 * @param confirm the name of the tenant, so that another one is not deleted by mistake
 * @throws OperatorError when it is another name, or the tenant does not exist
 */
export async function beginDeletion(
  rt: Runtime,
  db: Database,
  { tenantId, confirm }: { readonly tenantId: TenantId; readonly confirm: string },
): Promise<Deletion> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) throw new OperatorError('The tenant does not exist.');
  if (tenant.name !== confirm) throw new OperatorError(`The tenant is called "${tenant.name}": confirm that name.`);
  await db.transaction(async (tx) => {
    const nowMs = rt.clock.now();
    const move = { tenantId, from: ['active', 'suspended'], to: 'deleting', reason: null, nowMs } as const;
    if (!(await changeTenantState(tx, move))) return;
    await insertDeletion(tx, tenantId, nowMs);
    await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.deleted', targetId: tenantId, details: {} });
  });
  const deletion = await findDeletion(db, tenantId);
  if (deletion === null) throw new OperatorError('The tenant does not exist.');
  return deletion;
}

/**
 * One step of every deletion that is not finished. Each batch commits separately, and what is gone is not searched
 * again: killed anywhere, the next step continues.
 * @returns rows removed; 0 when there is nothing to do, or only to wait
 */
export async function deleteTenants(rt: Runtime, db: Database): Promise<number> {
  let removed = 0;
  for (const deletion of await listUnfinishedDeletions(db)) removed += await deleteStep(rt, db, deletion);
  return removed;
}

async function deleteStep(rt: Runtime, db: Database, { tenantId, startedMs }: Deletion): Promise<number> {
  let removed = 0;
  for (const table of EMPTIED_TABLES) removed += await emptyTable(db, tenantId, table);
  const blobs = await loosenTenantBlobs(db, tenantId);
  const isOver = removed === 0 && blobs === 0 && rt.clock.now() - startedMs >= SETTLE_MS;
  if (isOver) {
    await finishDeletion(db, tenantId, rt.clock.now());
    rt.log.info({ tenantId }, 'tenant.deleted');
  }
  return removed;
}

async function emptyTable(db: Database, tenantId: TenantId, table: string): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await removeTenantRows(db, tenantId, table);
    if (rows === 0) break;
    removed += rows;
  }
  return removed;
}
