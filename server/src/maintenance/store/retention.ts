import type { Database, SqlRunner, Statement } from '#database/database';

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
/** A leftover is replayed from its callback: without that it serves nobody. */
const OLD_LEFTOVERS: Statement = {
  name: 'retention_leftovers',
  text: `delete from callback_leftovers where (callback_id, item) in (
    select callback_id, item from callback_leftovers where recorded_ms < $1 limit ${BATCH})`,
};
const OLD_PARKED: Statement = {
  name: 'retention_parked',
  text: 'delete from parked_statuses where parked_ms < $1',
};

const OLD_EVENTS: Statement = {
  name: 'retention_events',
  text: `delete from event_pages where (tenant_id, last_seq) in (
    select tenant_id, last_seq from event_pages where recorded_ms < $1 limit ${BATCH})`,
};
const OLD_DELIVERIES: Statement = {
  name: 'retention_webhook_deliveries',
  text: `delete from webhook_deliveries where (tenant_id, delivery_id) in (
    select tenant_id, delivery_id from webhook_deliveries
    where created_ms < $1 and state <> 'pending' limit ${BATCH})`,
};
const OLD_DECISIONS: Statement = {
  name: 'retention_rule_decisions',
  text: `with gone as (
    delete from rule_decisions where (tenant_id, decision_id) in (
      select tenant_id, decision_id from rule_decisions where decided_ms < $1 limit ${BATCH})
    returning tenant_id, decision_id
  ), replies as (
    delete from rule_replies r using gone g where r.tenant_id = g.tenant_id and r.decision_id = g.decision_id
  )
  select count(*) as removed from gone`,
};

/** By the order of ids, which is that of time. */
const OLD_ASSIGNMENTS: Statement = {
  name: 'retention_assignment_log',
  text: `delete from assignment_log where (tenant_id, conversation_id, entry_id) in (
    select tenant_id, conversation_id, entry_id from assignment_log where entry_id < $1 order by entry_id limit ${BATCH})`,
};

/** Idempotency keys older than `beforeMs` go. @returns rows removed; call again while it is a full batch */
export async function removeOldIdempotencyKeys(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_KEYS, [beforeMs])).rowCount;
}

/** @param beforeId smallest id of the first millisecond that is kept */
export async function removeOldCallbacks(db: SqlRunner, beforeId: string): Promise<number> {
  return (await db.run(OLD_CALLBACKS, [beforeId])).rowCount;
}

/** @returns rows removed; call again while it is a full batch */
export async function removeOldUnhandledItems(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_LEFTOVERS, [beforeMs])).rowCount;
}

export async function removeOldParkedStatuses(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_PARKED, [beforeMs])).rowCount;
}

/** Pages of events recorded before `beforeMs` go, over all tenants. @returns pages removed */
export async function removeOldEvents(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_EVENTS, [beforeMs])).rowCount;
}

/** What was delivered or given up before `beforeMs` goes, over all tenants. @returns rows removed */
export async function removeOldDeliveries(db: SqlRunner, beforeMs: number): Promise<number> {
  return (await db.run(OLD_DELIVERIES, [beforeMs])).rowCount;
}

/** Decisions of assignment go. @param beforeId smallest id of the first millisecond that is kept */
export async function removeOldAssignments(db: SqlRunner, beforeId: string): Promise<number> {
  return (await db.run(OLD_ASSIGNMENTS, [beforeId])).rowCount;
}

/** Decisions of chatbot rules go with their replies. @returns decisions removed; call again while it is not 0 */
export async function removeOldRuleDecisions(db: SqlRunner, beforeMs: number): Promise<number> {
  const { rows } = await db.run<{ removed: number }>(OLD_DECISIONS, [beforeMs]);
  return Number(rows[0]?.removed ?? 0);
}

/** The small tables that every message passes through. */
export const QUEUE_TABLES: readonly string[] = [
  'send_queue',
  'callback_queue',
  'parked_statuses',
  'lane_owners',
  'usage_counters',
  'event_heads',
  'webhook_lanes',
  'conversation_counts',
  'agents',
  'assignment_reviews',
  'rule_queue',
  'rule_timers',
];
/** Tables that grow with every message and change little of what is old. */
export const GROWING_TABLES: readonly string[] = [
  'outbound_messages',
  'inbound_messages',
  'conversations',
  'conversation_events',
  'conversation_notes',
  'callbacks',
  'idempotency_keys',
  'media',
  'media_blobs',
  'media_uploads',
  'inbound_media',
  'resumable_uploads',
  'event_pages',
  'webhook_deliveries',
  'contacts',
  'contact_identities',
  'contact_terms',
  'contact_consents',
  'suppressions',
  'import_errors',
  'assignment_log',
  'rule_decisions',
  'rule_replies',
  'rule_runs',
  'rule_budgets',
];

/*
 * As autovacuum decides it, with its own default of a tenth. A sample of a large table takes a hundred times as long as a
 * vacuum that finds little to do, and the embedded database does nothing else meanwhile.
 */
const CHANGED_TABLES: Statement = {
  name: 'tables_changed_since_analyze',
  text: `
select relname as name from pg_stat_user_tables
where relname = any($1::text[]) and (last_analyze is null or n_mod_since_analyze > 250 + n_live_tup / 10)`,
};

/**
 * What autovacuum does on PostgreSQL and nobody does on PGlite: without it the queue bloats and recovery grows. Only tables of which
 * much has changed since are analyzed again.
 */
export async function vacuum(db: Database, tables: readonly string[]): Promise<void> {
  const { rows } = await db.run<{ name: string }>(CHANGED_TABLES, [tables]);
  const changed = new Set(rows.map(({ name }) => name));
  for (const table of tables) await vacuumTable(db, table, changed.has(table));
}

async function vacuumTable(db: Database, table: string, analyze: boolean): Promise<void> {
  const statement = analyze
    ? { name: `vacuum_analyze_${table}`, text: `vacuum (analyze) ${table}` }
    : { name: `vacuum_${table}`, text: `vacuum ${table}` };
  await db.run(statement, []);
}

export async function checkpoint(db: Database): Promise<void> {
  await db.run({ name: 'checkpoint', text: 'checkpoint' }, []);
}
