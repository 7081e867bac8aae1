-- Dumped from the migrations by "npm run gen"; not to be edited.

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
  constraint audit_log_pkey PRIMARY KEY (tenant_id, entry_id),
  constraint audit_log_actor_check CHECK ((actor = ANY (ARRAY['key'::text, 'operator'::text, 'service'::text]))),
  constraint audit_log_check CHECK (((actor = 'key'::text) = (actor_key_id IS NOT NULL)))
);
CREATE INDEX audit_log_target ON audit_log USING btree (tenant_id, target_id, entry_id);

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

create table callbacks (
  callback_id uuid not null,
  received_ms bigint not null,
  body text storage external not null,
  is_base64 boolean default false not null,
  constraint callbacks_pkey PRIMARY KEY (callback_id)
);

create table contact_identities (
  tenant_id uuid not null,
  kind text not null,
  value text not null,
  contact_id uuid not null,
  constraint contact_identities_pkey PRIMARY KEY (tenant_id, kind, value),
  constraint contact_identities_kind_check CHECK ((kind = ANY (ARRAY['phone'::text, 'user_id'::text])))
);

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
  constraint contacts_pkey PRIMARY KEY (tenant_id, contact_id)
);

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
  constraint conversations_pkey PRIMARY KEY (tenant_id, conversation_id),
  constraint conversations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'pending'::text, 'snoozed'::text, 'resolved'::text])))
);
CREATE INDEX conversations_contact ON conversations USING btree (tenant_id, contact_id);
CREATE UNIQUE INDEX conversations_one_open ON conversations USING btree (tenant_id, contact_id, phone_number_id) WHERE (status <> 'resolved'::text);
CREATE INDEX conversations_recent ON conversations USING btree (tenant_id, status, last_message_ms);

create table dead_letters (
  tenant_id uuid not null,
  message_id uuid not null,
  code text not null,
  reason text not null,
  dead_ms bigint not null,
  constraint dead_letters_pkey PRIMARY KEY (tenant_id, message_id)
);

create table dispatchers (
  dispatcher_id uuid not null,
  beat bigint not null,
  started_ms bigint not null,
  constraint dispatchers_pkey PRIMARY KEY (dispatcher_id)
);

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
  conversation_id uuid not null,
  network_ms bigint not null,
  created_ms bigint not null,
  constraint inbound_messages_pkey PRIMARY KEY (tenant_id, message_id)
);
CREATE INDEX inbound_messages_conversation ON inbound_messages USING btree (tenant_id, conversation_id, message_id);
CREATE UNIQUE INDEX inbound_messages_network_id ON inbound_messages USING btree (tenant_id, network_message_id);
CREATE INDEX inbound_messages_number ON inbound_messages USING btree (tenant_id, phone_number_id, message_id);
CREATE INDEX inbound_messages_sender ON inbound_messages USING btree (tenant_id, sender, message_id);
CREATE INDEX inbound_messages_type ON inbound_messages USING btree (tenant_id, type, message_id);

create table lanes (
  tenant_id uuid not null,
  phone_number_id text collate "C" not null,
  owner_id uuid,
  epoch bigint default 0 not null,
  constraint lanes_pkey PRIMARY KEY (tenant_id, phone_number_id)
);
CREATE INDEX lanes_owner ON lanes USING btree (owner_id);

create table link_states (
  tenant_id uuid not null,
  state_id uuid not null,
  key_id uuid not null,
  redirect_uri text not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms bigint,
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

create table number_directory (
  phone_number_id text collate "C" not null,
  tenant_id uuid not null,
  constraint number_directory_pkey PRIMARY KEY (phone_number_id)
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
  constraint outbound_messages_pkey PRIMARY KEY (tenant_id, message_id),
  constraint outbound_messages_check CHECK (((status <> 'failed'::text) OR (error IS NOT NULL))),
  constraint outbound_messages_priority_check CHECK (((priority >= 0) AND (priority <= 2))),
  constraint outbound_messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text])))
) with (fillfactor=70);
CREATE INDEX outbound_messages_campaign ON outbound_messages USING btree (tenant_id, campaign_name, message_id) WHERE (campaign_name IS NOT NULL);
CREATE INDEX outbound_messages_conversation ON outbound_messages USING btree (tenant_id, conversation_id, message_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX outbound_messages_number ON outbound_messages USING btree (tenant_id, phone_number_id, message_id);
CREATE INDEX outbound_messages_to ON outbound_messages USING btree (tenant_id, to_phone, message_id);

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
  constraint phone_numbers_pkey PRIMARY KEY (tenant_id, phone_number_id),
  constraint phone_numbers_paused_by_check CHECK ((paused_by = ANY (ARRAY['person'::text, 'network'::text]))),
  constraint phone_numbers_rate_per_second_check CHECK ((rate_per_second >= 0)),
  constraint phone_numbers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);

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
  constraint plans_pkey PRIMARY KEY (plan_id),
  constraint plans_billing_interval_check CHECK ((billing_interval = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint plans_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint plans_fair_use_enforcement_check CHECK ((fair_use_enforcement = ANY (ARRAY['soft'::text, 'hard'::text]))),
  constraint plans_fair_use_messages_check CHECK ((fair_use_messages >= 0)),
  constraint plans_fair_use_warning_percent_check CHECK (((fair_use_warning_percent >= 1) AND (fair_use_warning_percent <= 100))),
  constraint plans_grace_days_check CHECK (((grace_days >= 0) AND (grace_days <= 365))),
  constraint plans_is_default_check CHECK (is_default),
  constraint plans_media_bytes_check CHECK ((media_bytes >= 0)),
  constraint plans_price_minor_units_check CHECK ((price_minor_units >= 0))
);
CREATE UNIQUE INDEX plans_default ON plans USING btree (is_default);

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

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_ms bigint not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
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
  constraint send_queue_pkey PRIMARY KEY (tenant_id, message_id),
  constraint send_queue_check CHECK (((state = 0) = (epoch IS NULL))),
  constraint send_queue_state_check CHECK (((state >= 0) AND (state <= 2)))
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000, autovacuum_analyze_scale_factor=0.05, autovacuum_analyze_threshold=5000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX send_queue_lane ON send_queue USING btree (tenant_id, phone_number_id, state, priority, due_ms, message_id);

create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey PRIMARY KEY (name)
);

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

create table tenants (
  tenant_id uuid not null,
  name text not null,
  on_unknown text default 'resend'::text not null,
  window_policy text default 'network'::text not null,
  created_ms bigint not null,
  constraint tenants_pkey PRIMARY KEY (tenant_id),
  constraint tenants_on_unknown_check CHECK ((on_unknown = ANY (ARRAY['resend'::text, 'fail'::text]))),
  constraint tenants_window_policy_check CHECK ((window_policy = ANY (ARRAY['network'::text, 'refuse'::text])))
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

create table wallet_holds (
  tenant_id uuid not null,
  message_id uuid not null,
  amount_micros bigint not null,
  constraint wallet_holds_pkey PRIMARY KEY (tenant_id, message_id),
  constraint wallet_holds_amount_micros_check CHECK ((amount_micros > 0))
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
  constraint wallet_topups_pkey PRIMARY KEY (tenant_id, topup_id),
  constraint wallet_topups_amount_check CHECK ((amount > 0)),
  constraint wallet_topups_check CHECK (((status = 'paid'::text) = (paid_amount IS NOT NULL))),
  constraint wallet_topups_check1 CHECK (((status = 'paid'::text) = (transfer_id IS NOT NULL))),
  constraint wallet_topups_check2 CHECK (((status = 'pending'::text) OR (ask_ms IS NULL))),
  constraint wallet_topups_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint wallet_topups_paid_amount_check CHECK ((paid_amount > 0)),
  constraint wallet_topups_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'expired'::text, 'failed'::text])))
);
CREATE INDEX wallet_topups_ask ON wallet_topups USING btree (ask_ms) WHERE (ask_ms IS NOT NULL);

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
CREATE INDEX wallet_transfers_paid ON wallet_transfers USING btree (tenant_id, message_id) WHERE (kind = ANY (ARRAY['capture'::text, 'adjustment'::text]));

create table wallets (
  tenant_id uuid not null,
  available_micros bigint not null,
  held_micros bigint not null,
  updated_ms bigint not null,
  constraint wallets_pkey PRIMARY KEY (tenant_id),
  constraint wallets_available_micros_check CHECK ((available_micros >= 0)),
  constraint wallets_held_micros_check CHECK ((held_micros >= 0))
);
