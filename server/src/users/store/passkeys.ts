import type { UserId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { Passkey } from '#users/domain/passkey';

const FIELDS =
  'passkey_id, user_id, credential_id, public_key, counter, transports, name, backed_up, created_ms, last_used_ms';

const PASSKEY_INSERT = statement('passkey_insert')`
insert into passkeys (${FIELDS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing`;

/** @returns false when an authenticator's key of this ID is known already, whosever it is */
export async function insertPasskey(tx: Transaction, passkey: Passkey): Promise<boolean> {
  const { passkeyId, userId, credentialId, publicKey, counter } = passkey;
  const { transports, name, backedUp, createdMs, lastUsedMs } = passkey;
  const key = [passkeyId, userId, credentialId, publicKey, counter];
  const { rowCount } = await tx.run(PASSKEY_INSERT, [...key, transports, name, backedUp, createdMs, lastUsedMs]);
  return rowCount === 1;
}

const PASSKEYS_OF_USER = statement('passkey_list')`
select ${FIELDS} from passkeys where user_id = $1 order by passkey_id`;

/** The passkeys of a person, oldest first. */
export async function listPasskeys(db: SqlRunner, userId: UserId): Promise<readonly Passkey[]> {
  return (await db.run<Passkey>(PASSKEYS_OF_USER, [userId])).rows;
}

const PASSKEY_OF_CREDENTIAL = statement('passkey_of_credential')`
select ${FIELDS} from passkeys where credential_id = $1`;

export async function findPasskeyOfCredential(db: SqlRunner, credentialId: string): Promise<Passkey | null> {
  return firstRow(db.run<Passkey>(PASSKEY_OF_CREDENTIAL, [credentialId]));
}

/** A counter that does not grow is that of a copy, unless the authenticator does not count. */
const PASSKEY_USE = statement('passkey_use')`
update passkeys set counter = $3, backed_up = $4, last_used_ms = $5
where user_id = $1 and credential_id = $2 and (counter < $3 or (counter = 0 and $3 = 0))`;

/** Records a use. @returns false when the passkey is gone, or was used with the same or a higher count meanwhile */
export async function recordPasskeyUse(
  tx: Transaction,
  { userId, credentialId, counter, backedUp, lastUsedMs }: Passkey,
): Promise<boolean> {
  const { rowCount } = await tx.run(PASSKEY_USE, [userId, credentialId, counter, backedUp, lastUsedMs]);
  return rowCount === 1;
}

const PASSKEY_RENAME = statement('passkey_rename')`
update passkeys set name = $3 where user_id = $1 and passkey_id = $2 returning ${FIELDS}`;

/** @returns null when the person has no such passkey */
export async function renamePasskey(
  tx: Transaction,
  userId: UserId,
  passkeyId: string,
  name: string,
): Promise<Passkey | null> {
  return firstRow(tx.run<Passkey>(PASSKEY_RENAME, [userId, passkeyId, name]));
}

const PASSKEY_DELETE = statement('passkey_delete')`
delete from passkeys where user_id = $1 and passkey_id = $2 returning ${FIELDS}`;

/** @returns null when the person has no such passkey */
export async function deletePasskey(tx: Transaction, userId: UserId, passkeyId: string): Promise<Passkey | null> {
  return firstRow(tx.run<Passkey>(PASSKEY_DELETE, [userId, passkeyId]));
}
