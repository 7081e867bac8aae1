import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import { type DeadLetter, listDeadLetters } from '#messages/store/dead-letters';
import { countHeld, type HeldMessages } from '#messages/store/held-messages';
import type { Runtime } from '#runtime/runtime';

/* What the operator reads of tenants' data leaves an entry in their audit logs before it is shown. */

/** The newest failed messages of a tenant, with their recipients. */
export async function readDeadLetters(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  limit: number,
): Promise<readonly DeadLetter[]> {
  const letters = await listDeadLetters(db, tenantId, limit);
  await auditReads(rt, db, [tenantId], { list: 'dead_letters', count: letters.length });
  return letters;
}

/** How many messages of each tenant are held since the database was restored. */
export async function readHeld(rt: Runtime, db: Database): Promise<readonly HeldMessages[]> {
  const held = await countHeld(db, rt.clock.now());
  const tenantIds = held.map(({ tenantId }) => tenantId);
  await auditReads(rt, db, tenantIds, { list: 'held' });
  return held;
}

function auditReads(rt: Runtime, db: Database, tenantIds: readonly TenantId[], details: JsonObject): Promise<void> {
  return db.transaction(async (tx) => {
    for (const tenantId of tenantIds) {
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'operator.read', targetId: tenantId, details });
    }
  });
}
