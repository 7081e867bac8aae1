import type { TenantId } from '#core/ids';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';

/** What an export of a tenant holds, each table with the columns that are left out of it: secrets, also hashed or encrypted. */
export const EXPORTED_TABLES: Readonly<Record<string, readonly string[]>> = {
  tenants: [],
  api_keys: ['key_hash'],
  phone_numbers: [],
  linked_accounts: ['token', 'token_key_id'],
  webhook_endpoints: ['secret_sealed', 'secret_key_id', 'old_secret_sealed', 'old_secret_key_id'],
  webhook_deliveries: [],
  sso_connections: ['secret_sealed', 'secret_key_id'],
  user_identities: [],
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
  network_blocks: [],
  segments: [],
  imports: [],
  import_errors: [],
  conversations: [],
  conversation_events: [],
  conversation_notes: [],
  conversation_drafts: [],
  conversation_suggestions: [],
  notifications: [],
  conversation_views: [],
  bulk_changes: [],
  bulk_change_items: [],
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
  sessions: 'Who is signed in at present, with hashes of what they prove it with.',
  sso_sessions: 'Who is signed in at present by single sign-on.',
  sso_states: 'Hashes of sign-ins that are under way.',
  resumable_uploads: 'Uploads under way, with the sessions that continue them at the network.',
  idempotency_keys: 'Hashes of keys, and answers that are repeated for 24 hours.',
  deleted_tenants: 'Tombstones of other tenants: one that is being deleted is not exported.',
  media_uploads: 'Ids that the network gives media for 30 days.',
  parked_statuses: WORK,
  parked_changes: WORK,
  account_notices: WORK,
  number_statuses: WORK,
  send_queue: WORK,
  lane_owners: WORK,
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
  search_cursors: WORK,
  search_documents: DERIVED,
  search_portions: DERIVED,
  notification_cursors: WORK,
  push_subscriptions: 'Which browsers are notified at present, with addresses at which pushes reach them.',
  push_queue: WORK,
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
export async function beginSnapshot(tx: Transaction): Promise<void> {
  for (const statement of BEGIN_SNAPSHOT) await tx.run(statement, []);
}

const PRIMARY_KEY = statement('tenant_export_key')`
select a.attname::text as name
from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
where i.indrelid = to_regclass($1) and i.indisprimary order by k.place`;

/** Few, because one row of events may be as large as a megabyte. */
const PORTION = 50;

/**
 * The rows of a tenant as JSON, in portions that are read as fast as they are taken, each in a short statement that begins
 * behind the last row of the portion before: a key never changes, so no row is read twice or passed over while others write.
 * @param table one of EXPORTED_TABLES
 */
export async function* readTenantRows(
  db: SqlRunner,
  tenantId: TenantId,
  table: string,
): AsyncGenerator<readonly string[]> {
  const columns = (await db.run<{ readonly name: string }>(PRIMARY_KEY, [table])).rows.map(({ name }) => name);
  const { first, next } = portionsOf(table, columns);
  const values = [tenantId, EXPORTED_TABLES[table] ?? []];
  let { rows } = await db.run<Line>(first, values);
  for (;;) {
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ line }) => line);
    if (rows.length < PORTION) return;
    ({ rows } = await db.run<Line>(next, [...values, last.place]));
  }
}

interface Line {
  readonly line: string;
  /** The key of the row. */
  readonly place: string;
}

function portionsOf(
  table: string,
  columns: readonly string[],
): { readonly first: Statement; readonly next: Statement } {
  const key = columns.map((column) => `t.${column}`).join(', ');
  const place = `jsonb_build_object(${columns.map((column) => `'${column}', t.${column}`).join(', ')})::text`;
  const select = `select ${place} as place, (to_jsonb(t) - $2::text[])::text as line`;
  const behind = `(${key}) > (${columns.map((column) => `p.${column}`).join(', ')})`;
  return {
    first: {
      name: `tenant_export_first_${table}`,
      text: `${select} from ${table} t where t.tenant_id = $1 order by ${key} limit ${PORTION}`,
    },
    // Lateral, so that the index gives the rows in order, and only those of the portion.
    next: {
      name: `tenant_export_next_${table}`,
      text: `
${select} from jsonb_populate_record(null::${table}, $3::jsonb) p cross join lateral (
  select * from ${table} t where t.tenant_id = $1 and ${behind} order by ${key} limit ${PORTION}
) t order by ${key}`,
    },
  };
}
