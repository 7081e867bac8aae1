-- People. A person is an agent in one or several tenants, and signs in; agents without a person stay possible.
create table users (
  user_id uuid primary key,
  name text not null,
  -- What the person signs in with; null: a one-time link only.
  email text,
  preferences jsonb default '{}'::jsonb not null,
  created_ms bigint not null,
  updated_ms bigint not null
);
create unique index users_email on users (lower(email)) where email is not null;

alter table agents add column user_id uuid;

-- Of a session only the hash of its token is stored.
create table sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  session_hash text collate "C" not null,
  user_id uuid not null,
  agent_id uuid not null,
  created_ms bigint not null,
  -- When the person last proved who they are: some operations ask for it anew.
  signed_in_ms bigint not null,
  last_used_ms bigint not null,
  -- Without use for so long it ends.
  idle_ms bigint not null,
  -- Then it ends in any case.
  expires_ms bigint not null,
  ended_ms bigint,
  user_agent text,
  address text,
  primary key (tenant_id, session_id)
);
create unique index sessions_hash on sessions (session_hash, tenant_id);
create index sessions_user on sessions (user_id, session_id);
create index sessions_expired on sessions (expires_ms);

-- Links that sign a person in once. Of a link only the hash of its token is stored.
create table sign_in_links (
  link_hash text collate "C" primary key,
  user_id uuid not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms bigint
);
create index sign_in_links_user on sign_in_links (user_id);
create index sign_in_links_expired on sign_in_links (expires_ms);

-- What a signed-in person does is done by their agent, without a key.
alter table audit_log drop constraint audit_log_actor_check;
alter table audit_log add constraint audit_log_actor_check
  check (actor = any (array['key'::text, 'operator'::text, 'service'::text, 'agent'::text])) not valid;

-- The dialog of the network can be opened by a person, too.
alter table link_states alter column key_id drop not null;
alter table link_states add column agent_id uuid;
