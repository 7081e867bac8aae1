-- Passkeys belong to people, who may work in several tenants.
create table passkeys (
  passkey_id uuid primary key,
  user_id uuid not null,
  -- What the authenticator calls the key, in base64url.
  credential_id text collate "C" not null,
  -- COSE key in base64url. It is no secret.
  public_key text not null,
  -- How often it signed, as far as the authenticator says; 0 for those that do not count.
  counter bigint not null,
  -- How browsers reach the authenticator: internal, usb, nfc, ble, hybrid.
  transports text[] not null,
  name text not null,
  -- Whether the authenticator keeps copies of it elsewhere.
  backed_up boolean not null,
  created_ms bigint not null,
  last_used_ms bigint
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);

-- What an authenticator must sign, once. Only hashes are stored.
create table passkey_challenges (
  challenge_hash text collate "C" primary key,
  -- Of whoever adds a passkey; null: somebody signs in.
  user_id uuid,
  expires_ms bigint not null
);
create index passkey_challenges_expired on passkey_challenges (expires_ms);
