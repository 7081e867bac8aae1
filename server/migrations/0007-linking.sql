-- Linked accounts: permissions that people gave in the network's dialog, their tokens, and what is known of the numbers.

-- One row per dialog that was asked for. The state that travels through the browser names the row.
create table link_states (
  tenant_id uuid not null,
  state_id uuid not null,
  -- The key that asked: what the callback changes is told of it in the audit log.
  key_id uuid not null,
  -- Where the dialog leads back to. The exchange of the code must name the same address.
  redirect_uri text not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  -- Set by the one callback that may use the state.
  used_ms bigint,
  primary key (tenant_id, state_id)
);
create index link_states_expires on link_states (tenant_id, expires_ms);

-- One row per permission that came back from the dialog. Linking again makes a new row, and the old one is replaced.
create table linked_accounts (
  tenant_id uuid not null,
  account_id uuid not null,
  -- The accounts of the network that the permission is for. Empty until the network has named them.
  network_account_ids text[] not null default '{}',
  -- The access token under AES-256-GCM, base64 of nonce, tag and ciphertext. Null: not here yet, or no longer needed.
  token text,
  -- Which key it is encrypted with.
  token_key_id text,
  token_expires_ms bigint,
  -- What linking consists of and how far each step has come, a json array.
  steps jsonb not null,
  -- The run that may write steps, and until when it counts as alive. One that was killed is succeeded after that.
  run_id uuid not null,
  run_until_ms bigint not null,
  -- Set when a later permission took over all of its numbers. The token is forgotten then.
  replaced_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, account_id),
  check ((token is null) = (token_key_id is null)),
  check (replaced_ms is null or token is null)
);

-- The linked account whose token the number uses. Null: a number of the operator, with the token of the settings.
alter table phone_numbers add column account_id uuid;
-- The account of the network that the number belongs to.
alter table phone_numbers add column network_account_id text;
-- What the network last said of it, in its own words.
alter table phone_numbers add column quality_rating text;
alter table phone_numbers add column messaging_limit text;
alter table phone_numbers add column throughput text;
alter table phone_numbers add column network_status text;
alter table phone_numbers add column network_told_ms bigint;
-- Who paused it. What the network caused ends when the account is linked again, what a person did does not.
alter table phone_numbers add column paused_by text;
alter table phone_numbers add constraint phone_numbers_paused_by_check check (paused_by in ('person', 'network'));
-- Grows with each change, for If-Match.
alter table phone_numbers add column version integer not null default 1;
-- Set when the tenant removed it. The row stays, because messages name it.
alter table phone_numbers add column removed_ms bigint;
