import type { TenantId } from '#core/ids';
import type { SqlRunner, Statement } from './database.ts';

/** What an export of a tenant holds, each table with the columns that are left out of it: secrets, also hashed or encrypted. */
export const EXPORTED_TABLES: Readonly<Record<string, readonly string[]>> = {
  tenants: [],
  api_keys: ['key_hash'],
  phone_numbers: [],
  linked_accounts: ['token', 'token_key_id'],
  webhook_endpoints: ['secret_sealed', 'secret_key_id', 'old_secret_sealed', 'old_secret_key_id'],
  webhook_deliveries: [],
  outbound_messages: [],
  dead_letters: [],
  inbound_messages: [],
  inbound_media: [],
  media: [],
  media_blobs: [],
  contacts: [],
  contact_identities: [],
  contact_attributes: [],
  contact_consents: [],
  contact_merges: [],
  suppressions: [],
  segments: [],
  imports: [],
  import_errors: [],
  conversations: [],
  conversation_events: [],
  conversation_notes: [],
  assignment_log: [],
  canned_replies: [],
  agents: [],
  teams: [],
  team_members: [],
  business_hours: [],
  chatbot_rules: [],
  rule_decisions: [],
  rule_replies: [],
  templates: [],
  template_versions: [],
  template_history: [],
  campaigns: [],
  campaign_recipients: [],
  campaign_imports: [],
  campaign_import_errors: [],
  event_pages: [],
  analytics_messages: [],
  analytics_message_days: [],
  analytics_conversations: [],
  analytics_conversation_days: [],
  analytics_durations: [],
  subscriptions: [],
  usage_counters: [],
  wallets: [],
  wallet_transfers: [],
  wallet_topups: [],
  wallet_holds: [],
  audit_log: [],
  audit_seals: [],
  audit_heads: [],
};

const WORK = 'Work of the moment, or how far the service has come with it.';
const DERIVED = 'Derived from exported tables.';

/** What an export leaves out, and why. */
export const UNEXPORTED_TABLES: Readonly<Record<string, string>> = {
  contact_erasures: 'Names what is being erased of persons: it must not leave.',
  link_states: 'Secrets of dialogs that are open.',
  resumable_uploads: 'Uploads under way, with the sessions that continue them at the network.',
  idempotency_keys: 'Hashes of keys, and answers that are repeated for 24 hours.',
  deleted_tenants: 'Tombstones of other tenants: one that is being deleted is not exported.',
  media_uploads: 'Ids that the network gives media for 30 days.',
  parked_statuses: WORK,
  number_statuses: WORK,
  send_queue: WORK,
  lanes: WORK,
  number_directory: DERIVED,
  webhook_lanes: WORK,
  rule_queue: WORK,
  rule_timers: WORK,
  rule_runs: WORK,
  rule_budgets: WORK,
  rule_sets: WORK,
  event_heads: WORK,
  conversation_numbers: WORK,
  conversation_counts: DERIVED,
  assignment_reviews: WORK,
  contact_terms: DERIVED,
  suppression_heads: WORK,
  template_accounts: WORK,
  template_books: WORK,
  analytics_cursors: WORK,
  usage_alerts: WORK,
  wallet_alerts: WORK,
  audit_unsealed: WORK,
};

const BEGIN_SNAPSHOT: readonly Statement[] = [
  { name: 'tenant_export_snapshot', text: 'set transaction isolation level repeatable read, read only' },
  // The first rows of a large table may take longer than a request may.
  { name: 'tenant_export_patience', text: 'set local statement_timeout = 0' },
];

/** From now on the transaction sees the data of one moment. Only before its first other statement. */
export async function beginSnapshot(tx: SqlRunner): Promise<void> {
  for (const statement of BEGIN_SNAPSHOT) await tx.run(statement, []);
}

/** Few, because one row of events may be as large as a megabyte. */
const FETCH: Statement = { name: 'tenant_export_fetch', text: 'fetch 50 from tenant_rows' };
const CLOSE: Statement = { name: 'tenant_export_close', text: 'close tenant_rows' };

/**
 * The rows of a tenant as JSON, in portions that are read as fast as they are taken. One table at a time, within a transaction.
 * @param table one of EXPORTED_TABLES
 */
export async function* readTenantRows(
  tx: SqlRunner,
  tenantId: TenantId,
  table: string,
): AsyncGenerator<readonly string[]> {
  const text = `
declare tenant_rows no scroll cursor for
select (to_jsonb(t) - $2::text[])::text as line from ${table} t where t.tenant_id = $1`;
  await tx.run({ name: `tenant_export_${table}`, text }, [tenantId, EXPORTED_TABLES[table] ?? []]);
  for (;;) {
    const { rows } = await tx.run<{ readonly line: string }>(FETCH, []);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await tx.run(CLOSE, []);
}
