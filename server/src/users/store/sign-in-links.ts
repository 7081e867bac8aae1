import type { UserId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';

const LINK_INSERT = statement('sign_in_link_insert')`
insert into sign_in_links (link_hash, user_id, created_ms, expires_ms, recovers) values ($1, $2, $3, $4, $5)`;

export interface SignInLink {
  readonly linkHash: string;
  readonly userId: UserId;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Whether it was mailed to somebody who had forgotten their password. */
  readonly recovers: boolean;
}

export async function insertSignInLink(db: SqlRunner, link: SignInLink): Promise<void> {
  await db.run(LINK_INSERT, [link.linkHash, link.userId, link.createdMs, link.expiresMs, link.recovers]);
}

const LINK_FIND = statement('sign_in_link_find')`
select user_id from sign_in_links where link_hash = $1 and used_ms is null and expires_ms > $2`;

/** Whom a link would sign in; null: there is no such link, or it was used, or its time is over. */
export async function findSignInLink(db: SqlRunner, linkHash: string, nowMs: number): Promise<UserId | null> {
  return (await db.run<{ userId: UserId }>(LINK_FIND, [linkHash, nowMs])).rows[0]?.userId ?? null;
}

const LINK_USE = statement('sign_in_link_use')`
update sign_in_links set used_ms = $2 where link_hash = $1 and used_ms is null and expires_ms > $2 returning user_id, recovers`;

/** Uses a link up. @returns whom it signs in; null: there is no such link, or it was used, or its time is over */
export async function takeSignInLink(
  tx: Transaction,
  linkHash: string,
  nowMs: number,
): Promise<Pick<SignInLink, 'userId' | 'recovers'> | null> {
  return (await tx.run<Pick<SignInLink, 'userId' | 'recovers'>>(LINK_USE, [linkHash, nowMs])).rows[0] ?? null;
}

const LINKS_DELETE = statement(
  'sign_in_links_delete',
)`delete from sign_in_links where user_id = $1 and used_ms is null`;

/** Takes back the links of a person that were not used. */
export async function deleteUnusedLinks(tx: Transaction, userId: UserId): Promise<void> {
  await tx.run(LINKS_DELETE, [userId]);
}

const RECOVERY_LINKS_DELETE = statement('recovery_links_delete')`
delete from sign_in_links where user_id = $1 and used_ms is null and recovers`;

/** Takes back what was mailed to a person who had forgotten their password. */
export async function deleteRecoveryLinks(tx: Transaction, userId: UserId): Promise<void> {
  await tx.run(RECOVERY_LINKS_DELETE, [userId]);
}
