import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

/** What stays of a deleted tenant, and why. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  audit_log: 'The proof of who did what, and of the deletion itself.',
  audit_seals: 'The chain that shows that nothing of the audit log was changed.',
  audit_unsealed: 'Entries of the audit log that are about to join the chain.',
  audit_heads: 'The ends of these chains.',
  wallets: 'Books: what was paid has to be kept for years.',
  wallet_transfers: 'Books: what was paid has to be kept for years.',
  wallet_topups: 'Books: what was paid has to be kept for years.',
  deleted_tenants: 'The tombstone.',
};

/** Removed in steps of their own: bytes go before the row of a blob, and the tenant goes last. */
export const LAST_TABLES: readonly string[] = ['media_blobs', 'tenants'];

/** Emptied in this order: first what lets somebody or something in, then what is large. */
export const EMPTIED_TABLES: readonly string[] = [
  ...[
    'api_keys',
    'sessions',
    'push_subscriptions',
    'push_queue',
    'sso_connections',
    'sso_sessions',
    'sso_states',
    'user_identities',
    'number_directory',
    'send_queue',
    'webhook_endpoints',
    'webhook_lanes',
    'lane_owners',
    'phone_numbers',
  ],
  'number_statuses',
  ...['linked_accounts', 'link_states', 'rule_queue', 'rule_timers', 'rule_replies', 'rule_decisions', 'rule_runs'],
  ...['rule_budgets', 'rule_sets', 'chatbot_rules'],
  ...['campaign_recipients', 'campaigns', 'import_errors', 'imports', 'inbound_media', 'media_uploads', 'media'],
  ...[
    'resumable_uploads',
    'dead_letters',
    'parked_statuses',
    'parked_changes',
    'account_notices',
    'outbound_messages',
    'inbound_messages',
  ],
  ...['webhook_deliveries', 'event_pages', 'event_heads', 'idempotency_keys', 'conversation_notes'],
  ...['conversation_drafts', 'conversation_suggestions'],
  ...['notifications', 'notification_cursors'],
  'conversation_views',
  ...['bulk_change_items', 'bulk_changes'],
  ...['conversation_events', 'conversation_counts', 'conversation_numbers', 'conversations', 'assignment_log'],
  ...['assignment_reviews', 'contact_consents', 'contact_erasures', 'contact_identities', 'contact_merges'],
  ...[
    'network_blocks',
    'contact_terms',
    'contacts',
    'contact_attributes',
    'suppressions',
    'suppression_heads',
    'segments',
  ],
  ...['canned_replies', 'template_accounts', 'template_books', 'template_history', 'template_versions', 'templates'],
  ...['agents', 'team_members', 'teams', 'business_hours', 'analytics_conversation_days', 'analytics_conversations'],
  ...['analytics_cursors', 'analytics_durations', 'analytics_message_days', 'analytics_messages', 'subscriptions'],
  ...['usage_alerts', 'usage_counters', 'wallet_alerts', 'wallet_holds', 'search_documents', 'search_portions'],
  'search_cursors',
];

/** Rows of one statement: short enough that nobody waits for it. */
const BATCH = 1_000;

/**
 * Removes rows and counts them in the tombstone in one statement: killed at any time, the count says what was removed.
 * @param table one of EMPTIED_TABLES
 * @returns rows removed; call again while there are any
 */
export async function removeTenantRows(db: SqlRunner, tenantId: TenantId, table: string): Promise<number> {
  const text = `
with gone as (
  delete from ${table} where tenant_id = $1 and ctid = any(array(select ctid from ${table} where tenant_id = $1 limit ${BATCH}))
  returning 1),
counted as (select count(*)::integer as rows from gone)
update deleted_tenants
set removed = removed || jsonb_build_object('${table}', coalesce((removed ->> '${table}')::bigint, 0) + counted.rows)
from counted where tenant_id = $1 and counted.rows > 0
returning counted.rows`;
  const { rows } = await db.run<{ rows: number }>({ name: `tenant_remove_${table}`, text }, [tenantId]);
  return rows[0]?.rows ?? 0;
}

const LOOSEN_BLOBS = statement('tenant_loosen_blobs')`
update media_blobs set loose_ms = 0 where tenant_id = $1 and loose_ms is distinct from 0`;
const COUNT_BLOBS = statement('tenant_count_blobs')`
select count(*)::integer as blobs from media_blobs where tenant_id = $1`;

/** Hands the bytes of a tenant to the sweep of loose blobs. @returns how many blobs still have theirs */
export async function loosenTenantBlobs(db: SqlRunner, tenantId: TenantId): Promise<number> {
  await db.run(LOOSEN_BLOBS, [tenantId]);
  return (await db.run<{ blobs: number }>(COUNT_BLOBS, [tenantId])).rows[0]?.blobs ?? 0;
}

/** A tenant that is being removed, or was. */
export interface Deletion {
  readonly tenantId: TenantId;
  readonly startedMs: number;
  readonly finishedMs: number | null;
  /** Rows removed so far, by table. */
  readonly removed: JsonObject;
}

const TENANT_DELETION_BEGIN = statement('tenant_deletion_begin')`
insert into deleted_tenants (tenant_id, started_ms) values ($1, $2)`;

export async function insertDeletion(tx: Transaction, tenantId: TenantId, nowMs: number): Promise<void> {
  await tx.run(TENANT_DELETION_BEGIN, [tenantId, nowMs]);
}

const TENANT_DELETION_FIND = statement('tenant_deletion_find')`select * from deleted_tenants where tenant_id = $1`;

export async function findDeletion(db: SqlRunner, tenantId: TenantId): Promise<Deletion | null> {
  return firstRow(db.run<Deletion>(TENANT_DELETION_FIND, [tenantId]));
}

const UNFINISHED = statement('tenant_deletions_unfinished')`
select * from deleted_tenants where tenant_id is not null and finished_ms is null order by started_ms`;

/** Spans tenants: housekeeping. */
export async function listUnfinishedDeletions(db: SqlRunner): Promise<readonly Deletion[]> {
  return (await db.run<Deletion>(UNFINISHED, [])).rows;
}

const TENANT_DELETION_FINISH = statement('tenant_deletion_finish')`
with gone as (delete from tenants where tenant_id = $1)
update deleted_tenants set finished_ms = $2 where tenant_id = $1 and finished_ms is null`;

/** The tenant itself goes, and its tombstone says when. */
export async function finishDeletion(db: SqlRunner, tenantId: TenantId, nowMs: number): Promise<void> {
  await db.run(TENANT_DELETION_FINISH, [tenantId, nowMs]);
}
