import type { SqlRunner } from './database.ts';

/** Any constant: serialises processes that make the first tenant of one installation at the same time. */
const BOOTSTRAP_LOCK = 723_002;

/** Waits for the lock and holds it until the transaction ends. */
export async function lockBootstrap(tx: SqlRunner): Promise<void> {
  await tx.run({ name: 'bootstrap_lock', text: 'select pg_advisory_xact_lock($1)' }, [BOOTSTRAP_LOCK]);
}

const SAFETY = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** Settings of the PostgreSQL server with which a power cut can lose what was acknowledged; empty when all is well. */
export async function findUnsafeSettings(db: SqlRunner): Promise<readonly string[]> {
  const unsafe: string[] = [];
  for (const name of SAFETY) {
    const { rows } = await db.run<{ value: string }>(
      { name: 'server_setting', text: 'select current_setting($1) as value' },
      [name],
    );
    if (rows[0]?.value === 'off') unsafe.push(name);
  }
  return unsafe;
}
