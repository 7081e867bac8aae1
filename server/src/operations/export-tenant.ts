import { OPERATOR } from '#core/audit';
import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { beginSnapshot, EXPORTED_TABLES, readTenantRows } from '#storage/export-tenant';
import { audit } from './audit.ts';

export { EXPORTED_TABLES, UNEXPORTED_TABLES } from '#storage/export-tenant';

/** Takes the rows of a table, each as a line of JSON, in portions. */
export type WriteTable = (table: string, portions: AsyncIterable<readonly string[]>) => Promise<void>;

/**
 * Reads what a tenant has as it is at one moment, table by table, with flat memory. Its audit log has the export before anything is
 * read. On the embedded database everything else waits meanwhile.
 */
export async function exportTenant(rt: Runtime, db: Database, tenantId: TenantId, write: WriteTable): Promise<void> {
  await db.transaction((tx) =>
    audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.exported', targetId: tenantId, details: {} }),
  );
  await db.transaction(async (tx) => {
    await beginSnapshot(tx);
    for (const table of Object.keys(EXPORTED_TABLES)) await write(table, readTenantRows(tx, tenantId, table));
  });
}
