import type { TenantFence } from '#access/domain/tenant-state';
import {
  clearFence,
  dropTriggers,
  type FenceChange,
  fencedSchema,
  makeFenceFunction,
  putTenantRow,
  putTriggers,
  readTenantRow,
  setFence,
  takeFence,
} from '#cells/store/fence';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner, Transaction } from '#database/database';
import { isLockFailure } from '#database/pg-errors';

/** Puts the fence around the rows of a tenant, open. */
export async function placeFence(db: Database, tenantId: TenantId, tables: readonly string[]): Promise<void> {
  const schema = await fencedSchema(db);
  await db.transaction((tx) => makeFenceFunction(tx, schema));
  await patiently(() => putTriggers(db, { schema, tables, tenantId }));
}

/** Takes the fence away. Whatever of it is there already, or no longer, does not matter. */
export async function removeFence(db: Database, tenantId: TenantId, tables: readonly string[]): Promise<void> {
  const schema = await fencedSchema(db);
  await patiently(() => dropTriggers(db, { schema, tables, tenantId }));
}

/** How often a lock that is not granted soon is tried for again. */
const LOCK_TRIES = 30;

async function patiently(work: () => Promise<void>): Promise<void> {
  for (let triesLeft = LOCK_TRIES - 1; ; triesLeft -= 1) {
    try {
      return await work();
    } catch (error) {
      if (triesLeft === 0 || !isLockFailure(error)) throw error;
    }
  }
}

/**
 * Closes the fence further, in a transaction of its own. Afterwards all that was being written of the tenant is committed or undone.
 * @returns false when it is not as `from` says, or somebody else's
 */
export async function closeFence(db: Database, tenantId: TenantId, change: FenceChange): Promise<boolean> {
  return alone(db, tenantId, (tx) => setFence(tx, tenantId, change));
}

/** Opens the fence that somebody has closed. @returns false when it is not theirs, or open */
export async function openFence(db: Database, tenantId: TenantId, by: string): Promise<boolean> {
  return alone(db, tenantId, (tx) => clearFence(tx, tenantId, by));
}

/** Copies the row of the tenant itself, with a fence around it there. */
export async function copyTenantRow(
  from: SqlRunner,
  to: Database,
  copy: { readonly tenantId: TenantId; readonly fence: TenantFence; readonly by: string },
): Promise<void> {
  const { tenantId } = copy;
  const line = await readTenantRow(from, copy);
  if (line !== null) await alone(to, tenantId, (tx) => putTenantRow(tx, tenantId, line));
}

function alone<T>(db: Database, tenantId: TenantId, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await takeFence(tx, tenantId);
    return work(tx);
  });
}
