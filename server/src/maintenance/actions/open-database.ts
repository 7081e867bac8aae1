import { forgetOwners } from '#accounts/store/lane-owners';
import { forgetLinkRuns } from '#accounts/store/linked-accounts';
import type { Database, OpenDatabase } from '#database/database';
import type { Migration } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { openPglite } from '#database/pglite';
import { openPostgres } from '#database/postgres';
import { findReplicationGap, findUnsafeSettings } from '#database/server-settings';
import { findPooler } from '#database/shared-sessions';
import { type Config, ConfigError } from '#runtime/config';
import type { Runtime } from '#runtime/runtime';
import { followClock } from './follow-clock.ts';

/**
 * Opens the database that the settings name: PostgreSQL with DATABASE_URL, else the embedded one in the data folder. From then on
 * the time of this process is the database's.
 * @param schema the schema of PostgreSQL to work in; null: as the server resolves names
 * @throws ConfigError when DATABASE_URL leads to a pooler that shares sessions
 */
export async function openDatabase(rt: Runtime, schema: string | null = null): Promise<OpenDatabase> {
  const db = await open(rt, schema);
  try {
    if (db.kind === 'postgres') await requireOwnSessions(db);
    await followClock(rt, db);
    return db;
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

async function open(rt: Runtime, schema: string | null): Promise<OpenDatabase> {
  const { databaseUrl, databasePool, dataDir }: Config = rt.config;
  if (databaseUrl !== '') return openPostgres({ url: databaseUrl, poolSize: databasePool, log: rt.log, schema });
  return openPglite(dataDir);
}

const POOLED = {
  transactions: 'gives its connections to one transaction after the other',
  settings: 'does not pass on the session settings of its clients',
} as const;

/** Locks, notifications, session settings and prepared statements belong to a session: with a shared one they fail under load. */
async function requireOwnSessions(db: OpenDatabase): Promise<void> {
  const pooler = await findPooler(db);
  if (pooler !== null)
    throw new ConfigError(
      `DATABASE_URL leads to a connection pooler that ${POOLED[pooler]}. Connect to PostgreSQL directly, or set pool_mode = session and let "options" pass.`,
    );
}

/** Migrates the schema and checks whether the server can keep its promise. @returns migrations applied now */
export async function prepareDatabase(
  rt: Runtime,
  db: OpenDatabase,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied = await migrate(db, migrations, { nowMs: rt.clock.now(), clock: rt.clock, log: rt.log });
  if (db.kind === 'postgres') await warnUnsafeServer(rt, db);
  else await forgetProcesses(db);
  return applied;
}

/** The embedded database allows one process: any work of an earlier one is over. */
async function forgetProcesses(db: Database): Promise<void> {
  await forgetOwners(db, 'number');
  await forgetOwners(db, 'endpoint');
  await forgetLinkRuns(db);
}

/** Opens what the process will need, so that a limit of the server shows now and not under load. */
export async function openConnections(rt: Runtime, db: OpenDatabase): Promise<void> {
  const { wanted, granted } = await db.openConnections();
  if (granted === wanted) return;
  rt.log.warn(
    { wanted, granted },
    `storage.few_connections: PostgreSQL gives this process ${granted} of ${wanted} connections: raise its max_connections, or lower MESSAGING_DATABASE_POOL.`,
  );
}

/** A server that does not write through loses acknowledged messages in a power cut: the operator must know. */
async function warnUnsafeServer(rt: Runtime, db: Database): Promise<void> {
  for (const setting of await findUnsafeSettings(db)) {
    rt.log.warn(
      { setting },
      `storage.unsafe_setting: PostgreSQL runs with ${setting}=off: a power cut can lose messages that were answered with 202. Switch it on.`,
    );
  }
  const gap = await findReplicationGap(db);
  if (gap === 'asynchronous')
    rt.log.warn(
      {},
      'replication.asynchronous: no commit waits for a replica, so that a failover can lose messages that were answered with 202. Set synchronous_standby_names.',
    );
  if (gap === 'absent')
    rt.log.warn(
      {},
      'replication.absent: synchronous_standby_names is set and no such replica is connected: commits wait for one.',
    );
}
