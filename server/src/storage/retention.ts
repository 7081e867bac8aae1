import type { Database, SqlRunner, Statement } from './database.ts';

/** Rows removed per statement: short transactions, so that nothing else waits. */
const BATCH = 5_000;

const OLD_KEYS: Statement = {
  name: 'retention_idempotency',
  text: `delete from idempotency_keys where (tenant_id, key_hash) in (
    select tenant_id, key_hash from idempotency_keys where created_ms < $1 limit ${BATCH})`,
};
const OLD_CALLBACKS: Statement = {
  name: 'retention_callbacks',
  text: `delete from callbacks where callback_id in (
    select c.callback_id from callbacks c
    where c.callback_id < $1 and not exists (select 1 from callback_queue q where q.callback_id = c.callback_id) limit ${BATCH})`,
};
const OLD_PARKED: Statement = {
  name: 'retention_parked',
  text: 'delete from parked_statuses where parked_ms < $1',
};

/** Idempotency keys older than `beforeMs` go. @returns rows removed; call again while it is a full batch */
export async function removeOldIdempotencyKeys(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_KEYS, [beforeMs])).rowCount;
}

/** @param beforeId smallest id of the first millisecond that is kept */
export async function removeOldCallbacks(db: SqlRunner, beforeId: string): Promise<number> {
  return (await db.run(OLD_CALLBACKS, [beforeId])).rowCount;
}

export async function removeOldParkedStatuses(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_PARKED, [beforeMs])).rowCount;
}

/** The small tables that every message passes through. */
export const QUEUE_TABLES: readonly string[] = [
  'send_queue',
  'callback_queue',
  'parked_statuses',
  'lanes',
  'usage_counters',
];
/** Tables that grow with every message and change little of what is old. */
export const GROWING_TABLES: readonly string[] = [
  'outbound_messages',
  'inbound_messages',
  'callbacks',
  'idempotency_keys',
  'media',
  'media_blobs',
  'media_uploads',
  'inbound_media',
  'resumable_uploads',
];

/** What autovacuum does on PostgreSQL and nobody does on PGlite: without it the queue bloats and recovery grows. */
export async function vacuum(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.run({ name: `vacuum_${table}`, text: `vacuum (analyze) ${table}` }, []);
}

export async function checkpoint(db: Database): Promise<void> {
  await db.run({ name: 'checkpoint', text: 'checkpoint' }, []);
}
