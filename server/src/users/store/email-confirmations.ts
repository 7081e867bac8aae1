import type { UserId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

const TOKEN_SET = statement('email_token_set')`
update users set email_token_hash = $3, email_token_expires_ms = $4
where user_id = $1 and email = $2 and email_confirmed_ms is null`;

/** What the mail to an address proves itself with. An earlier mail stops counting. */
export interface EmailToken {
  readonly userId: UserId;
  /** The address, as it is stored. */
  readonly email: string;
  readonly tokenHash: string;
  readonly expiresMs: number;
}

/** @returns whether it was stored; false: the address was changed or confirmed meanwhile */
export async function storeEmailToken(
  db: SqlRunner,
  { userId, email, tokenHash, expiresMs }: EmailToken,
): Promise<boolean> {
  return (await db.run(TOKEN_SET, [userId, email, tokenHash, expiresMs])).rowCount === 1;
}

const CONFIRM = statement('email_confirm')`
update users set email_confirmed_ms = $3, email_token_hash = null, email_token_expires_ms = null, updated_ms = $3
where user_id = $1 and email is not null and email_token_hash = $2 and email_token_expires_ms > $3`;

/** @returns whether the token was that of the latest mail to the present address, in time */
export async function confirmEmail(
  tx: Transaction,
  userId: UserId,
  tokenHash: string,
  nowMs: number,
): Promise<boolean> {
  return (await tx.run(CONFIRM, [userId, tokenHash, nowMs])).rowCount === 1;
}

const RECOVERABLE = statement('user_recoverable')`
select user_id, name, email from users where lower(email) = lower($1) and email_confirmed_ms is not null`;

/** A person whose address is known to be theirs. */
export interface Recoverable {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
}

/** @returns null when nobody has confirmed this address */
export async function findRecoverable(db: SqlRunner, email: string): Promise<Recoverable | null> {
  return firstRow(db.run<Recoverable>(RECOVERABLE, [email]));
}
