import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import { beginSnapshot, EXPORTED_TABLES, readTenantRows, UNEXPORTED_TABLES } from '#maintenance/store/export-tenant';
import type { Runtime } from '#runtime/runtime';

/** Takes the rows of a table, each as a line of JSON, in portions. */
export type WriteTable = (table: string, portions: AsyncIterable<readonly string[]>) => Promise<void>;

/**
 * Reads what a tenant has, table by table, with flat memory: on PostgreSQL as it is at one moment; on the embedded database, where a
 * transaction would hold everything else up, each portion of rows as it is when its turn comes. Its audit log has the export before
 * anything is read.
 */
export async function exportTenant(rt: Runtime, db: Database, tenantId: TenantId, write: WriteTable): Promise<void> {
  await db.transaction((tx) =>
    audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.exported', targetId: tenantId, details: {} }),
  );
  const read = async (runner: SqlRunner): Promise<void> => {
    for (const table of Object.keys(EXPORTED_TABLES)) await write(table, readTenantRows(runner, tenantId, table));
  };
  if (!showsOneMoment(db)) return read(db);
  await db.transaction(async (tx) => {
    await beginSnapshot(tx);
    await read(tx);
  });
}

/** Whether an export shows one moment. */
export function showsOneMoment({ kind }: Pick<Database, 'kind'>): boolean {
  return kind === 'postgres';
}

/** Every table with rows of tenants, in any order. */
export function tablesOfTenant(): readonly string[] {
  return [...Object.keys(EXPORTED_TABLES), ...Object.keys(UNEXPORTED_TABLES)];
}
