import { type SqlRunner, statement } from './database.ts';

/** Any constant: serialises processes that make the first tenant of one installation at the same time. */
const BOOTSTRAP_LOCK = 723_002;

/** Waits for the lock and holds it until the transaction ends. */
export async function lockBootstrap(tx: SqlRunner): Promise<void> {
  await tx.run({ name: 'bootstrap_lock', text: 'select pg_advisory_xact_lock($1)' }, [BOOTSTRAP_LOCK]);
}

const SAFETY = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

const REPLICATION = statement('server_replication')`
select current_setting('synchronous_standby_names') <> '' as is_named, count(*)::int as replicas,
  count(*) filter (where sync_state in ('sync', 'quorum'))::int as synchronous
from pg_stat_replication`;

/**
 * What a failover would cost: `asynchronous` when there are replicas that no commit waits for, `absent` when commits wait for replicas
 * of which none is connected; null when all is well. Receivers of the log that are no replicas count too: they look the same.
 */
export async function findReplicationGap(db: SqlRunner): Promise<'asynchronous' | 'absent' | null> {
  const { rows } = await db.run<{ isNamed: boolean; replicas: number; synchronous: number }>(REPLICATION, []);
  const { isNamed = false, replicas = 0, synchronous = 0 } = rows[0] ?? {};
  if (isNamed) return synchronous === 0 ? 'absent' : null;
  return replicas > 0 ? 'asynchronous' : null;
}

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
