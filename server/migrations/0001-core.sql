-- The core: tenants, keys, numbers, messages, the queue, callbacks, contacts and conversations.
-- Every table of a tenant has tenant_id first in its primary key and in every unique index: its rows stand together, and
-- can be told from those of others. Times are bigint milliseconds since 1970, always handed in as parameters. Indexed texts that are tokens
-- and not words are compared by their bytes (collate "C"): no language's rules, whatever the server's locale is.

-- ---- System tables: small, not a tenant's. ----

create table settings (
  name text primary key,
  value text not null
);

create table tenants (
  tenant_id uuid primary key,
  name text not null,
  -- What to do with a send whose outcome stayed unknown after the wait.
  on_unknown text not null default 'resend' check (on_unknown in ('resend', 'fail')),
  -- A free-form message outside the 24-hour window: left to the network, or refused before it is stored.
  window_policy text not null default 'network' check (window_policy in ('network', 'refuse')),
  created_ms bigint not null
);

-- Routes a callback to its tenant, and holds "a number belongs to one tenant".
create table number_directory (
  phone_number_id text collate "C" primary key,
  tenant_id uuid not null
);

-- One row per live dispatcher. Others watch `beat`: it stands still when the process is dead or frozen.
create table dispatchers (
  dispatcher_id uuid primary key,
  beat bigint not null,
  started_ms bigint not null
);

-- Callbacks of the network exactly as they came; append-only until retention removes them. Up to 8 kB they are not
-- compressed: that cost more than everything else about a callback.
create table callbacks (
  callback_id uuid primary key,
  received_ms bigint not null,
  -- The raw body. Base64 when it is not valid UTF-8 text.
  body text not null,
  is_base64 boolean not null default false
) with (toast_tuple_target = 8160);

-- Callbacks still to be interpreted. A row goes away in the transaction that stores what the callback said.
create table callback_queue (
  callback_id uuid primary key,
  attempts smallint not null default 0
);

-- Items of callbacks that nothing consumed: unknown kinds, malformed or foreign ones. Kept, counted, replayable.
create table callback_leftovers (
  callback_id uuid not null,
  item smallint not null,
  name text not null,
  reason text not null,
  raw jsonb not null,
  recorded_ms bigint not null,
  primary key (callback_id, item)
);
create index callback_leftovers_name on callback_leftovers (name, recorded_ms);

-- ---- Tables of a tenant ----

create table api_keys (
  tenant_id uuid not null,
  key_id uuid not null,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  -- SHA-256 of the whole key, base64. The key itself is shown once and never stored.
  key_hash text collate "C" not null,
  -- The first characters, so that a person can tell keys apart.
  hint text not null,
  scopes text[] not null default '{}',
  created_ms bigint not null,
  expires_ms bigint,
  revoked_ms bigint,
  last_used_ms bigint,
  primary key (tenant_id, key_id)
);
create unique index api_keys_hash on api_keys (key_hash, tenant_id);

create table phone_numbers (
  tenant_id uuid not null,
  phone_number_id text collate "C" not null,
  -- Digits only.
  display_phone text not null,
  name text,
  status text not null default 'active' check (status in ('active', 'paused')),
  pause_reason text,
  -- Messages per second; null: the configured default; 0: no limit.
  rate_per_second integer check (rate_per_second >= 0),
  created_ms bigint not null,
  primary key (tenant_id, phone_number_id)
);

-- A lane is one sending number. One dispatcher owns it; the epoch grows at each change of owner.
create table lanes (
  tenant_id uuid not null,
  phone_number_id text collate "C" not null,
  owner_id uuid,
  epoch bigint not null default 0,
  primary key (tenant_id, phone_number_id)
);
create index lanes_owner on lanes (owner_id);

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
  priority smallint not null check (priority between 0 and 2),
  send_at_ms bigint,
  expires_ms bigint not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  -- `sending` is not stored here: it is a claimed row of send_queue.
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts smallint not null default 0,
  network_message_id text collate "C",
  -- accepted: our clock, when the network took it. The others: the network's time, and when we learned it.
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
  possible_duplicate boolean not null default false,
  -- Attempts made before the last requeue: a late "failed" of one of them no longer fails the message.
  requeued_after smallint not null default 0,
  contact_id uuid,
  conversation_id uuid,
  -- What happened besides the ordinary way: waits, retries, unknown outcomes. A json array of trace entries.
  history jsonb,
  primary key (tenant_id, message_id),
  check (status <> 'failed' or error is not null)
) with (fillfactor = 70);
-- Also finds a message by the network's id: the recipient is known with it, and few messages have the same one. An
-- index on the id itself would make each settlement rewrite every index of the row.
create index outbound_messages_to on outbound_messages (tenant_id, to_phone, message_id);
create index outbound_messages_number on outbound_messages (tenant_id, phone_number_id, message_id);
create index outbound_messages_campaign on outbound_messages (tenant_id, campaign_name, message_id) where campaign_name is not null;
create index outbound_messages_conversation on outbound_messages (tenant_id, conversation_id, message_id) where conversation_id is not null;

-- Messages still owed a send. Narrow, and touched by every send: keep it so.
create table send_queue (
  tenant_id uuid not null,
  message_id uuid not null,
  phone_number_id text collate "C" not null,
  -- 0 ready, 1 claimed (the durable mark "sending"), 2 unknown: waits for a status that carries its echo.
  state smallint not null default 0 check (state between 0 and 2),
  priority smallint not null,
  due_ms bigint not null,
  expires_ms bigint not null,
  attempts smallint not null default 0,
  -- The epoch of the lane under which the row was claimed. Null while it is ready.
  epoch bigint,
  to_phone text collate "C" not null,
  -- True when its turn for this recipient is already paid for (due_ms is the reserved turn).
  pair_reserved boolean not null default false,
  primary key (tenant_id, message_id),
  check ((state = 0) = (epoch is null))
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
create index send_queue_lane on send_queue (tenant_id, phone_number_id, state, priority, due_ms, message_id);

-- Every failed message with its reason, until it is requeued or the network's word revives it: what the list of failed
-- messages walks, so that outbound_messages needs no index on its status (which would make each settlement rewrite
-- all of its indexes).
create table dead_letters (
  tenant_id uuid not null,
  message_id uuid not null,
  code text not null,
  reason text not null,
  dead_ms bigint not null,
  primary key (tenant_id, message_id)
);

create table idempotency_keys (
  tenant_id uuid not null,
  -- SHA-256 of the key, base64: equal length whatever the caller sends.
  key_hash text collate "C" not null,
  -- SHA-256 of method, path and body: another request under the same key is refused.
  fingerprint text not null,
  -- Null while the first request is still running.
  status_code smallint,
  response jsonb,
  message_id uuid,
  created_ms bigint not null,
  primary key (tenant_id, key_hash)
);
create index idempotency_keys_created on idempotency_keys (created_ms);

-- Statuses that came before we knew the network's id of their message, and without our echo.
create table parked_statuses (
  tenant_id uuid not null,
  network_message_id text collate "C" not null,
  status text not null,
  recipient text collate "C" not null,
  item jsonb not null,
  parked_ms bigint not null,
  primary key (tenant_id, network_message_id, status)
);
create index parked_statuses_parked on parked_statuses (parked_ms);

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
  primary key (tenant_id, contact_id)
);

-- What a contact can be recognised by. One person, one contact: the primary key holds it.
create table contact_identities (
  tenant_id uuid not null,
  kind text not null check (kind in ('phone', 'user_id')),
  value text not null,
  contact_id uuid not null,
  primary key (tenant_id, kind, value)
);

create table conversations (
  tenant_id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  phone_number_id text collate "C" not null,
  status text not null default 'open' check (status in ('open', 'pending', 'snoozed', 'resolved')),
  unread_count integer not null default 0,
  last_message_ms bigint not null,
  last_inbound_ms bigint,
  window_expires_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, conversation_id)
);
-- The one open conversation per contact and number.
create unique index conversations_one_open on conversations (tenant_id, contact_id, phone_number_id) where status <> 'resolved';
create index conversations_contact on conversations (tenant_id, contact_id);
create index conversations_recent on conversations (tenant_id, status, last_message_ms);

create table inbound_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  network_message_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  -- The sender: digits of a phone number, or the network's user id of someone who shows no number.
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
  primary key (tenant_id, message_id)
);
create unique index inbound_messages_network_id on inbound_messages (tenant_id, network_message_id);
create index inbound_messages_sender on inbound_messages (tenant_id, sender, message_id);
create index inbound_messages_type on inbound_messages (tenant_id, type, message_id);
create index inbound_messages_number on inbound_messages (tenant_id, phone_number_id, message_id);
create index inbound_messages_conversation on inbound_messages (tenant_id, conversation_id, message_id);
