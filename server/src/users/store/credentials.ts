import type { UserId } from '#core/ids';
import type { SealedToken } from '#core/sealed-token';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { WaysIn } from '#users/domain/ways-in';

/** What a person proves with who they are. */
export interface Credentials {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string | null;
  /** Null: the person has no password. */
  readonly passwordHash: string | null;
  /** Null: no secret was made. */
  readonly totpSealed: string | null;
  readonly totpKeyId: string | null;
  /** Null: the secret is not in use yet. */
  readonly totpConfirmedMs: number | null;
  /** The last time step whose code was used. */
  readonly totpStep: number;
  readonly recoveryHashes: readonly string[];
}

const FIELDS = `
  user_id, name, email, password_hash, totp_sealed, totp_key_id, totp_confirmed_ms, totp_step, recovery_hashes`;

const BY_EMAIL = statement('credentials_by_email')`select ${FIELDS} from users where lower(email) = lower($1)`;

/** @returns null when nobody signs in with this address */
export async function findCredentialsByEmail(db: SqlRunner, email: string): Promise<Credentials | null> {
  return firstRow(db.run<Credentials>(BY_EMAIL, [email]));
}

const OF_USER = statement('credentials_find')`select ${FIELDS} from users where user_id = $1`;
const LOCK = statement('credentials_lock')`${OF_USER.text} for update`;

export async function findCredentials(db: SqlRunner, userId: UserId): Promise<Credentials | null> {
  return firstRow(db.run<Credentials>(OF_USER, [userId]));
}

/** The same, held until the end of the transaction: what is decided by them cannot change meanwhile. */
export async function lockCredentials(tx: Transaction, userId: UserId): Promise<Credentials | null> {
  return firstRow(tx.run<Credentials>(LOCK, [userId]));
}

const WAYS_IN = statement('user_ways_in')`
select password_hash is not null as password, totp_confirmed_ms is not null as totp,
  cardinality(recovery_hashes) as recovery_codes,
  (select count(*)::integer from passkeys p where p.user_id = u.user_id) as passkeys
from users u where u.user_id = $1`;

/** What a person can sign in with. Nobody by this ID: nothing. */
export async function readWaysIn(db: SqlRunner, userId: UserId): Promise<WaysIn> {
  const { rows } = await db.run<WaysIn>(WAYS_IN, [userId]);
  return rows[0] ?? { password: false, totp: false, recoveryCodes: 0, passkeys: 0 };
}

const PASSWORD_SET = statement('user_password_set')`
update users set password_hash = $2, updated_ms = $3 where user_id = $1`;

/** @param hash null: takes the password away */
export async function setPasswordHash(
  tx: Transaction,
  userId: UserId,
  hash: string | null,
  nowMs: number,
): Promise<void> {
  await tx.run(PASSWORD_SET, [userId, hash, nowMs]);
}

const TOTP_BEGIN = statement('user_totp_begin')`
update users set totp_sealed = $2, totp_key_id = $3, totp_step = 0, updated_ms = $4 where user_id = $1`;

/** Keeps a secret that is not in use before the person has confirmed it. */
export async function storeTotpSecret(
  tx: Transaction,
  userId: UserId,
  { sealed, keyId }: SealedToken,
  nowMs: number,
): Promise<void> {
  await tx.run(TOTP_BEGIN, [userId, sealed, keyId, nowMs]);
}

const TOTP_CONFIRM = statement('user_totp_confirm')`
update users set totp_confirmed_ms = $2, updated_ms = $2 where user_id = $1`;

/** From now on, codes are asked for. */
export async function confirmTotp(tx: Transaction, userId: UserId, nowMs: number): Promise<void> {
  await tx.run(TOTP_CONFIRM, [userId, nowMs]);
}

const TOTP_DELETE = statement('user_totp_delete')`
update users set totp_sealed = null, totp_key_id = null, totp_confirmed_ms = null, totp_step = 0, recovery_hashes = '{}',
  updated_ms = $2
where user_id = $1`;

/** Takes the second factor away, recovery codes included. */
export async function deleteTotp(tx: Transaction, userId: UserId, nowMs: number): Promise<void> {
  await tx.run(TOTP_DELETE, [userId, nowMs]);
}

const TOTP_USE = statement('user_totp_use')`update users set totp_step = $2 where user_id = $1 and totp_step < $2`;

/** Uses the code of a time step up. */
export async function useTotpStep(tx: Transaction, userId: UserId, step: number): Promise<void> {
  await tx.run(TOTP_USE, [userId, step]);
}

const RECOVERY_SET = statement('user_recovery_set')`
update users set recovery_hashes = $2::text[], updated_ms = $3 where user_id = $1`;

/** Earlier codes stop working. */
export async function setRecoveryHashes(
  tx: Transaction,
  userId: UserId,
  hashes: readonly string[],
  nowMs: number,
): Promise<void> {
  await tx.run(RECOVERY_SET, [userId, hashes, nowMs]);
}

const OTHERWISE_SEALED = statement('user_totp_otherwise_sealed')`
select ${FIELDS} from users where totp_sealed is not null and totp_key_id <> $1 and user_id > $2
order by user_id limit $3`;

/** People whose secret is encrypted with another key than this one, by ID. */
export async function listTotpOtherwiseSealed(
  db: SqlRunner,
  keyId: string,
  { after, limit }: { readonly after: UserId; readonly limit: number },
): Promise<readonly Credentials[]> {
  return (await db.run<Credentials>(OTHERWISE_SEALED, [keyId, after, limit])).rows;
}

const RESEAL = statement('user_totp_reseal')`
update users set totp_sealed = $3, totp_key_id = $4 where user_id = $1 and totp_sealed = $2`;

/** Encrypts a secret with another key, unless the person has made another one meanwhile. */
export async function resealTotp(db: SqlRunner, userId: UserId, before: string, after: SealedToken): Promise<void> {
  await db.run(RESEAL, [userId, before, after.sealed, after.keyId]);
}
