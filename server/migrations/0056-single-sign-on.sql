-- How the people of a tenant sign in at its own identity provider (OpenID Connect).
create table sso_connections (
  tenant_id uuid primary key,
  issuer text not null,
  client_id text not null,
  -- The client secret, encrypted, and the ID of the key that opens it.
  secret_sealed text not null,
  secret_key_id text not null,
  -- Beside openid.
  scopes text[] not null,
  -- The claim that lists a person's groups.
  groups_claim text not null,
  -- Of a person's groups the first of this list decides the role: [{"group", "role"}].
  roles jsonb not null,
  -- Without such a group; null: such a person may not sign in.
  default_role text,
  -- Whether people whom nobody invited become agents.
  allow_new boolean not null,
  -- Whether people sign in to this tenant in no other way, but for the owner who is this agent.
  only_sso boolean not null,
  break_glass_agent_id uuid,
  created_ms bigint not null,
  updated_ms bigint not null
);

-- Who is who at an identity provider. Of a tenant: a provider speaks for the people of its own tenant alone.
create table user_identities (
  tenant_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_ms bigint not null,
  last_used_ms bigint not null,
  primary key (tenant_id, issuer, subject)
);
create index user_identities_user on user_identities (tenant_id, user_id);

-- Sign-ins that are under way at an identity provider. Only hashes are stored.
create table sso_states (
  tenant_id uuid not null,
  state_hash text collate "C" not null,
  -- Who connects the identity to what they are here; null: somebody signs in.
  user_id uuid,
  return_to text not null,
  expires_ms bigint not null,
  primary key (tenant_id, state_hash)
);
create index sso_states_expired on sso_states (expires_ms);

-- Which sessions were begun by single sign-on, and what the provider calls its own session.
create table sso_sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  sid text,
  created_ms bigint not null,
  primary key (tenant_id, session_id)
);
create index sso_sessions_created on sso_sessions (created_ms);
