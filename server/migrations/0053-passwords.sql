-- What people sign in with by themselves: a password, and a second factor beside it.
-- Argon2id in the PHC form; null: the person has no password.
alter table users add column password_hash text;
-- The secret of the authenticator app, encrypted, with the key that opens it; null: none was made.
alter table users add column totp_sealed text;
alter table users add column totp_key_id text;
-- When the person proved that the app knows the secret; null: not yet, so that no code is asked for.
alter table users add column totp_confirmed_ms bigint;
-- The last time step whose code was used: none works twice.
alter table users add column totp_step bigint default 0 not null;
-- SHA-256 of the recovery codes that were not used.
alter table users add column recovery_hashes text[] default '{}'::text[] not null;

-- Attempts to sign in that failed, or have not ended yet. The subject is an account or a network address, hashed.
create table sign_in_attempts (
  subject text collate "C" primary key,
  attempts integer not null,
  -- When counting begins anew.
  ends_ms bigint not null
);
create index sign_in_attempts_expired on sign_in_attempts (ends_ms);
