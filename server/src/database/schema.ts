import type { JsonObject, JsonValue } from '#core/json';

/**
 * The tables as Kysely sees them; migrations/ is the truth and says what each column means. Times are milliseconds
 * since 1970. Only tables that ordinary queries read are here; the hot path writes
 * whole SQL. A table whose columns are types of a feature is declared by that feature's store.
 */
export interface Schema {
  settings: { name: string; value: string };
  tenants: {
    tenant_id: string;
    name: string;
    unknown_resends: number;
    window_policy: 'network' | 'refuse' | 'template';
    fallback_template: string | null;
    fallback_language: string | null;
    allowed_ips: string[];
    allowed_countries: string[];
    created_ms: number;
    state: 'active' | 'suspended' | 'deleting';
    state_reason: string | null;
    state_ms: number | null;
  };
  number_directory: { phone_number_id: string; tenant_id: string };
  dispatchers: { dispatcher_id: string; beat: number; started_ms: number };
  callbacks: { callback_id: string; received_ms: number; body: string; is_base64: boolean };
  callback_queue: { callback_id: string; attempts: number };
  callback_leftovers: {
    callback_id: string;
    item: number;
    name: string;
    reason: string;
    raw: JsonValue;
    recorded_ms: number;
  };
  api_keys: {
    tenant_id: string;
    key_id: string;
    name: string;
    mode: 'live' | 'test';
    key_hash: string;
    hint: string;
    scopes: string[];
    rate_per_second: number | null;
    agent_id: string | null;
    allowed_ips: string[];
    phone_number_ids: string[];
    created_ms: number;
    expires_ms: number | null;
    revoked_ms: number | null;
    last_used_ms: number | null;
  };
  phone_numbers: {
    tenant_id: string;
    phone_number_id: string;
    display_phone: string;
    name: string | null;
    status: 'active' | 'paused';
    pause_reason: string | null;
    rate_per_second: number | null;
    created_ms: number;
    account_id: string | null;
    hours_id: string | null;
    network_account_id: string | null;
    quality_rating: string | null;
    messaging_limit: string | null;
    throughput: string | null;
    network_status: string | null;
    network_told_ms: number | null;
    paused_by: 'person' | 'network' | null;
    reopen_policy: 'reopen_last' | 'new_after' | 'always_new';
    reopen_hours: number;
    resolve_idle_hours: number | null;
    resolve_idle_waiting: boolean;
    version: number;
    removed_ms: number | null;
  };
  linked_accounts: {
    tenant_id: string;
    account_id: string;
    network_account_ids: string[];
    token: string | null;
    token_key_id: string | null;
    token_expires_ms: number | null;
    steps: JsonValue;
    run_id: string;
    run_until_ms: number;
    replaced_ms: number | null;
    created_ms: number;
    updated_ms: number;
  };
  lanes: { tenant_id: string; phone_number_id: string; owner_id: string | null; epoch: number };
  send_queue: {
    tenant_id: string;
    message_id: string;
    phone_number_id: string;
    state: number;
    priority: number;
    due_ms: number;
    expires_ms: number;
    attempts: number;
    epoch: number | null;
  };
  idempotency_keys: {
    tenant_id: string;
    key_hash: string;
    fingerprint: string;
    status_code: number | null;
    response: JsonValue;
    message_id: string | null;
    created_ms: number;
  };
  media: { tenant_id: string; media_id: string; mime_type: string; size: number; sha256: string };
  inbound_media: {
    tenant_id: string;
    message_id: string;
    mime_type: string | null;
    sha256: string | null;
    filename: string | null;
    status: 'pending' | 'ready' | 'failed';
    media_id: string | null;
    error: { readonly code: string; readonly message: string } | null;
  };
  dead_letters: { tenant_id: string; message_id: string; code: string; reason: string; dead_ms: number };
  plans: {
    plan_id: string;
    name: string;
    price_minor_units: number;
    currency: string;
    billing_interval: 'month' | 'year';
    fair_use_messages: number | null;
    fair_use_enforcement: 'soft' | 'hard';
    fair_use_warning_percent: number;
    media_bytes: number | null;
    grace_days: number;
    low_balance_micros: number | null;
    is_default: true | null;
    created_ms: number;
  };
  contacts: ContactTable;
  contact_terms: { tenant_id: string; term: string; contact_id: string };
  contact_consents: {
    tenant_id: string;
    entry_id: string;
    contact_id: string;
    marketing: 'granted' | 'denied' | 'unknown';
    source: string;
    wording: string | null;
    message_id: string | null;
    recorded_ms: number;
  };
  contact_attributes: {
    tenant_id: string;
    key: string;
    attribute_id: string;
    type: 'text' | 'number' | 'boolean' | 'date' | 'list';
    label: string;
    version: number;
    created_ms: number;
  };
  segments: {
    tenant_id: string;
    segment_id: string;
    name: string;
    condition: JsonValue;
    contact_count: number | null;
    evaluated_ms: number | null;
    version: number;
    created_ms: number;
    updated_ms: number;
  };
  canned_replies: {
    tenant_id: string;
    reply_id: string;
    shortcut: string;
    body: string;
    version: number;
    created_ms: number;
    updated_ms: number;
  };
}

interface ContactTable {
  tenant_id: string;
  contact_id: string;
  phone: string | null;
  user_id: string | null;
  name: string | null;
  profile_name: string | null;
  username: string | null;
  external_id: string | null;
  language: string | null;
  country: string | null;
  status: 'active' | 'blocked';
  attributes: JsonObject;
  tags: string[];
  marketing: 'granted' | 'denied' | 'unknown';
  marketing_source: string | null;
  marketing_ms: number | null;
  folded: JsonObject;
  merged_into: string | null;
  erased_ms: number | null;
  last_inbound_ms: number | null;
  created_ms: number;
  updated_ms: number;
  version: number;
}
