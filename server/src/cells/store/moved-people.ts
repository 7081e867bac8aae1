import type { TenantId } from '#core/ids';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';

/*
 * People have their account in a cell, and may work for several tenants of it: one whose tenant moves has an account in both cells then, and none
 * any more in the one that they have left altogether.
 */

/** Whoever has anything to do with a tenant. */
const PEOPLE = `
select user_id from agents where tenant_id = $1 and user_id is not null union
select user_id from sessions where tenant_id = $1 union
select user_id from user_identities where tenant_id = $1 union
select user_id from push_subscriptions where tenant_id = $1`;

const IDS = statement('moved_people')`select p.user_id::text from (${PEOPLE}) p order by 1`;

export async function listPeople(db: SqlRunner, tenantId: TenantId): Promise<readonly string[]> {
  return (await db.run<{ userId: string }>(IDS, [tenantId])).rows.map(({ userId }) => userId);
}

const EMAILS = statement('moved_people_emails')`
select lower(email) as email from users where user_id = any($1::uuid[]) and email is not null order by 1`;
const TAKEN_EMAILS = statement('moved_people_taken_emails')`
select lower(email) as email from users where lower(email) = any($1::text[]) and user_id <> all($2::uuid[]) order by 1`;

/** The email addresses of people that somebody else has in the other cell. */
export async function findTakenEmails(
  from: SqlRunner,
  to: SqlRunner,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await from.run<{ email: string }>(EMAILS, [userIds]);
  const emails = rows.map(({ email }) => email);
  return (await to.run<{ email: string }>(TAKEN_EMAILS, [emails, userIds])).rows.map(({ email }) => email);
}

/** What somebody signs in with. Sign-ins that are under way begin anew. */
const TABLES = ['users', 'passkeys', 'sign_in_links'] as const;

const READ: Readonly<Record<(typeof TABLES)[number], Statement>> = {
  users: statement('moved_users')`select row_to_json(t)::text as line from users t where t.user_id = any($1::uuid[])`,
  passkeys: statement('moved_passkeys')`
select row_to_json(t)::text as line from passkeys t where t.user_id = any($1::uuid[])`,
  sign_in_links: statement('moved_links')`
select row_to_json(t)::text as line from sign_in_links t where t.user_id = any($1::uuid[])`,
};

const PUT: Readonly<Record<(typeof TABLES)[number], Statement>> = {
  users: statement('moved_users_put')`
insert into users select r.* from unnest($1::text[]) v, json_populate_record(null::users, v::json) r order by r.user_id on conflict do nothing`,
  passkeys: statement('moved_passkeys_put')`
insert into passkeys select r.* from unnest($1::text[]) v, json_populate_record(null::passkeys, v::json) r order by r.passkey_id
on conflict do nothing`,
  sign_in_links: statement('moved_links_put')`
insert into sign_in_links select r.* from unnest($1::text[]) v, json_populate_record(null::sign_in_links, v::json) r order by r.link_hash
on conflict do nothing`,
};

/** Gives people an account in the other cell. One that is there already stays as it is. */
export async function copyPeople(from: SqlRunner, to: SqlRunner, userIds: readonly string[]): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await from.run<{ line: string }>(READ[table], [userIds]);
    if (rows.length > 0) await to.run(PUT[table], [rows.map(({ line }) => line)]);
  }
}

const GONE =
  'select g.id from unnest($1::uuid[]) as g (id) where not exists (select 1 from agents a where a.user_id = g.id)';

const FORGET: readonly Statement[] = [
  statement('moved_passkeys_forget')`delete from passkeys where user_id in (${GONE})`,
  statement('moved_links_forget')`delete from sign_in_links where user_id in (${GONE})`,
  statement('moved_users_forget')`delete from users where user_id in (${GONE})`,
];

/** Removes the accounts of people who work for no tenant of this cell any more. */
export async function forgetPeople(tx: Transaction, userIds: readonly string[]): Promise<void> {
  for (const forget of FORGET) await tx.run(forget, [userIds]);
}
