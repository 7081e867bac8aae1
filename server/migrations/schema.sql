-- Dumped from the migrations by "npm run gen"; not to be edited.

create table account_notices (
  tenant_id uuid not null,
  notice_id text collate "C" not null,
  noted_ms bigint not null,
  constraint account_notices_pkey PRIMARY KEY (tenant_id, notice_id)
);
CREATE INDEX account_notices_age ON account_notices USING btree (noted_ms);

create table agents (
  tenant_id uuid not null,
  agent_id uuid not null,
  name text not null,
  email text,
  role text not null,
  availability text default 'offline'::text not null,
  presence_until_ms bigint,
  max_open integer not null,
  open_count integer default 0 not null,
  skills text[] default '{}'::text[] not null,
  external_id text collate "C",
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  user_id uuid,
  constraint agents_pkey PRIMARY KEY (tenant_id, agent_id),
  constraint agents_availability_check CHECK ((availability = ANY (ARRAY['online'::text, 'away'::text, 'offline'::text]))),
  constraint agents_max_open_check CHECK (((max_open >= 0) AND (max_open <= 10000))),
  constraint agents_open_count_check CHECK ((open_count >= 0)),
  constraint agents_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text])))
) with (fillfactor=70);
CREATE UNIQUE INDEX agents_external ON agents USING btree (tenant_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX agents_of_user ON agents USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX agents_online ON agents USING btree (tenant_id, agent_id) WHERE (availability = 'online'::text);
CREATE INDEX agents_presence ON agents USING btree (presence_until_ms) WHERE ((availability <> 'offline'::text) AND (presence_until_ms IS NOT NULL));
CREATE UNIQUE INDEX agents_user ON agents USING btree (tenant_id, user_id) WHERE (user_id IS NOT NULL);

create table analytics_conversation_days (
  tenant_id uuid not null,
  dimension text collate "C" not null,
  key text collate "C" not null,
  quarter integer not null,
  opened bigint default 0 not null,
  reopened bigint default 0 not null,
  resolved bigint default 0 not null,
  assigned bigint default 0 not null,
  replies bigint default 0 not null,
  constraint analytics_conversation_days_pkey PRIMARY KEY (tenant_id, dimension, key, quarter),
  constraint analytics_conversation_days_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'number'::text, 'agent'::text, 'team'::text, 'tag'::text, 'handled_by'::text]))),
  constraint analytics_conversation_days_quarter_check CHECK (((quarter % 96) = 0))
) with (fillfactor=80);
CREATE INDEX analytics_conversation_days_time ON analytics_conversation_days USING btree (tenant_id, dimension, quarter);

create table analytics_conversations (
  tenant_id uuid not null,
  dimension text collate "C" not null,
  key text collate "C" not null,
  quarter integer not null,
  opened bigint default 0 not null,
  reopened bigint default 0 not null,
  resolved bigint default 0 not null,
  assigned bigint default 0 not null,
  replies bigint default 0 not null,
  constraint analytics_conversations_pkey PRIMARY KEY (tenant_id, dimension, key, quarter),
  constraint analytics_conversations_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'number'::text, 'agent'::text, 'team'::text, 'tag'::text, 'handled_by'::text])))
) with (fillfactor=80);
CREATE INDEX analytics_conversations_time ON analytics_conversations USING btree (tenant_id, dimension, quarter);

create table analytics_cursors (
  tenant_id uuid not null,
  last_seq bigint not null,
  as_of_ms bigint not null,
  constraint analytics_cursors_pkey PRIMARY KEY (tenant_id)
);

create table analytics_durations (
  tenant_id uuid not null,
  dimension text collate "C" not null,
  key text collate "C" not null,
  span smallint not null,
  quarter integer not null,
  first_response text default '[]'::text not null,
  first_response_business text default '[]'::text not null,
  reply text default '[]'::text not null,
  reply_business text default '[]'::text not null,
  resolution text default '[]'::text not null,
  resolution_business text default '[]'::text not null,
  constraint analytics_durations_pkey PRIMARY KEY (tenant_id, dimension, key, span, quarter),
  constraint analytics_durations_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'number'::text, 'agent'::text, 'team'::text, 'tag'::text, 'handled_by'::text]))),
  constraint analytics_durations_span_check CHECK ((span = ANY (ARRAY[1, 96, 1536])))
) with (fillfactor=80);

create table analytics_message_days (
  tenant_id uuid not null,
  dimension text collate "C" not null,
  key text collate "C" not null,
  quarter integer not null,
  accepted bigint default 0 not null,
  sent bigint default 0 not null,
  delivered bigint default 0 not null,
  read bigint default 0 not null,
  failed bigint default 0 not null,
  replied bigint default 0 not null,
  received bigint default 0 not null,
  constraint analytics_message_days_pkey PRIMARY KEY (tenant_id, dimension, key, quarter),
  constraint analytics_message_days_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'number'::text, 'type'::text, 'template'::text, 'campaign'::text, 'category'::text, 'error'::text, 'author'::text, 'author_kind'::text]))),
  constraint analytics_message_days_quarter_check CHECK (((quarter % 96) = 0))
) with (fillfactor=80);
CREATE INDEX analytics_message_days_time ON analytics_message_days USING btree (tenant_id, dimension, quarter);

create table analytics_messages (
  tenant_id uuid not null,
  dimension text collate "C" not null,
  key text collate "C" not null,
  quarter integer not null,
  accepted bigint default 0 not null,
  sent bigint default 0 not null,
  delivered bigint default 0 not null,
  read bigint default 0 not null,
  failed bigint default 0 not null,
  replied bigint default 0 not null,
  received bigint default 0 not null,
  constraint analytics_messages_pkey PRIMARY KEY (tenant_id, dimension, key, quarter),
  constraint analytics_messages_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'number'::text, 'type'::text, 'template'::text, 'campaign'::text, 'category'::text, 'error'::text, 'author'::text, 'author_kind'::text])))
) with (fillfactor=80);
CREATE INDEX analytics_messages_time ON analytics_messages USING btree (tenant_id, dimension, quarter);

create table api_keys (
  tenant_id uuid not null,
  key_id uuid not null,
  name text not null,
  mode text not null,
  key_hash text collate "C" not null,
  hint text not null,
  scopes text[] default '{}'::text[] not null,
  created_ms bigint not null,
  expires_ms bigint,
  revoked_ms bigint,
  last_used_ms bigint,
  rate_per_second integer,
  agent_id uuid,
  allowed_ips text[] default '{}'::text[] not null,
  phone_number_ids text[] default '{}'::text[] not null,
  constraint api_keys_pkey PRIMARY KEY (tenant_id, key_id),
  constraint api_keys_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint api_keys_rate_per_second_check CHECK ((rate_per_second >= 0))
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys USING btree (key_hash, tenant_id);

create table api_processes (
  process_id uuid not null,
  beat bigint not null,
  constraint api_processes_pkey PRIMARY KEY (process_id)
);

create table assignment_log (
  tenant_id uuid not null,
  conversation_id uuid not null,
  entry_id uuid not null,
  at_ms bigint not null,
  outcome text not null,
  team_id uuid,
  agent_id uuid,
  because text not null,
  skipped jsonb not null,
  constraint assignment_log_pkey PRIMARY KEY (tenant_id, conversation_id, entry_id),
  constraint assignment_log_outcome_check CHECK ((outcome = ANY (ARRAY['assigned'::text, 'unassigned'::text, 'kept'::text])))
);
CREATE INDEX assignment_log_age ON assignment_log USING btree (entry_id);

create table assignment_reviews (
  tenant_id uuid not null,
  conversation_id uuid not null,
  asked_ms bigint not null,
  constraint assignment_reviews_pkey PRIMARY KEY (tenant_id, conversation_id)
);

create table audit_heads (
  tenant_id uuid not null,
  seq bigint not null,
  hash text collate "C" not null,
  forwarded_seq bigint default 0 not null,
  forwarding_until_ms bigint default 0 not null,
  constraint audit_heads_pkey PRIMARY KEY (tenant_id),
  constraint audit_heads_hash_check CHECK ((length(hash) = 64))
);

create table audit_log (
  tenant_id uuid not null,
  entry_id uuid not null,
  created_ms bigint not null,
  actor text collate "C" not null,
  actor_key_id uuid,
  action text collate "C" not null,
  target_id text collate "C" not null,
  details jsonb not null,
  request_id text,
  address text,
  actor_agent_id uuid,
  constraint audit_log_pkey PRIMARY KEY (tenant_id, entry_id),
  constraint audit_log_actor_check CHECK ((actor = ANY (ARRAY['key'::text, 'operator'::text, 'service'::text, 'agent'::text]))) NOT VALID,
  constraint audit_log_check CHECK (((actor = 'key'::text) = (actor_key_id IS NOT NULL)))
);
CREATE INDEX audit_log_target ON audit_log USING btree (tenant_id, target_id, entry_id);

create table audit_seals (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  hash text collate "C" not null,
  sealed_ms bigint not null,
  constraint audit_seals_pkey PRIMARY KEY (tenant_id, seq),
  constraint audit_seals_hash_check CHECK ((length(hash) = 64)),
  constraint audit_seals_seq_check CHECK ((seq > 0))
);
CREATE UNIQUE INDEX audit_seals_entry ON audit_seals USING btree (tenant_id, entry_id);

create table audit_unsealed (
  tenant_id uuid not null,
  entry_id uuid not null,
  constraint audit_unsealed_pkey PRIMARY KEY (tenant_id, entry_id)
);

create table backups (
  backup_id text collate "C" not null,
  location text not null,
  started_ms bigint not null,
  finished_ms bigint not null,
  row_count bigint not null,
  size bigint not null,
  constraint backups_pkey PRIMARY KEY (backup_id)
);

create table bulk_change_items (
  tenant_id uuid not null,
  bulk_change_id uuid not null,
  place integer not null,
  conversation_id uuid not null,
  outcome text default 'waiting'::text not null,
  code text,
  reason text,
  before jsonb,
  after jsonb,
  constraint bulk_change_items_pkey PRIMARY KEY (tenant_id, bulk_change_id, place),
  constraint bulk_change_items_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'changed'::text, 'unchanged'::text, 'refused'::text])))
);
CREATE INDEX bulk_change_items_conversation ON bulk_change_items USING btree (tenant_id, conversation_id);

create table bulk_changes (
  tenant_id uuid not null,
  bulk_change_id uuid not null,
  change jsonb,
  undoes uuid,
  undone_by uuid,
  status text not null,
  actor_kind text not null,
  actor_id text,
  total integer not null,
  changed integer default 0 not null,
  unchanged integer default 0 not null,
  refused integer default 0 not null,
  leased_until_ms bigint not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  finished_ms bigint,
  constraint bulk_changes_pkey PRIMARY KEY (tenant_id, bulk_change_id),
  constraint bulk_changes_check CHECK (((change IS NULL) = (undoes IS NOT NULL))),
  constraint bulk_changes_check1 CHECK ((((changed + unchanged) + refused) <= total)),
  constraint bulk_changes_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'canceled'::text])))
);
CREATE INDEX bulk_changes_due ON bulk_changes USING btree (leased_until_ms) WHERE (finished_ms IS NULL);
CREATE INDEX bulk_changes_finished ON bulk_changes USING btree (finished_ms) WHERE (finished_ms IS NOT NULL);

create table business_hours (
  tenant_id uuid not null,
  hours_id uuid not null,
  name text not null,
  timezone text not null,
  weekly jsonb not null,
  holidays jsonb not null,
  is_default boolean,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint business_hours_pkey PRIMARY KEY (tenant_id, hours_id),
  constraint business_hours_is_default_check CHECK (is_default)
);
CREATE UNIQUE INDEX business_hours_default ON business_hours USING btree (tenant_id) WHERE is_default;

create table callback_leftovers (
  callback_id uuid not null,
  item smallint not null,
  name text not null,
  reason text not null,
  raw jsonb not null,
  recorded_ms bigint not null,
  constraint callback_leftovers_pkey PRIMARY KEY (callback_id, item)
);
CREATE INDEX callback_leftovers_name ON callback_leftovers USING btree (name, recorded_ms);

create table callback_queue (
  callback_id uuid not null,
  attempts smallint default 0 not null,
  constraint callback_queue_pkey PRIMARY KEY (callback_id)
);

create table callback_refusals (
  only_row boolean default true not null,
  refused_ms bigint not null,
  constraint callback_refusals_pkey PRIMARY KEY (only_row),
  constraint callback_refusals_only_row_check CHECK (only_row)
);

create table callbacks (
  callback_id uuid not null,
  received_ms bigint not null,
  body text not null,
  is_base64 boolean default false not null,
  bodies text[],
  constraint callbacks_pkey PRIMARY KEY (callback_id)
) with (toast_tuple_target=8160);

create table campaign_recipients (
  tenant_id uuid not null,
  campaign_id uuid not null,
  place integer not null,
  phone text collate "C" not null,
  variables jsonb,
  status text default 'waiting'::text not null,
  message_id uuid,
  reason jsonb,
  constraint campaign_recipients_pkey PRIMARY KEY (tenant_id, campaign_id, place),
  constraint campaign_recipients_message_check CHECK (((status = ANY (ARRAY['waiting'::text, 'skipped'::text])) OR (message_id IS NOT NULL))),
  constraint campaign_recipients_reason_check CHECK (((status = ANY (ARRAY['failed'::text, 'skipped'::text])) = (reason IS NOT NULL))),
  constraint campaign_recipients_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'taken'::text, 'accepted'::text, 'sent'::text, 'failed'::text, 'skipped'::text])))
);
CREATE UNIQUE INDEX campaign_recipients_phone ON campaign_recipients USING btree (tenant_id, campaign_id, phone);
CREATE INDEX campaign_recipients_reason ON campaign_recipients USING btree (tenant_id, campaign_id, ((reason ->> 'code'::text)), place) WHERE (reason IS NOT NULL);
CREATE INDEX campaign_recipients_skipped ON campaign_recipients USING btree (tenant_id, phone) WHERE (status = 'skipped'::text);
CREATE INDEX campaign_recipients_status ON campaign_recipients USING btree (tenant_id, campaign_id, status, place);

create table campaigns (
  tenant_id uuid not null,
  campaign_id uuid not null,
  name text collate "C" not null,
  status text default 'draft'::text not null,
  phone_number_id text collate "C",
  template jsonb not null,
  send_at_ms bigint,
  pause_reason text,
  total integer default 0 not null,
  accepted integer default 0 not null,
  skipped integer default 0 not null,
  next_place integer default 0 not null,
  due_ms bigint,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  started_ms bigint,
  finished_ms bigint,
  segment_id uuid,
  audience jsonb,
  audience_pending boolean default false not null,
  audience_ms bigint,
  audience_cursor uuid,
  left_out integer default 0 not null,
  sent integer default 0 not null,
  failed integer default 0 not null,
  event_seq bigint default 0 not null,
  breaker_percent smallint default 50,
  breaker_of smallint default 200 not null,
  recent text default ''::text not null,
  constraint campaigns_pkey PRIMARY KEY (tenant_id, campaign_id),
  constraint campaigns_breaker_of_check CHECK (((breaker_of >= 20) AND (breaker_of <= 1000))),
  constraint campaigns_breaker_percent_check CHECK (((breaker_percent >= 1) AND (breaker_percent <= 100))),
  constraint campaigns_check CHECK (((status = 'paused'::text) = (pause_reason IS NOT NULL))),
  constraint campaigns_check1 CHECK (((accepted + skipped) <= total)),
  constraint campaigns_settled_check CHECK (((sent >= 0) AND (failed >= 0) AND ((sent + failed) <= accepted))),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'preparing'::text, 'running'::text, 'paused'::text, 'completed'::text, 'canceled'::text])))
);
CREATE INDEX campaigns_due ON campaigns USING btree (due_ms) WHERE (due_ms IS NOT NULL);

create table canned_replies (
  tenant_id uuid not null,
  reply_id uuid not null,
  shortcut text collate "C" not null,
  body text not null,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  use_count bigint default 0 not null,
  last_used_ms bigint,
  media_ids uuid[] default '{}'::uuid[] not null,
  team_ids uuid[] default '{}'::uuid[] not null,
  constraint canned_replies_pkey PRIMARY KEY (tenant_id, reply_id)
);
CREATE UNIQUE INDEX canned_replies_shortcut ON canned_replies USING btree (tenant_id, shortcut);

create table chatbot_rules (
  tenant_id uuid not null,
  rule_id uuid not null,
  name text not null,
  enabled boolean not null,
  place integer not null,
  trigger jsonb not null,
  condition jsonb,
  actions jsonb not null,
  cases jsonb not null,
  stop boolean not null,
  cooldown_s integer,
  max_runs integer,
  active_from_ms bigint,
  active_until_ms bigint,
  runs integer default 0 not null,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint chatbot_rules_pkey PRIMARY KEY (tenant_id, rule_id),
  constraint chatbot_rules_cooldown_s_check CHECK ((cooldown_s > 0)),
  constraint chatbot_rules_max_runs_check CHECK ((max_runs > 0)),
  constraint chatbot_rules_place_check CHECK ((place >= 1))
);

create table contact_attributes (
  tenant_id uuid not null,
  key text collate "C" not null,
  attribute_id uuid not null,
  type text not null,
  label text not null,
  version integer default 1 not null,
  created_ms bigint not null,
  constraint contact_attributes_pkey PRIMARY KEY (tenant_id, attribute_id),
  constraint contact_attributes_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'boolean'::text, 'date'::text, 'list'::text])))
);
CREATE UNIQUE INDEX contact_attributes_key ON contact_attributes USING btree (tenant_id, key);

create table contact_consents (
  tenant_id uuid not null,
  entry_id uuid not null,
  contact_id uuid not null,
  marketing text not null,
  source text not null,
  wording text,
  message_id uuid,
  recorded_ms bigint not null,
  phone_number_id text,
  constraint contact_consents_pkey PRIMARY KEY (tenant_id, entry_id),
  constraint contact_consents_marketing_check CHECK ((marketing = ANY (ARRAY['granted'::text, 'denied'::text, 'unknown'::text])))
);
CREATE INDEX contact_consents_contact ON contact_consents USING btree (tenant_id, contact_id, entry_id);

create table contact_erasures (
  tenant_id uuid not null,
  contact_id uuid not null,
  needles text[] not null,
  done_seq bigint default 0 not null,
  started_ms bigint not null,
  constraint contact_erasures_pkey PRIMARY KEY (tenant_id, contact_id)
);

create table contact_identities (
  tenant_id uuid not null,
  kind text not null,
  value text not null,
  contact_id uuid not null,
  since_ms bigint,
  left_ms bigint,
  constraint contact_identities_pkey PRIMARY KEY (tenant_id, kind, value),
  constraint contact_identities_kind_check CHECK ((kind = ANY (ARRAY['phone'::text, 'user_id'::text])))
);
CREATE INDEX contact_identities_contact ON contact_identities USING btree (tenant_id, contact_id);

create table contact_merges (
  tenant_id uuid not null,
  merge_id uuid not null,
  survivor_id uuid not null,
  merged_id uuid not null,
  place integer not null,
  actor_kind text not null,
  actor_id text,
  merged_ms bigint not null,
  undone_ms bigint,
  state json,
  constraint contact_merges_pkey PRIMARY KEY (tenant_id, merge_id),
  constraint contact_merges_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['agent'::text, 'key'::text, 'rule'::text, 'system'::text]))),
  constraint contact_merges_check CHECK (((undone_ms IS NULL) = (state IS NOT NULL))),
  constraint contact_merges_place_check CHECK ((place >= 1))
);
CREATE UNIQUE INDEX contact_merges_current ON contact_merges USING btree (tenant_id, merged_id) WHERE (undone_ms IS NULL);
CREATE INDEX contact_merges_merged ON contact_merges USING btree (tenant_id, merged_id, merge_id);
CREATE INDEX contact_merges_survivor ON contact_merges USING btree (tenant_id, survivor_id, merge_id);

create table contact_terms (
  tenant_id uuid not null,
  term text collate "C" not null,
  contact_id uuid not null,
  constraint contact_terms_pkey PRIMARY KEY (tenant_id, term, contact_id)
);
CREATE INDEX contact_terms_contact ON contact_terms USING btree (tenant_id, contact_id);

create table contacts (
  tenant_id uuid not null,
  contact_id uuid not null,
  phone text,
  user_id text,
  name text,
  profile_name text,
  username text,
  last_inbound_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  external_id text collate "C",
  language text,
  country text,
  status text default 'active'::text not null,
  attributes jsonb default '{}'::jsonb not null,
  tags text[] default '{}'::text[] not null,
  marketing text default 'unknown'::text not null,
  marketing_source text,
  marketing_ms bigint,
  folded jsonb default '{}'::jsonb not null,
  merged_into uuid,
  erased_ms bigint,
  version integer default 1 not null,
  number_consents jsonb default '[]'::jsonb not null,
  book_name text,
  book_ms bigint,
  constraint contacts_pkey PRIMARY KEY (tenant_id, contact_id),
  constraint contacts_marketing_check CHECK ((marketing = ANY (ARRAY['granted'::text, 'denied'::text, 'unknown'::text]))),
  constraint contacts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'blocked'::text])))
);
CREATE INDEX contacts_blocked ON contacts USING btree (tenant_id, contact_id) WHERE (status = 'blocked'::text);
CREATE UNIQUE INDEX contacts_external_id ON contacts USING btree (tenant_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX contacts_marketing ON contacts USING btree (tenant_id, marketing, contact_id) WHERE (marketing <> 'unknown'::text);
CREATE INDEX contacts_merged_into ON contacts USING btree (tenant_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX contacts_name_begins ON contacts USING btree (tenant_id, lower(COALESCE(name, profile_name)) text_pattern_ops);
CREATE INDEX contacts_phone_begins ON contacts USING btree (tenant_id, phone text_pattern_ops);
CREATE INDEX contacts_updated ON contacts USING btree (tenant_id, updated_ms);

create table conversation_counts (
  tenant_id uuid not null,
  entry_id uuid not null,
  status text not null,
  assignee_id uuid,
  team_id uuid,
  is_waiting boolean not null,
  amount bigint not null,
  constraint conversation_counts_pkey PRIMARY KEY (tenant_id, entry_id)
);

create table conversation_drafts (
  tenant_id uuid not null,
  conversation_id uuid not null,
  agent_id uuid not null,
  body text not null,
  media_ids uuid[] default '{}'::uuid[] not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint conversation_drafts_pkey PRIMARY KEY (tenant_id, conversation_id, agent_id)
);
CREATE INDEX conversation_drafts_listed ON conversation_drafts USING btree (tenant_id, agent_id, conversation_id);

create table conversation_events (
  tenant_id uuid not null,
  conversation_id uuid not null,
  event_id uuid not null,
  at_ms bigint not null,
  actor_kind text not null,
  actor_id text,
  cause text not null,
  changes jsonb not null,
  constraint conversation_events_pkey PRIMARY KEY (tenant_id, conversation_id, event_id),
  constraint conversation_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['agent'::text, 'key'::text, 'rule'::text, 'system'::text])))
);

create table conversation_notes (
  tenant_id uuid not null,
  conversation_id uuid not null,
  note_id uuid not null,
  body text not null,
  mentions uuid[] default '{}'::uuid[] not null,
  author_kind text not null,
  author_id text,
  created_ms bigint not null,
  constraint conversation_notes_pkey PRIMARY KEY (tenant_id, conversation_id, note_id),
  constraint conversation_notes_author_kind_check CHECK ((author_kind = ANY (ARRAY['agent'::text, 'key'::text, 'rule'::text, 'system'::text])))
);
CREATE UNIQUE INDEX conversation_notes_id ON conversation_notes USING btree (tenant_id, note_id);

create table conversation_numbers (
  tenant_id uuid not null,
  last_number bigint not null,
  constraint conversation_numbers_pkey PRIMARY KEY (tenant_id)
);

create table conversation_suggestions (
  tenant_id uuid not null,
  suggestion_id uuid not null,
  conversation_id uuid not null,
  body text not null,
  author_kind text not null,
  author_id text,
  status text not null,
  decided_by uuid,
  decided_ms bigint,
  created_ms bigint not null,
  expires_ms bigint not null,
  constraint conversation_suggestions_pkey PRIMARY KEY (tenant_id, suggestion_id),
  constraint conversation_suggestions_check CHECK (((status = 'open'::text) = (decided_ms IS NULL))),
  constraint conversation_suggestions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'taken'::text, 'discarded'::text])))
);
CREATE INDEX conversation_suggestions_expired ON conversation_suggestions USING btree (expires_ms);
CREATE INDEX conversation_suggestions_of ON conversation_suggestions USING btree (tenant_id, conversation_id, suggestion_id);

create table conversation_views (
  tenant_id uuid not null,
  view_id uuid not null,
  name text not null,
  condition jsonb not null,
  sort text default 'last_activity'::text not null,
  agent_id uuid,
  position integer not null,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint conversation_views_pkey PRIMARY KEY (tenant_id, view_id),
  constraint conversation_views_sort_check CHECK ((sort = ANY (ARRAY['last_activity'::text, 'waiting_since'::text])))
);
CREATE UNIQUE INDEX conversation_views_name ON conversation_views USING btree (tenant_id, COALESCE(agent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));

create table conversations (
  tenant_id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  phone_number_id text collate "C" not null,
  status text default 'open'::text not null,
  unread_count integer default 0 not null,
  last_message_ms bigint not null,
  last_inbound_ms bigint,
  window_expires_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  number bigint,
  assignee_id uuid,
  team_id uuid,
  priority text default 'normal'::text not null,
  tags text[] default '{}'::text[] not null,
  handled_by text default 'none'::text not null,
  waiting_since_ms bigint,
  first_response_ms bigint,
  last_outbound_ms bigint,
  snoozed_until_ms bigint,
  referral_ms bigint,
  free_entry_until_ms bigint,
  lease_agent_id uuid,
  lease_until_ms bigint,
  last_message_id uuid,
  last_message_inbound boolean,
  last_message_type text,
  last_message_preview text,
  version integer default 1 not null,
  opened_ms bigint default 0 not null,
  resolved_ms bigint,
  reopened integer default 0 not null,
  links_due boolean default true not null,
  window_told_ms bigint,
  phone_answered_ms bigint,
  constraint conversations_pkey PRIMARY KEY (tenant_id, conversation_id),
  constraint conversations_handled_by_check CHECK ((handled_by = ANY (ARRAY['bot'::text, 'agent'::text, 'none'::text]))),
  constraint conversations_lease CHECK (((lease_agent_id IS NULL) = (lease_until_ms IS NULL))),
  constraint conversations_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text, 'urgent'::text]))),
  constraint conversations_resolved CHECK (((status = 'resolved'::text) = (resolved_ms IS NOT NULL))),
  constraint conversations_snoozed CHECK (((status = 'snoozed'::text) OR (snoozed_until_ms IS NULL))),
  constraint conversations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'pending'::text, 'snoozed'::text, 'resolved'::text])))
);
CREATE INDEX conversations_activity ON conversations USING btree (tenant_id, last_message_ms, conversation_id);
CREATE INDEX conversations_assignee ON conversations USING btree (tenant_id, assignee_id, status, last_message_ms, conversation_id) WHERE (assignee_id IS NOT NULL);
CREATE INDEX conversations_contact ON conversations USING btree (tenant_id, contact_id);
CREATE INDEX conversations_idle ON conversations USING btree (tenant_id, phone_number_id, ((waiting_since_ms IS NOT NULL)), GREATEST(last_message_ms, updated_ms), conversation_id) WHERE (status = ANY (ARRAY['open'::text, 'pending'::text]));
CREATE INDEX conversations_links_due ON conversations USING btree (tenant_id, conversation_id) WHERE links_due;
CREATE UNIQUE INDEX conversations_number ON conversations USING btree (tenant_id, number);
CREATE UNIQUE INDEX conversations_one_open ON conversations USING btree (tenant_id, contact_id, phone_number_id) WHERE (status <> 'resolved'::text);
CREATE INDEX conversations_phone_number ON conversations USING btree (tenant_id, phone_number_id, last_message_ms, conversation_id);
CREATE INDEX conversations_priority ON conversations USING btree (tenant_id, priority, last_message_ms, conversation_id) WHERE (priority <> 'normal'::text);
CREATE INDEX conversations_queue ON conversations USING btree (tenant_id, COALESCE(team_id, '00000000-0000-0000-0000-000000000000'::uuid), (
CASE priority
    WHEN 'urgent'::text THEN 0
    WHEN 'high'::text THEN 1
    WHEN 'normal'::text THEN 2
    ELSE 3
END), COALESCE(waiting_since_ms, opened_ms), conversation_id) WHERE ((status = 'open'::text) AND (assignee_id IS NULL) AND (handled_by <> 'bot'::text));
CREATE INDEX conversations_status ON conversations USING btree (tenant_id, status, last_message_ms, conversation_id);
CREATE INDEX conversations_tags ON conversations USING gin (tags) WHERE (tags <> '{}'::text[]);
CREATE INDEX conversations_team ON conversations USING btree (tenant_id, team_id, status, last_message_ms, conversation_id) WHERE (team_id IS NOT NULL);
CREATE INDEX conversations_unassigned ON conversations USING btree (tenant_id, status, last_message_ms, conversation_id) WHERE (assignee_id IS NULL);
CREATE INDEX conversations_unread ON conversations USING btree (tenant_id, last_message_ms, conversation_id) WHERE (unread_count > 0);
CREATE INDEX conversations_updated ON conversations USING btree (tenant_id, updated_ms);
CREATE INDEX conversations_waiting ON conversations USING btree (tenant_id, waiting_since_ms, conversation_id) WHERE (waiting_since_ms IS NOT NULL);
CREATE INDEX conversations_wake ON conversations USING btree (snoozed_until_ms) WHERE (snoozed_until_ms IS NOT NULL);
CREATE INDEX conversations_window_closing ON conversations USING btree (window_expires_ms, tenant_id, conversation_id) WHERE ((status <> 'resolved'::text) AND (window_told_ms IS DISTINCT FROM window_expires_ms));

create table database_histories (
  history_id integer not null,
  server text not null,
  timeline text not null,
  began_ms bigint not null,
  reason text not null,
  held integer default 0 not null,
  lost_since_ms bigint,
  mark bigint default 0 not null,
  marked_ms bigint not null,
  synchronous boolean default false not null,
  constraint database_histories_pkey PRIMARY KEY (history_id),
  constraint database_histories_reason_check CHECK ((reason = ANY (ARRAY['first'::text, 'other_server'::text, 'other_timeline'::text, 'went_back'::text, 'operator'::text])))
);

create table dead_letters (
  tenant_id uuid not null,
  message_id uuid not null,
  code text not null,
  reason text not null,
  dead_ms bigint not null,
  constraint dead_letters_pkey PRIMARY KEY (tenant_id, message_id)
);

create table deleted_tenants (
  tenant_id uuid not null,
  started_ms bigint not null,
  finished_ms bigint,
  removed jsonb default '{}'::jsonb not null,
  constraint deleted_tenants_pkey PRIMARY KEY (tenant_id)
);

create table dispatchers (
  dispatcher_id uuid not null,
  beat bigint not null,
  started_ms bigint not null,
  outage_ms bigint,
  outage_reason text,
  constraint dispatchers_pkey PRIMARY KEY (dispatcher_id)
);

create table event_heads (
  tenant_id uuid not null,
  last_seq bigint not null,
  constraint event_heads_pkey PRIMARY KEY (tenant_id)
) with (fillfactor=50);

create table event_pages (
  tenant_id uuid not null,
  last_seq bigint not null,
  first_seq bigint not null,
  recorded_ms bigint not null,
  types text[] not null,
  body text,
  message_ids uuid[],
  news smallint[],
  at_ms bigint[],
  errors jsonb,
  sums json,
  constraint event_pages_pkey PRIMARY KEY (tenant_id, last_seq),
  constraint event_pages_check CHECK (((body IS NULL) <> (message_ids IS NULL))),
  constraint event_pages_check1 CHECK (((first_seq >= 1) AND (first_seq <= last_seq))),
  constraint event_pages_check2 CHECK ((((news IS NULL) = (at_ms IS NULL)) AND ((news IS NULL) = (sums IS NULL)) AND ((news IS NULL) OR (message_ids IS NOT NULL))))
) with (toast_tuple_target=8160);
CREATE INDEX event_pages_recorded ON event_pages USING btree (recorded_ms);

create table idempotency_keys (
  tenant_id uuid not null,
  key_hash text collate "C" not null,
  fingerprint text not null,
  status_code smallint,
  response jsonb,
  message_id uuid,
  created_ms bigint not null,
  constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, key_hash)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_ms);

create table import_errors (
  tenant_id uuid not null,
  import_id uuid not null,
  row_number integer not null,
  outcome text not null,
  reason text not null,
  constraint import_errors_pkey PRIMARY KEY (tenant_id, import_id, row_number),
  constraint import_errors_outcome_check CHECK ((outcome = ANY (ARRAY['skipped'::text, 'failed'::text, 'invalid'::text, 'duplicate_in_file'::text, 'duplicate'::text])))
);

create table imports (
  tenant_id uuid not null,
  import_id uuid not null,
  media_id uuid not null,
  format text not null,
  mode text,
  match_on text,
  mapping jsonb,
  dry_run boolean not null,
  status text not null,
  total integer default 0 not null,
  created integer default 0 not null,
  updated integer default 0 not null,
  unchanged integer default 0 not null,
  skipped integer default 0 not null,
  failed integer default 0 not null,
  invalid integer default 0 not null,
  duplicate_in_file integer default 0 not null,
  error text,
  leased_until_ms bigint default 0 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  finished_ms bigint,
  kind text default 'contacts'::text not null,
  campaign_id uuid,
  added integer default 0 not null,
  duplicate integer default 0 not null,
  constraint imports_pkey PRIMARY KEY (tenant_id, import_id),
  constraint imports_check1 CHECK (((finished_ms IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'failed'::text])))),
  constraint imports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text]))),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['contacts'::text, 'recipients'::text]))),
  constraint imports_kind_fields CHECK ((((kind = 'contacts'::text) = (mode IS NOT NULL)) AND ((kind = 'contacts'::text) = (match_on IS NOT NULL)) AND ((kind = 'recipients'::text) = (campaign_id IS NOT NULL)))),
  constraint imports_match_on_check CHECK ((match_on = ANY (ARRAY['phone'::text, 'external_id'::text]))),
  constraint imports_mode_check CHECK ((mode = ANY (ARRAY['create'::text, 'update'::text, 'upsert'::text]))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text]))),
  constraint imports_total CHECK ((total = ((((((((created + updated) + unchanged) + skipped) + failed) + invalid) + duplicate_in_file) + added) + duplicate)))
);
CREATE INDEX imports_due ON imports USING btree (leased_until_ms) WHERE (finished_ms IS NULL);

create table inbound_media (
  tenant_id uuid not null,
  message_id uuid not null,
  phone_number_id text collate "C" not null,
  network_media_id text not null,
  mime_type text,
  sha256 text collate "C",
  filename text,
  status text default 'pending'::text not null,
  media_id uuid,
  error jsonb,
  attempts smallint default 0 not null,
  due_ms bigint,
  created_ms bigint not null,
  constraint inbound_media_pkey PRIMARY KEY (tenant_id, message_id),
  constraint inbound_media_check CHECK (((status = 'ready'::text) = (media_id IS NOT NULL))),
  constraint inbound_media_check1 CHECK (((status = 'pending'::text) = (due_ms IS NOT NULL))),
  constraint inbound_media_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX inbound_media_due ON inbound_media USING btree (due_ms) WHERE (due_ms IS NOT NULL);

create table inbound_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  network_message_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  sender text not null,
  from_phone text,
  from_user_id text,
  profile_name text,
  type text not null,
  body text,
  content jsonb not null,
  reply_to uuid,
  contact_id uuid not null,
  conversation_id uuid,
  network_ms bigint not null,
  created_ms bigint not null,
  referral jsonb,
  context jsonb,
  group_id text collate "C",
  opens_window boolean default true not null,
  versions jsonb,
  deleted_ms bigint,
  is_past boolean default false not null,
  constraint inbound_messages_pkey PRIMARY KEY (tenant_id, message_id)
);
CREATE INDEX inbound_messages_conversation ON inbound_messages USING btree (tenant_id, conversation_id, message_id);
CREATE INDEX inbound_messages_loose ON inbound_messages USING btree (tenant_id, contact_id, message_id) WHERE (conversation_id IS NULL);
CREATE UNIQUE INDEX inbound_messages_network_id ON inbound_messages USING btree (tenant_id, network_message_id);
CREATE INDEX inbound_messages_number ON inbound_messages USING btree (tenant_id, phone_number_id, message_id);
CREATE INDEX inbound_messages_sender ON inbound_messages USING btree (tenant_id, sender, message_id);
CREATE INDEX inbound_messages_type ON inbound_messages USING btree (tenant_id, type, message_id);

create table lane_owners (
  tenant_id uuid not null,
  lane_id text collate "C" not null,
  owner_id uuid,
  epoch bigint default 0 not null,
  constraint lane_owners_pkey PRIMARY KEY (tenant_id, lane_id)
);
CREATE INDEX lane_owners_owner ON lane_owners USING btree (owner_id);

create table link_states (
  tenant_id uuid not null,
  state_id uuid not null,
  key_id uuid,
  redirect_uri text not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms bigint,
  agent_id uuid,
  constraint link_states_pkey PRIMARY KEY (tenant_id, state_id)
);
CREATE INDEX link_states_expires ON link_states USING btree (tenant_id, expires_ms);

create table linked_accounts (
  tenant_id uuid not null,
  account_id uuid not null,
  network_account_ids text[] default '{}'::text[] not null,
  token text,
  token_key_id text,
  token_expires_ms bigint,
  steps jsonb not null,
  run_id uuid not null,
  run_until_ms bigint not null,
  replaced_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint linked_accounts_pkey PRIMARY KEY (tenant_id, account_id),
  constraint linked_accounts_check CHECK (((token IS NULL) = (token_key_id IS NULL))),
  constraint linked_accounts_check1 CHECK (((replaced_ms IS NULL) OR (token IS NULL)))
);

create table media (
  tenant_id uuid not null,
  media_id uuid not null,
  blob_id uuid not null,
  mime_type text not null,
  size bigint not null,
  sha256 text collate "C" not null,
  animated boolean default false not null,
  filename text,
  origin text not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  constraint media_pkey PRIMARY KEY (tenant_id, media_id),
  constraint media_origin_check CHECK ((origin = ANY (ARRAY['upload'::text, 'inbound'::text, 'resumable'::text])))
);
CREATE INDEX media_blob ON media USING btree (tenant_id, blob_id);
CREATE INDEX media_expires ON media USING btree (expires_ms);

create table media_blobs (
  tenant_id uuid not null,
  blob_id uuid not null,
  sha256 text collate "C" not null,
  size bigint not null,
  loose_ms bigint,
  removing boolean default false not null,
  created_ms bigint not null,
  constraint media_blobs_pkey PRIMARY KEY (tenant_id, blob_id),
  constraint media_blobs_size_check CHECK ((size > 0))
);
CREATE INDEX media_blobs_loose ON media_blobs USING btree (loose_ms) WHERE (loose_ms IS NOT NULL);
CREATE UNIQUE INDEX media_blobs_sha256 ON media_blobs USING btree (tenant_id, sha256) WHERE (NOT removing);

create table media_uploads (
  tenant_id uuid not null,
  media_id uuid not null,
  phone_number_id text collate "C" not null,
  network_media_id text not null,
  expires_ms bigint not null,
  constraint media_uploads_pkey PRIMARY KEY (tenant_id, media_id, phone_number_id)
);

create table network_blocks (
  tenant_id uuid not null,
  address text not null,
  phone_number_id text collate "C" not null,
  recipient text not null,
  is_wanted boolean not null,
  revision integer default 1 not null,
  due_ms bigint,
  leased_until_ms bigint,
  attempts smallint default 0 not null,
  network_code integer,
  reason text,
  changed_ms bigint not null,
  constraint network_blocks_pkey PRIMARY KEY (tenant_id, address, phone_number_id)
) with (fillfactor=85);
CREATE INDEX network_blocks_due ON network_blocks USING btree (due_ms) WHERE (due_ms IS NOT NULL);

create table notification_cursors (
  tenant_id uuid not null,
  last_seq bigint not null,
  constraint notification_cursors_pkey PRIMARY KEY (tenant_id)
);

create table notifications (
  tenant_id uuid not null,
  notification_id uuid not null,
  agent_id uuid not null,
  kind text not null,
  conversation_id uuid,
  message_id uuid,
  note_id uuid,
  actor_kind text,
  actor_id uuid,
  event_seq bigint not null,
  created_ms bigint not null,
  read_ms bigint,
  constraint notifications_pkey PRIMARY KEY (tenant_id, notification_id)
);
CREATE INDEX notifications_age ON notifications USING btree (created_ms);
CREATE INDEX notifications_conversation ON notifications USING btree (tenant_id, conversation_id);
CREATE INDEX notifications_list ON notifications USING btree (tenant_id, agent_id, notification_id);
CREATE UNIQUE INDEX notifications_once ON notifications USING btree (tenant_id, agent_id, event_seq, kind);
CREATE INDEX notifications_unread ON notifications USING btree (tenant_id, agent_id, notification_id) WHERE (read_ms IS NULL);

create table notifiers (
  notifier_id uuid not null,
  beat bigint not null,
  started_ms bigint not null,
  constraint notifiers_pkey PRIMARY KEY (notifier_id)
);

create table number_directory (
  phone_number_id text collate "C" not null,
  tenant_id uuid not null,
  constraint number_directory_pkey PRIMARY KEY (phone_number_id)
);

create table number_statuses (
  tenant_id uuid not null,
  phone_number_id text collate "C" not null,
  status_ms bigint not null,
  constraint number_statuses_pkey PRIMARY KEY (tenant_id, phone_number_id)
);

create table outbound_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  type text not null,
  to_phone text collate "C" not null,
  phone_number_id text collate "C" not null,
  content jsonb not null,
  campaign_name text collate "C",
  client_ref text,
  reply_to uuid,
  priority smallint not null,
  send_at_ms bigint,
  expires_ms bigint not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  status text default 'queued'::text not null,
  attempts smallint default 0 not null,
  network_message_id text collate "C",
  accepted_ms bigint,
  sent_ms bigint,
  sent_learned_ms bigint,
  delivered_ms bigint,
  delivered_learned_ms bigint,
  read_ms bigint,
  read_learned_ms bigint,
  failed_ms bigint,
  failed_learned_ms bigint,
  pricing jsonb,
  error jsonb,
  possible_duplicate boolean default false not null,
  requeued_after smallint default 0 not null,
  contact_id uuid,
  conversation_id uuid,
  history jsonb,
  resend_of uuid,
  news smallint default 0 not null,
  replied_ms bigint,
  author_kind smallint,
  author_id uuid,
  trace_parent text collate "C",
  versions jsonb,
  deleted_ms bigint,
  is_past boolean default false not null,
  constraint outbound_messages_pkey PRIMARY KEY (tenant_id, message_id),
  constraint outbound_messages_check CHECK (((status <> 'failed'::text) OR (error IS NOT NULL))),
  constraint outbound_messages_priority_check CHECK (((priority >= 0) AND (priority <= 2))),
  constraint outbound_messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text])))
) with (fillfactor=30);
CREATE INDEX outbound_messages_campaign ON outbound_messages USING btree (tenant_id, campaign_name, message_id) WHERE (campaign_name IS NOT NULL);
CREATE INDEX outbound_messages_client_ref ON outbound_messages USING btree (tenant_id, client_ref, message_id) WHERE (client_ref IS NOT NULL);
CREATE INDEX outbound_messages_conversation ON outbound_messages USING btree (tenant_id, conversation_id, message_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX outbound_messages_number ON outbound_messages USING btree (tenant_id, phone_number_id, message_id);
CREATE INDEX outbound_messages_possible_duplicate ON outbound_messages USING btree (tenant_id, message_id) WHERE possible_duplicate;
CREATE INDEX outbound_messages_to ON outbound_messages USING btree (tenant_id, to_phone, message_id);

create table parked_changes (
  tenant_id uuid not null,
  network_message_id text collate "C" not null,
  change_id text collate "C" not null,
  sender text not null,
  change jsonb not null,
  parked_ms bigint not null,
  constraint parked_changes_pkey PRIMARY KEY (tenant_id, network_message_id, change_id)
);
CREATE INDEX parked_changes_age ON parked_changes USING btree (parked_ms);

create table parked_statuses (
  tenant_id uuid not null,
  network_message_id text collate "C" not null,
  status text not null,
  recipient text collate "C" not null,
  item jsonb not null,
  parked_ms bigint not null,
  constraint parked_statuses_pkey PRIMARY KEY (tenant_id, network_message_id, status)
);
CREATE INDEX parked_statuses_parked ON parked_statuses USING btree (parked_ms);

create table passkey_challenges (
  challenge_hash text collate "C" not null,
  user_id uuid,
  expires_ms bigint not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX passkey_challenges_expired ON passkey_challenges USING btree (expires_ms);

create table passkeys (
  passkey_id uuid not null,
  user_id uuid not null,
  credential_id text collate "C" not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  backed_up boolean not null,
  created_ms bigint not null,
  last_used_ms bigint,
  constraint passkeys_pkey PRIMARY KEY (passkey_id)
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);

create table phone_numbers (
  tenant_id uuid not null,
  phone_number_id text collate "C" not null,
  display_phone text not null,
  name text,
  status text default 'active'::text not null,
  pause_reason text,
  rate_per_second integer,
  created_ms bigint not null,
  account_id uuid,
  network_account_id text,
  quality_rating text,
  messaging_limit text,
  throughput text,
  network_status text,
  network_told_ms bigint,
  paused_by text,
  version integer default 1 not null,
  removed_ms bigint,
  reopen_policy text default 'new_after'::text not null,
  reopen_hours integer default 24 not null,
  hours_id uuid,
  resolve_idle_hours integer,
  resolve_idle_waiting boolean default false not null,
  assign_on_reply boolean default false not null,
  constraint phone_numbers_pkey PRIMARY KEY (tenant_id, phone_number_id),
  constraint phone_numbers_paused_by_check CHECK ((paused_by = ANY (ARRAY['person'::text, 'network'::text]))),
  constraint phone_numbers_rate_per_second_check CHECK ((rate_per_second >= 0)),
  constraint phone_numbers_reopen_hours_check CHECK (((reopen_hours >= 1) AND (reopen_hours <= 8760))),
  constraint phone_numbers_reopen_policy_check CHECK ((reopen_policy = ANY (ARRAY['reopen_last'::text, 'new_after'::text, 'always_new'::text]))),
  constraint phone_numbers_resolve_idle_hours_check CHECK (((resolve_idle_hours >= 1) AND (resolve_idle_hours <= 8760))),
  constraint phone_numbers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);
CREATE INDEX phone_numbers_resolve_idle ON phone_numbers USING btree (tenant_id, phone_number_id) WHERE (resolve_idle_hours IS NOT NULL);

create table plans (
  plan_id text collate "C" not null,
  name text not null,
  price_minor_units bigint not null,
  currency text not null,
  billing_interval text not null,
  fair_use_messages bigint,
  fair_use_enforcement text default 'soft'::text not null,
  fair_use_warning_percent smallint default 80 not null,
  media_bytes bigint,
  grace_days smallint default 7 not null,
  is_default boolean,
  created_ms bigint not null,
  low_balance_micros bigint,
  constraint plans_pkey PRIMARY KEY (plan_id),
  constraint plans_billing_interval_check CHECK ((billing_interval = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint plans_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint plans_fair_use_enforcement_check CHECK ((fair_use_enforcement = ANY (ARRAY['soft'::text, 'hard'::text]))),
  constraint plans_fair_use_messages_check CHECK ((fair_use_messages >= 0)),
  constraint plans_fair_use_warning_percent_check CHECK (((fair_use_warning_percent >= 1) AND (fair_use_warning_percent <= 100))),
  constraint plans_grace_days_check CHECK (((grace_days >= 0) AND (grace_days <= 365))),
  constraint plans_is_default_check CHECK (is_default),
  constraint plans_low_balance_micros_check CHECK ((low_balance_micros > 0)),
  constraint plans_media_bytes_check CHECK ((media_bytes >= 0)),
  constraint plans_price_minor_units_check CHECK ((price_minor_units >= 0))
);
CREATE UNIQUE INDEX plans_default ON plans USING btree (is_default);

create table push_queue (
  tenant_id uuid not null,
  notification_id uuid not null,
  subscription_id uuid not null,
  agent_id uuid not null,
  due_ms bigint not null,
  attempts smallint default 0 not null,
  created_ms bigint not null,
  constraint push_queue_pkey PRIMARY KEY (tenant_id, notification_id, subscription_id)
);
CREATE INDEX push_queue_agent ON push_queue USING btree (tenant_id, agent_id);
CREATE INDEX push_queue_due ON push_queue USING btree (due_ms);
CREATE INDEX push_queue_subscription ON push_queue USING btree (tenant_id, subscription_id);

create table push_subscriptions (
  tenant_id uuid not null,
  subscription_id uuid not null,
  session_id uuid not null,
  agent_id uuid not null,
  user_id uuid not null,
  endpoint text not null,
  endpoint_hash text collate "C" not null,
  p256dh text not null,
  auth text not null,
  created_ms bigint not null,
  last_pushed_ms bigint,
  constraint push_subscriptions_pkey PRIMARY KEY (tenant_id, subscription_id)
);
CREATE INDEX push_subscriptions_agent ON push_subscriptions USING btree (tenant_id, agent_id);
CREATE INDEX push_subscriptions_endpoint ON push_subscriptions USING btree (endpoint_hash);
CREATE UNIQUE INDEX push_subscriptions_session ON push_subscriptions USING btree (tenant_id, session_id);

create table resumable_uploads (
  tenant_id uuid not null,
  upload_id uuid not null,
  size bigint not null,
  filename text,
  mime_type text,
  metadata jsonb,
  status text default 'uploading'::text not null,
  media_id uuid,
  session text,
  handle text,
  error jsonb,
  attempts smallint default 0 not null,
  due_ms bigint,
  created_ms bigint not null,
  constraint resumable_uploads_pkey PRIMARY KEY (tenant_id, upload_id),
  constraint resumable_uploads_check CHECK (((status = 'ready'::text) = (handle IS NOT NULL))),
  constraint resumable_uploads_check1 CHECK (((status = 'processing'::text) = (due_ms IS NOT NULL))),
  constraint resumable_uploads_size_check CHECK ((size > 0)),
  constraint resumable_uploads_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'processing'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX resumable_uploads_created ON resumable_uploads USING btree (created_ms);
CREATE INDEX resumable_uploads_due ON resumable_uploads USING btree (due_ms) WHERE (due_ms IS NOT NULL);

create table rule_budgets (
  tenant_id uuid not null,
  contact_id uuid not null,
  started_ms bigint not null,
  replies integer not null,
  paused_until_ms bigint,
  constraint rule_budgets_pkey PRIMARY KEY (tenant_id, contact_id)
) with (fillfactor=70);

create table rule_decisions (
  tenant_id uuid not null,
  decision_id uuid not null,
  message_id uuid not null,
  contact_id uuid not null,
  conversation_id uuid not null,
  silence_of uuid,
  set_version bigint not null,
  opened boolean not null,
  ignored text,
  facts jsonb not null,
  verdicts jsonb not null,
  actions jsonb not null,
  matched_rules uuid[] not null,
  stopped_by uuid,
  decided_ms bigint not null,
  constraint rule_decisions_pkey PRIMARY KEY (tenant_id, decision_id)
);
CREATE INDEX rule_decisions_conversation ON rule_decisions USING btree (tenant_id, conversation_id, decision_id);
CREATE INDEX rule_decisions_decided ON rule_decisions USING btree (decided_ms);

create table rule_queue (
  tenant_id uuid not null,
  message_id uuid not null,
  contact_id uuid not null,
  opened boolean not null,
  attempts smallint default 0 not null,
  due_ms bigint not null,
  constraint rule_queue_pkey PRIMARY KEY (tenant_id, message_id)
) with (fillfactor=70);
CREATE INDEX rule_queue_due ON rule_queue USING btree (due_ms);

create table rule_replies (
  tenant_id uuid not null,
  decision_id uuid not null,
  rule_id uuid not null,
  action smallint not null,
  place smallint not null,
  to_phone text not null,
  phone_number_id text not null,
  content jsonb not null,
  state text default 'pending'::text not null,
  message_id uuid,
  error jsonb,
  attempts smallint default 0 not null,
  due_ms bigint,
  created_ms bigint not null,
  constraint rule_replies_pkey PRIMARY KEY (tenant_id, decision_id, rule_id, action),
  constraint rule_replies_check CHECK (((state = 'pending'::text) = (due_ms IS NOT NULL))),
  constraint rule_replies_check1 CHECK (((state <> 'sent'::text) OR (message_id IS NOT NULL))),
  constraint rule_replies_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX rule_replies_due ON rule_replies USING btree (due_ms) WHERE (due_ms IS NOT NULL);
CREATE INDEX rule_replies_message ON rule_replies USING btree (tenant_id, message_id) WHERE (message_id IS NOT NULL);

create table rule_runs (
  tenant_id uuid not null,
  contact_id uuid not null,
  rule_id uuid not null,
  last_run_ms bigint not null,
  constraint rule_runs_pkey PRIMARY KEY (tenant_id, contact_id, rule_id)
) with (fillfactor=70);

create table rule_sets (
  tenant_id uuid not null,
  version bigint not null,
  enabled integer not null,
  silences jsonb not null,
  constraint rule_sets_pkey PRIMARY KEY (tenant_id)
);

create table rule_timers (
  tenant_id uuid not null,
  conversation_id uuid not null,
  rule_id uuid not null,
  timer_id uuid not null,
  contact_id uuid not null,
  message_id uuid not null,
  started_ms bigint not null,
  due_ms bigint not null,
  constraint rule_timers_pkey PRIMARY KEY (tenant_id, conversation_id, rule_id)
) with (fillfactor=70);
CREATE INDEX rule_timers_due ON rule_timers USING btree (due_ms);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_ms bigint not null,
  breaking boolean default false not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table search_cursors (
  tenant_id uuid not null,
  last_seq bigint not null,
  backfill_kind smallint,
  backfill_before uuid,
  constraint search_cursors_pkey PRIMARY KEY (tenant_id)
);
CREATE INDEX search_cursors_unfilled ON search_cursors USING btree (tenant_id) WHERE (backfill_kind IS NOT NULL);

create table search_documents (
  tenant_id uuid not null,
  kind smallint not null,
  subject_id uuid not null,
  portion integer not null,
  words tsvector not null,
  constraint search_documents_pkey PRIMARY KEY (tenant_id, kind, subject_id)
);
CREATE INDEX search_documents_words ON search_documents USING gin (words) WITH (fastupdate='on', gin_pending_list_limit='256');

create table search_portions (
  tenant_id uuid not null,
  kind smallint not null,
  portion integer not null,
  first_id uuid not null,
  last_id uuid not null,
  documents integer not null,
  constraint search_portions_pkey PRIMARY KEY (tenant_id, kind, portion)
);
CREATE UNIQUE INDEX search_portions_first ON search_portions USING btree (tenant_id, kind, first_id);

create table segments (
  tenant_id uuid not null,
  segment_id uuid not null,
  name text not null,
  condition jsonb not null,
  contact_count bigint,
  evaluated_ms bigint,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint segments_pkey PRIMARY KEY (tenant_id, segment_id)
);

create table send_queue (
  tenant_id uuid not null,
  message_id uuid not null,
  phone_number_id text collate "C" not null,
  state smallint default 0 not null,
  priority smallint not null,
  due_ms bigint not null,
  expires_ms bigint not null,
  attempts smallint default 0 not null,
  epoch bigint,
  to_phone text collate "C" not null,
  pair_reserved boolean default false not null,
  resends smallint default 0 not null,
  constraint send_queue_pkey PRIMARY KEY (tenant_id, message_id),
  constraint send_queue_check CHECK (((state = 0) = (epoch IS NULL))),
  constraint send_queue_state_check CHECK (((state >= 0) AND (state <= 2)))
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000, autovacuum_analyze_scale_factor=0.05, autovacuum_analyze_threshold=5000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX send_queue_lane ON send_queue USING btree (tenant_id, phone_number_id, state, priority, due_ms, message_id);

create table sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  session_hash text collate "C" not null,
  user_id uuid not null,
  agent_id uuid not null,
  created_ms bigint not null,
  signed_in_ms bigint not null,
  last_used_ms bigint not null,
  idle_ms bigint not null,
  expires_ms bigint not null,
  ended_ms bigint,
  user_agent text,
  address text,
  constraint sessions_pkey PRIMARY KEY (tenant_id, session_id)
);
CREATE INDEX sessions_expired ON sessions USING btree (expires_ms);
CREATE UNIQUE INDEX sessions_hash ON sessions USING btree (session_hash, tenant_id);
CREATE INDEX sessions_user ON sessions USING btree (user_id, session_id);

create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table sign_in_attempts (
  subject text collate "C" not null,
  attempts integer not null,
  ends_ms bigint not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_attempts_expired ON sign_in_attempts USING btree (ends_ms);

create table sign_in_links (
  link_hash text collate "C" not null,
  user_id uuid not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms bigint,
  recovers boolean default false not null,
  constraint sign_in_links_pkey PRIMARY KEY (link_hash)
);
CREATE INDEX sign_in_links_expired ON sign_in_links USING btree (expires_ms);
CREATE INDEX sign_in_links_user ON sign_in_links USING btree (user_id);

create table sso_connections (
  tenant_id uuid not null,
  issuer text not null,
  client_id text not null,
  secret_sealed text not null,
  secret_key_id text not null,
  scopes text[] not null,
  groups_claim text not null,
  roles jsonb not null,
  default_role text,
  allow_new boolean not null,
  only_sso boolean not null,
  break_glass_agent_id uuid,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint sso_connections_pkey PRIMARY KEY (tenant_id)
);

create table sso_sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  sid text,
  created_ms bigint not null,
  constraint sso_sessions_pkey PRIMARY KEY (tenant_id, session_id)
);
CREATE INDEX sso_sessions_created ON sso_sessions USING btree (created_ms);

create table sso_states (
  tenant_id uuid not null,
  state_hash text collate "C" not null,
  user_id uuid,
  return_to text not null,
  expires_ms bigint not null,
  constraint sso_states_pkey PRIMARY KEY (tenant_id, state_hash)
);
CREATE INDEX sso_states_expired ON sso_states USING btree (expires_ms);

create table subscriptions (
  tenant_id uuid not null,
  plan_id text collate "C" not null,
  status text not null,
  anchor_ms bigint not null,
  trial_ends_ms bigint,
  cancel_at_ms bigint,
  past_due_since_ms bigint,
  updated_ms bigint not null,
  gateway_id text collate "C",
  gateway_status text collate "C",
  gateway_event_ms bigint,
  constraint subscriptions_pkey PRIMARY KEY (tenant_id),
  constraint subscriptions_check CHECK (((status = 'past_due'::text) = (past_due_since_ms IS NOT NULL))),
  constraint subscriptions_check1 CHECK (((status <> 'trialing'::text) OR (trial_ends_ms IS NOT NULL))),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'paused'::text, 'canceled'::text])))
);
CREATE INDEX subscriptions_gateway ON subscriptions USING btree (gateway_id) WHERE (gateway_id IS NOT NULL);

create table suppression_heads (
  tenant_id uuid not null,
  last_seq bigint not null,
  constraint suppression_heads_pkey PRIMARY KEY (tenant_id)
);

create table suppressions (
  tenant_id uuid not null,
  phone_key text collate "C" not null,
  blocked boolean not null,
  opted_out boolean not null,
  change_seq bigint not null,
  stopped_numbers text[] default '{}'::text[] not null,
  constraint suppressions_pkey PRIMARY KEY (tenant_id, phone_key)
);
CREATE INDEX suppressions_changes ON suppressions USING btree (tenant_id, change_seq);

create table team_members (
  tenant_id uuid not null,
  team_id uuid not null,
  agent_id uuid not null,
  turn bigint default 0 not null,
  constraint team_members_pkey PRIMARY KEY (tenant_id, team_id, agent_id)
);
CREATE INDEX team_members_agent ON team_members USING btree (tenant_id, agent_id);

create table teams (
  tenant_id uuid not null,
  team_id uuid not null,
  name text not null,
  policy text not null,
  sticky boolean default true not null,
  reassign_on_reopen text default 'offline'::text not null,
  hours_id uuid,
  overflow_team_id uuid,
  required_skills text[] default '{}'::text[] not null,
  is_default boolean,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint teams_pkey PRIMARY KEY (tenant_id, team_id),
  constraint teams_check CHECK ((overflow_team_id <> team_id)),
  constraint teams_is_default_check CHECK (is_default),
  constraint teams_policy_check CHECK ((policy = ANY (ARRAY['manual'::text, 'round_robin'::text, 'least_loaded'::text]))),
  constraint teams_reassign_on_reopen_check CHECK ((reassign_on_reopen = ANY (ARRAY['offline'::text, 'always'::text, 'never'::text])))
);
CREATE UNIQUE INDEX teams_default ON teams USING btree (tenant_id) WHERE is_default;

create table template_accounts (
  tenant_id uuid not null,
  network_account_id text not null,
  synced_ms bigint,
  tried_ms bigint not null,
  error text,
  constraint template_accounts_pkey PRIMARY KEY (tenant_id, network_account_id)
);

create table template_books (
  tenant_id uuid not null,
  revision bigint not null,
  constraint template_books_pkey PRIMARY KEY (tenant_id)
);

create table template_history (
  tenant_id uuid not null,
  template_id uuid not null,
  entry_id uuid not null,
  kind text not null,
  cause text not null,
  details jsonb not null,
  at_ms bigint not null,
  constraint template_history_pkey PRIMARY KEY (tenant_id, template_id, entry_id),
  constraint template_history_cause_check CHECK ((cause = ANY (ARRAY['api'::text, 'network'::text, 'sync'::text])))
);

create table template_versions (
  tenant_id uuid not null,
  template_id uuid not null,
  version integer not null,
  category text not null,
  parameter_format text not null,
  components jsonb not null,
  message_ttl_s integer,
  created_ms bigint not null,
  edit_ms bigint,
  constraint template_versions_pkey PRIMARY KEY (tenant_id, template_id, version)
);

create table templates (
  tenant_id uuid not null,
  template_id uuid not null,
  network_account_id text not null,
  network_template_id text,
  name text not null,
  language text not null,
  category text not null,
  previous_category text,
  correct_category text,
  status text not null,
  reason text,
  quality text not null,
  parameter_format text not null,
  components jsonb not null,
  message_ttl_s integer,
  version integer not null,
  submitted_version integer,
  submitted_ms bigint,
  live jsonb,
  synced_ms bigint,
  told_ms jsonb default '{}'::jsonb not null,
  deleted_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  library jsonb,
  constraint templates_pkey PRIMARY KEY (tenant_id, template_id),
  constraint templates_category_check CHECK ((category = ANY (ARRAY['authentication'::text, 'marketing'::text, 'utility'::text]))),
  constraint templates_check CHECK (((status = 'deleted'::text) = (deleted_ms IS NOT NULL))),
  constraint templates_parameter_format_check CHECK ((parameter_format = ANY (ARRAY['positional'::text, 'named'::text]))),
  constraint templates_quality_check CHECK ((quality = ANY (ARRAY['green'::text, 'yellow'::text, 'red'::text, 'unknown'::text]))),
  constraint templates_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'approved'::text, 'rejected'::text, 'paused'::text, 'disabled'::text, 'in_appeal'::text, 'archived'::text, 'deleted'::text])))
);
CREATE UNIQUE INDEX templates_names ON templates USING btree (tenant_id, network_account_id, name, language) WHERE (deleted_ms IS NULL);
CREATE INDEX templates_network ON templates USING btree (network_account_id, name, language) WHERE (deleted_ms IS NULL);

create table tenants (
  tenant_id uuid not null,
  name text not null,
  window_policy text default 'network'::text not null,
  created_ms bigint not null,
  fallback_template text,
  fallback_language text,
  unknown_resends smallint default 1 not null,
  allowed_ips text[] default '{}'::text[] not null,
  state text default 'active'::text not null,
  state_reason text,
  state_ms bigint,
  allowed_countries text[] default '{}'::text[] not null,
  fence text,
  fence_by text,
  retention jsonb default '{}'::jsonb not null,
  constraint tenants_pkey PRIMARY KEY (tenant_id),
  constraint tenants_fallback_check CHECK ((((fallback_template IS NULL) = (fallback_language IS NULL)) AND ((window_policy <> 'template'::text) OR (fallback_template IS NOT NULL)))),
  constraint tenants_fence_check CHECK ((fence = ANY (ARRAY['drain'::text, 'refuse'::text, 'skip'::text]))),
  constraint tenants_state_check CHECK ((state = ANY (ARRAY['active'::text, 'suspended'::text, 'deleting'::text]))),
  constraint tenants_unknown_resends_check CHECK (((unknown_resends >= 0) AND (unknown_resends <= 2))),
  constraint tenants_window_policy_check CHECK ((window_policy = ANY (ARRAY['network'::text, 'refuse'::text, 'template'::text])))
);
CREATE INDEX tenants_fenced ON tenants USING btree (tenant_id) WHERE (fence IS NOT NULL);
CREATE INDEX tenants_inactive ON tenants USING btree (tenant_id) WHERE (state <> 'active'::text);

create table usage_alerts (
  tenant_id uuid not null,
  month_day integer not null,
  threshold text not null,
  told_ms bigint not null,
  constraint usage_alerts_pkey PRIMARY KEY (tenant_id, month_day, threshold),
  constraint usage_alerts_threshold_check CHECK ((threshold = ANY (ARRAY['warning'::text, 'exceeded'::text])))
);

create table usage_counters (
  tenant_id uuid not null,
  day integer not null,
  fact text collate "C" not null,
  phone_number_id text collate "C" not null,
  name text collate "C" not null,
  slot smallint not null,
  amount bigint not null,
  constraint usage_counters_pkey PRIMARY KEY (tenant_id, day, fact, phone_number_id, name, slot),
  constraint usage_counters_fact_check CHECK ((fact = ANY (ARRAY['outbound'::text, 'inbound'::text, 'category'::text, 'conversation'::text, 'media'::text]))),
  constraint usage_counters_slot_check CHECK (((slot >= 0) AND (slot <= 15)))
) with (fillfactor=50);

create table user_identities (
  tenant_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_ms bigint not null,
  last_used_ms bigint not null,
  constraint user_identities_pkey PRIMARY KEY (tenant_id, issuer, subject)
);
CREATE INDEX user_identities_user ON user_identities USING btree (tenant_id, user_id);

create table users (
  user_id uuid not null,
  name text not null,
  email text,
  preferences jsonb default '{}'::jsonb not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  password_hash text,
  totp_sealed text,
  totp_key_id text,
  totp_confirmed_ms bigint,
  totp_step bigint default 0 not null,
  recovery_hashes text[] default '{}'::text[] not null,
  email_confirmed_ms bigint,
  email_token_hash text collate "C",
  email_token_expires_ms bigint,
  constraint users_pkey PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email)) WHERE (email IS NOT NULL);

create table wallet_alerts (
  tenant_id uuid not null,
  told_ms bigint not null,
  constraint wallet_alerts_pkey PRIMARY KEY (tenant_id)
);

create table wallet_holds (
  tenant_id uuid not null,
  message_id uuid not null,
  amount_micros bigint not null,
  revived_ms bigint,
  constraint wallet_holds_pkey PRIMARY KEY (tenant_id, message_id),
  constraint wallet_holds_amount CHECK (((amount_micros > 0) OR ((amount_micros = 0) AND (revived_ms IS NOT NULL))))
);

create table wallet_prices (
  category text collate "C" not null,
  region text collate "C" not null,
  effective_from_ms bigint not null,
  unit_price_micros bigint not null,
  rerate_ms bigint,
  constraint wallet_prices_pkey PRIMARY KEY (category, region, effective_from_ms),
  constraint wallet_prices_region_check CHECK ((region ~ '^[0-9]{0,6}$'::text)),
  constraint wallet_prices_unit_price_micros_check CHECK ((unit_price_micros >= 0))
);

create table wallet_topups (
  tenant_id uuid not null,
  topup_id uuid not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  session_id text collate "C",
  checkout_url text,
  paid_amount bigint,
  transfer_id uuid,
  note text,
  ask_ms bigint,
  asked integer default 0 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  refund_told bigint default 0 not null,
  refund_taken bigint default 0 not null,
  constraint wallet_topups_pkey PRIMARY KEY (tenant_id, topup_id),
  constraint wallet_topups_amount_check CHECK ((amount > 0)),
  constraint wallet_topups_check CHECK (((status = 'paid'::text) = (paid_amount IS NOT NULL))),
  constraint wallet_topups_check1 CHECK (((status = 'paid'::text) = (transfer_id IS NOT NULL))),
  constraint wallet_topups_check2 CHECK (((status = 'pending'::text) OR (ask_ms IS NULL))),
  constraint wallet_topups_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint wallet_topups_paid_amount_check CHECK ((paid_amount > 0)),
  constraint wallet_topups_refund_taken CHECK (((refund_taken >= 0) AND (refund_taken <= refund_told))),
  constraint wallet_topups_refund_told_check CHECK ((refund_told >= 0)),
  constraint wallet_topups_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'expired'::text, 'failed'::text])))
);
CREATE INDEX wallet_topups_ask ON wallet_topups USING btree (ask_ms) WHERE (ask_ms IS NOT NULL);
CREATE INDEX wallet_topups_refunds_owed ON wallet_topups USING btree (tenant_id, topup_id) WHERE ((status = 'paid'::text) AND (refund_taken < LEAST(refund_told, paid_amount)));

create table wallet_transfers (
  tenant_id uuid not null,
  transfer_id uuid not null,
  kind text not null,
  from_account text not null,
  to_account text not null,
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  message_id uuid,
  description text not null,
  created_ms bigint not null,
  constraint wallet_transfers_pkey PRIMARY KEY (tenant_id, transfer_id),
  constraint wallet_transfers_amount_micros_check CHECK ((amount_micros > 0)),
  constraint wallet_transfers_check CHECK ((from_account <> to_account)),
  constraint wallet_transfers_from_account_check CHECK ((from_account = ANY (ARRAY['cash'::text, 'available'::text, 'held'::text, 'revenue'::text]))),
  constraint wallet_transfers_kind_check CHECK ((kind = ANY (ARRAY['topup'::text, 'hold'::text, 'capture'::text, 'release'::text, 'adjustment'::text]))),
  constraint wallet_transfers_to_account_check CHECK ((to_account = ANY (ARRAY['cash'::text, 'available'::text, 'held'::text, 'revenue'::text])))
);
CREATE INDEX wallet_transfers_held ON wallet_transfers USING btree (tenant_id, message_id) WHERE ((kind = 'hold'::text) AND (transfer_id <> message_id));
CREATE INDEX wallet_transfers_paid ON wallet_transfers USING btree (tenant_id, message_id) WHERE (kind = ANY (ARRAY['capture'::text, 'adjustment'::text]));

create table wallets (
  tenant_id uuid not null,
  available_micros bigint not null,
  held_micros bigint not null,
  updated_ms bigint not null,
  last_transfer_id uuid,
  constraint wallets_pkey PRIMARY KEY (tenant_id),
  constraint wallets_available_micros_check CHECK ((available_micros >= 0)),
  constraint wallets_held_micros_check CHECK ((held_micros >= 0))
);

create table webhook_deliveries (
  tenant_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  sequence bigint,
  type text not null,
  body text,
  state text not null,
  attempts integer default 0 not null,
  due_ms bigint,
  order_key text collate "C",
  blocks_until_ms bigint,
  overtaken boolean default false not null,
  log jsonb default '[]'::jsonb not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (tenant_id, delivery_id),
  constraint webhook_deliveries_check CHECK (((state = 'pending'::text) = (due_ms IS NOT NULL))),
  constraint webhook_deliveries_check1 CHECK (((sequence IS NULL) = (body IS NOT NULL))),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_ms);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (tenant_id, endpoint_id, due_ms) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_list ON webhook_deliveries USING btree (tenant_id, endpoint_id, delivery_id);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries USING btree (tenant_id, endpoint_id, event_id);
CREATE INDEX webhook_deliveries_order ON webhook_deliveries USING btree (tenant_id, endpoint_id, order_key, sequence) WHERE ((state = 'pending'::text) AND (order_key IS NOT NULL));

create table webhook_endpoints (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  description text,
  types text[],
  disabled_reason text,
  disabled_ms bigint,
  ordering text not null,
  secret_sealed text not null,
  secret_key_id text not null,
  old_secret_sealed text,
  old_secret_key_id text,
  old_secret_until_ms bigint,
  version integer default 1 not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  format text default 'postrider'::text not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (tenant_id, endpoint_id),
  constraint webhook_endpoints_check CHECK (((disabled_reason IS NULL) = (disabled_ms IS NULL))),
  constraint webhook_endpoints_check1 CHECK (((old_secret_sealed IS NULL) = (old_secret_until_ms IS NULL))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['person'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_format_check CHECK ((format = ANY (ARRAY['postrider'::text, 'network'::text]))),
  constraint webhook_endpoints_ordering_check CHECK ((ordering = ANY (ARRAY['none'::text, 'conversation'::text])))
);

create table webhook_lanes (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  taken_seq bigint not null,
  failing_since_ms bigint,
  failing_told_ms bigint,
  constraint webhook_lanes_pkey PRIMARY KEY (tenant_id, endpoint_id)
) with (fillfactor=50);
