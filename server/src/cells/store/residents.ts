import type { NameKind } from '#cells/domain/cell';
import { queueState } from '#core/queue-state';
import { type SqlRunner, type Statement, statement } from '#database/database';

/*
 * Who lives in a cell. Before the tenant is known, hence over all tenants of it. A name that has ended is found too: the cell itself says
 * what is wrong with it.
 */

/** A name that a cell knows. */
export interface Resident {
  readonly name: string;
  /** Null: a person, who may work in several tenants. */
  readonly tenantId: string | null;
}

const FIND: Readonly<Record<NameKind, Statement>> = {
  key: statement('residents_by_key')`
select distinct on (k.key_hash) k.key_hash as name, k.tenant_id::text from api_keys k where k.key_hash = any($1::text[])
order by k.key_hash, k.tenant_id`,
  session: statement('residents_by_session')`
select session_hash as name, tenant_id::text from sessions where session_hash = any($1::text[])`,
  link: statement('residents_by_link')`
select link_hash as name, null::text as tenant_id from sign_in_links where link_hash = any($1::text[])`,
  email: statement('residents_by_email')`
select n.name, null::text as tenant_id from unnest($1::text[]) as n (name) join users u on lower(u.email) = lower(n.name)`,
  passkey: statement('residents_by_passkey')`
select credential_id as name, null::text as tenant_id from passkeys where credential_id = any($1::text[])`,
  tenant: statement('residents_by_tenant')`
select tenant_id::text as name, tenant_id::text from tenants where tenant_id = any($1::uuid[])`,
  number: statement('residents_by_number')`
select phone_number_id as name, tenant_id::text from number_directory where phone_number_id = any($1::text[])`,
  account: statement('residents_by_account')`
select distinct on (a.name) a.name, a.tenant_id::text from (
  select n.network_account_id as name, n.tenant_id from phone_numbers n
  where n.network_account_id = any($1::text[]) and n.removed_ms is null
  union all
  select one.name, l.tenant_id from linked_accounts l cross join unnest(l.network_account_ids) as one(name)
  where l.network_account_ids && $1::text[] and one.name = any($1::text[])) a
order by a.name, a.tenant_id`,
};

/** Which of these names a cell knows, in any order; each at most once. */
export async function findResidents(
  db: SqlRunner,
  kind: NameKind,
  names: readonly string[],
): Promise<readonly Resident[]> {
  return (await db.run<Resident>(FIND[kind], [names])).rows;
}

const COUNT = statement('residents_count')`select count(*)::int as tenants from tenants`;

/** How many tenants live in a cell. */
export async function countResidents(db: SqlRunner): Promise<number> {
  return (await db.run<{ tenants: number }>(COUNT, [])).rows[0]?.tenants ?? 0;
}

const LIST = statement('residents_list')`select tenant_id::text from tenants order by tenant_id`;

export async function listResidents(db: SqlRunner): Promise<readonly string[]> {
  return (await db.run<{ tenantId: string }>(LIST, [])).rows.map((row) => row.tenantId);
}

const NUMBERS = statement('residents_numbers')`
select phone_number_id as name, tenant_id::text from number_directory order by phone_number_id`;

/** The numbers of a cell, and whose they are. */
export async function listNumbers(
  db: SqlRunner,
): Promise<readonly { readonly name: string; readonly tenantId: string }[]> {
  return (await db.run<{ name: string; tenantId: string }>(NUMBERS, [])).rows;
}

const ACCOUNTS = statement('residents_accounts')`
select network_account_id as name from phone_numbers where tenant_id = $1 and network_account_id is not null and removed_ms is null
union
select unnest(network_account_ids) from linked_accounts where tenant_id = $1`;

/** The accounts at the network by which callbacks can be about a tenant. */
export async function listAccounts(db: SqlRunner, tenantId: string): Promise<readonly string[]> {
  return (await db.run<{ name: string }>(ACCOUNTS, [tenantId])).rows.map(({ name }) => name);
}

const CHALLENGE_TAKE = statement('cell_challenge_take')`
delete from passkey_challenges where challenge_hash = $1 and user_id is null returning expires_ms`;
const CHALLENGE_PUT = statement('cell_challenge_put')`
insert into passkey_challenges (challenge_hash, user_id, expires_ms) values ($1, null, $2) on conflict do nothing`;

/** Carries what somebody signs in with from the cell that made it to the cell in which they live. It is good once, wherever it is. */
export async function carryChallenge(from: SqlRunner, to: SqlRunner, challengeHash: string): Promise<void> {
  const { rows } = await from.run<{ expiresMs: number }>(CHALLENGE_TAKE, [challengeHash]);
  for (const { expiresMs } of rows) await to.run(CHALLENGE_PUT, [challengeHash, expiresMs]);
}

const CLAIMED = statement('residents_claimed')`
select count(*)::int as claimed from send_queue where tenant_id = $1 and state = ${queueState.claimed}`;

/** How many messages of a tenant are at the network, or on the way there. */
export async function countClaimed(db: SqlRunner, tenantId: string): Promise<number> {
  return (await db.run<{ claimed: number }>(CLAIMED, [tenantId])).rows[0]?.claimed ?? 0;
}
