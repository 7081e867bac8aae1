import { type Database, type SqlRunner, statement } from '#database/database';
import { isHeldSql } from '#messages/store/callback-pages';

/** Rows removed per statement: short transactions, so that nothing else waits. */
const BATCH = 5_000;

const OLD_KEYS = statement('retention_idempotency')`delete from idempotency_keys where (tenant_id, key_hash) in (
    select tenant_id, key_hash from idempotency_keys where created_ms < $1 limit ${BATCH})`;
const OLD_CALLBACKS = statement('retention_callbacks')`delete from callbacks where callback_id in (
    select c.callback_id from callbacks c
    where c.callback_id < $1 and not exists (select 1 from callback_queue q where ${isHeldSql('q.callback_id')}) limit ${BATCH})`;
/** A leftover is replayed from its callback: without that it serves nobody. */
const OLD_LEFTOVERS = statement('retention_leftovers')`delete from callback_leftovers where (callback_id, item) in (
    select callback_id, item from callback_leftovers where recorded_ms < $1 limit ${BATCH})`;
const OLD_NOTICES = statement('retention_account_notices')`
delete from account_notices where (tenant_id, notice_id) in (
    select tenant_id, notice_id from account_notices where noted_ms < $1 limit ${BATCH})`;
const OLD_PARKED_CHANGES = statement('retention_parked_changes')`delete from parked_changes where parked_ms < $1`;
const OLD_PARKED = statement('retention_parked')`delete from parked_statuses where parked_ms < $1`;

const OLD_EVENTS = statement('retention_events')`delete from event_pages where (tenant_id, last_seq) in (
    select tenant_id, last_seq from event_pages where recorded_ms < $1 limit ${BATCH})`;
const OLD_DELIVERIES = statement('retention_webhook_deliveries')`
delete from webhook_deliveries where (tenant_id, delivery_id) in (
    select tenant_id, delivery_id from webhook_deliveries
    where created_ms < $1 and state <> 'pending' limit ${BATCH})`;
const OLD_DECISIONS = statement('retention_rule_decisions')`with gone as (
    delete from rule_decisions where (tenant_id, decision_id) in (
      select tenant_id, decision_id from rule_decisions where decided_ms < $1 limit ${BATCH})
    returning tenant_id, decision_id
  ), replies as (
    delete from rule_replies r using gone g where r.tenant_id = g.tenant_id and r.decision_id = g.decision_id
  )
  select count(*) as removed from gone`;

/** By the order of ids, which is that of time. */
const OLD_ASSIGNMENTS = statement('retention_assignment_log')`
delete from assignment_log where (tenant_id, conversation_id, entry_id) in (
    select tenant_id, conversation_id, entry_id from assignment_log where entry_id < $1 order by entry_id limit ${BATCH})`;

const OLD_SESSIONS = statement('retention_sessions')`delete from sessions where (tenant_id, session_id) in (
    select tenant_id, session_id from sessions where expires_ms < $1 or ended_ms < $1 limit ${BATCH})`;
const OLD_LINKS = statement('retention_sign_in_links')`delete from sign_in_links where link_hash in (
    select link_hash from sign_in_links where expires_ms < $1 limit ${BATCH})`;
const OLD_ATTEMPTS = statement('retention_sign_in_attempts')`delete from sign_in_attempts where subject in (
    select subject from sign_in_attempts where ends_ms < $1 limit ${BATCH})`;
const OLD_CHALLENGES = statement('retention_passkey_challenges')`
delete from passkey_challenges where challenge_hash in (
    select challenge_hash from passkey_challenges where expires_ms < $1 limit ${BATCH})`;
const OLD_SSO_STATES = statement('retention_sso_states')`
delete from sso_states where (tenant_id, state_hash) in (
    select tenant_id, state_hash from sso_states where expires_ms < $1 limit ${BATCH})`;
/** As old as no session gets. */
const OLD_SSO_SESSIONS = statement('retention_sso_sessions')`
delete from sso_sessions where (tenant_id, session_id) in (
    select tenant_id, session_id from sso_sessions where created_ms < $1 limit ${BATCH})`;
/** Those of people who are gone. */
const LOST_PASSKEYS = statement('retention_passkeys')`delete from passkeys where passkey_id in (
    select p.passkey_id from passkeys p
    where p.created_ms < $1 and not exists (select 1 from users u where u.user_id = p.user_id) limit ${BATCH})`;
/** People who are no agent any more, since their agents or tenants were deleted. */
const GONE_USERS = statement('retention_users')`delete from users where user_id in (
    select u.user_id from users u
    where u.updated_ms < $1 and not exists (select 1 from agents a where a.user_id = u.user_id) limit ${BATCH})`;

const OLD_NOTIFICATIONS = statement('retention_notifications')`
delete from notifications where (tenant_id, notification_id) in (
    select tenant_id, notification_id from notifications where created_ms < $1 limit ${BATCH})`;

const OLD_SUGGESTIONS = statement('retention_suggestions')`
delete from conversation_suggestions where (tenant_id, suggestion_id) in (
    select tenant_id, suggestion_id from conversation_suggestions where expires_ms < $1 limit ${BATCH})`;

const OLD_BULK_ITEMS = statement('retention_bulk_items')`
delete from bulk_change_items where (tenant_id, bulk_change_id, place) in (
    select i.tenant_id, i.bulk_change_id, i.place from bulk_changes b
    join bulk_change_items i on i.tenant_id = b.tenant_id and i.bulk_change_id = b.bulk_change_id
    where b.finished_ms < $1 limit ${BATCH})`;
/** After their items: without it, those could not be found by their age. */
const OLD_BULK_CHANGES = statement('retention_bulk_changes')`
delete from bulk_changes where (tenant_id, bulk_change_id) in (
    select b.tenant_id, b.bulk_change_id from bulk_changes b
    where b.finished_ms < $1 and not exists (
      select 1 from bulk_change_items i where i.tenant_id = b.tenant_id and i.bulk_change_id = b.bulk_change_id)
    limit ${BATCH})`;

/** Those of browsers whose sessions have ended. */
const LOST_SUBSCRIPTIONS = statement('retention_push_subscriptions')`
delete from push_subscriptions where (tenant_id, subscription_id) in (
    select p.tenant_id, p.subscription_id from push_subscriptions p
    where not exists (
      select 1 from sessions s where s.tenant_id = p.tenant_id and s.session_id = p.session_id
        and s.ended_ms is null and s.expires_ms > $1 and s.last_used_ms + s.idle_ms > $1)
    limit ${BATCH})`;

/** What goes by its age alone, over all tenants. Of those with ids, the smallest id of the first millisecond that is kept says the age. */
const OLD = {
  idempotencyKeys: OLD_KEYS,
  callbacks: OLD_CALLBACKS,
  leftovers: OLD_LEFTOVERS,
  parkedStatuses: OLD_PARKED,
  parkedChanges: OLD_PARKED_CHANGES,
  accountNotices: OLD_NOTICES,
  eventPages: OLD_EVENTS,
  webhookDeliveries: OLD_DELIVERIES,
  assignments: OLD_ASSIGNMENTS,
  sessions: OLD_SESSIONS,
  signInLinks: OLD_LINKS,
  signInAttempts: OLD_ATTEMPTS,
  passkeyChallenges: OLD_CHALLENGES,
  ssoStates: OLD_SSO_STATES,
  ssoSessions: OLD_SSO_SESSIONS,
  users: GONE_USERS,
  passkeys: LOST_PASSKEYS,
  notifications: OLD_NOTIFICATIONS,
  suggestions: OLD_SUGGESTIONS,
  bulkItems: OLD_BULK_ITEMS,
  bulkChanges: OLD_BULK_CHANGES,
  pushSubscriptions: LOST_SUBSCRIPTIONS,
} as const;

/** @param before in milliseconds, or an id for callbacks and assignments. @returns rows removed; call again while it is a full batch */
export async function removeOld(db: SqlRunner, kind: keyof typeof OLD, before: number | string): Promise<number> {
  return (await db.run(OLD[kind], [before])).rowCount;
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
  'parked_changes',
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
  'conversation_drafts',
  'conversation_suggestions',
  'notifications',
  'push_subscriptions',
  'push_queue',
  'conversation_views',
  'bulk_change_items',
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
  'network_blocks',
  'import_errors',
  'assignment_log',
  'rule_decisions',
  'rule_replies',
  'rule_runs',
  'rule_budgets',
  'search_documents',
];

/*
 * As autovacuum decides it, with its own default of a tenth. A sample of a large table takes a hundred times as long as a
 * vacuum that finds little to do, and the embedded database does nothing else meanwhile.
 */
const CHANGED_TABLES = statement('tables_changed_since_analyze')`
select relname as name from pg_stat_user_tables
where relname = any($1::text[]) and (last_analyze is null or n_mod_since_analyze > 250 + n_live_tup / 10)`;

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
