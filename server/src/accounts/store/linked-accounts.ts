import type { LinkStep } from '#accounts/domain/linking';
import { type AccountId, isUuid, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { SealedToken } from '#core/sealed-token';
import { tokenArray } from '#database/arrays';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, newestFirst, pageOf } from '#database/rows';

/** A permission that came back from the dialog. Times are milliseconds since 1970. */
export interface LinkedAccount {
  readonly tenantId: TenantId;
  readonly accountId: AccountId;
  readonly networkAccountIds: readonly string[];
  /** Null: not here yet, or no longer needed. */
  readonly token: SealedToken | null;
  readonly tokenExpiresMs: number | null;
  readonly steps: readonly LinkStep[];
  /** The run that may write, and until when it counts as alive. */
  readonly runId: string;
  readonly runUntilMs: number;
  readonly replacedMs: number | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

interface AccountRow extends Omit<LinkedAccount, 'token'> {
  readonly token: string | null;
  readonly tokenKeyId: string | null;
}

declare module '#database/schema' {
  interface Schema {
    linked_accounts: AccountRow;
  }
}

function toAccount({ token: sealed, tokenKeyId: keyId, ...account }: AccountRow): LinkedAccount {
  return { ...account, token: sealed === null || keyId === null ? null : { sealed, keyId } };
}

const ACCOUNT_INSERT = statement('account_insert')`
insert into linked_accounts (tenant_id, account_id, steps, run_id, run_until_ms, created_ms, updated_ms)
values ($1, $2, $3::jsonb, $4, $5, $6, $6)`;

/** Begins an account without a token, in the transaction that uses its state. */
export async function insertLinkedAccount(
  tx: Transaction,
  account: Pick<LinkedAccount, 'tenantId' | 'accountId' | 'steps' | 'runId' | 'runUntilMs' | 'createdMs'>,
): Promise<void> {
  const { tenantId, accountId, steps, runId, runUntilMs, createdMs } = account;
  await tx.run(ACCOUNT_INSERT, [tenantId, accountId, JSON.stringify(steps), runId, runUntilMs, createdMs]);
}

const ACCOUNT_SAVE = statement('account_save')`
update linked_accounts set network_account_ids = $4::text[], token = coalesce(token, $5),
  token_key_id = coalesce(token_key_id, $6), token_expires_ms = $7,
  steps = $8::jsonb, run_until_ms = $9, updated_ms = $10
where tenant_id = $1 and account_id = $2 and run_id = $3 and replaced_ms is null`;

/**
 * Writes what the run of `account` has come to. A token that is there stays: it never changes, and a command may have
 * encrypted it anew since.
 * @returns false when another run has taken over since
 */
export async function saveLinkedAccount(db: SqlRunner, account: LinkedAccount): Promise<boolean> {
  const { tenantId, accountId, runId, networkAccountIds, token, tokenExpiresMs, steps } = account;
  const sealed = [token?.sealed ?? null, token?.keyId ?? null, tokenExpiresMs];
  const { rowCount } = await db.run(ACCOUNT_SAVE, [
    tenantId,
    accountId,
    runId,
    tokenArray(networkAccountIds),
    ...sealed,
    JSON.stringify(steps),
    account.runUntilMs,
    account.updatedMs,
  ]);
  return rowCount > 0;
}

const ACCOUNT_TAKE = statement('account_take')`
update linked_accounts set run_id = $3, run_until_ms = $4
where tenant_id = $1 and account_id = $2 and run_until_ms <= $5 and replaced_ms is null and token is not null
returning *`;

/** Takes an account for a new run; null when it has no token, was replaced, or a run is alive. */
export function takeLinkedAccount(
  db: SqlRunner,
  take: Pick<LinkedAccount, 'tenantId' | 'accountId' | 'runId' | 'runUntilMs'> & { readonly nowMs: number },
): Promise<LinkedAccount | null> {
  const { tenantId, accountId, runId, runUntilMs, nowMs } = take;
  return firstRow(db.run<AccountRow>(ACCOUNT_TAKE, [tenantId, accountId, runId, runUntilMs, nowMs]), toAccount);
}

const FORGET_RUNS = statement('account_forget_runs')`
update linked_accounts set run_until_ms = 0 where run_until_ms > 0`;

/** All of them: where only one process can be, whatever runs at its start was killed. Over all tenants. */
export async function forgetLinkRuns(db: SqlRunner): Promise<void> {
  await db.run(FORGET_RUNS, []);
}

const REPLACE = statement('account_replace')`
update linked_accounts a set replaced_ms = $3, token = null, token_key_id = null, updated_ms = $3
where a.tenant_id = $1 and a.account_id <> $2 and a.replaced_ms is null and a.network_account_ids && $4::text[]
  and a.run_until_ms <= $3
  and not exists (select 1 from phone_numbers n where n.tenant_id = a.tenant_id and n.account_id = a.account_id)
returning a.account_id`;

/** Retires earlier permissions for the same accounts of the network that no number uses any more. */
export async function replaceOlderAccounts(
  tx: Transaction,
  account: Pick<LinkedAccount, 'tenantId' | 'accountId' | 'networkAccountIds'> & { readonly nowMs: number },
): Promise<readonly AccountId[]> {
  const { tenantId, accountId, networkAccountIds, nowMs } = account;
  const values = [tenantId, accountId, nowMs, tokenArray(networkAccountIds)];
  const { rows } = await tx.run<{ accountId: AccountId }>(REPLACE, values);
  return rows.map((row) => row.accountId);
}

const ACCOUNT_REMOVE = statement('account_remove')`
delete from linked_accounts where tenant_id = $1 and account_id = $2 and run_until_ms <= $3`;

/** Removes an account with its token. @returns false while a run is alive: it would write what is gone */
export async function removeLinkedAccount(
  tx: Transaction,
  { tenantId, accountId, nowMs }: Pick<LinkedAccount, 'tenantId' | 'accountId'> & { readonly nowMs: number },
): Promise<boolean> {
  return (await tx.run(ACCOUNT_REMOVE, [tenantId, accountId, nowMs])).rowCount > 0;
}

const ACCOUNT_FIND = statement('account_find')`select * from linked_accounts where tenant_id = $1 and account_id = $2`;

export const findLinkedAccount: Find<LinkedAccount> = async (db, tenantId, id) =>
  isUuid(id) ? firstRow(db.run<AccountRow>(ACCOUNT_FIND, [tenantId, id]), toAccount) : null;

/** A page of the accounts of a tenant, newest first; replaced and failed ones too. */
export async function listLinkedAccountsPage(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
  window: ListWindow,
): Promise<Page<LinkedAccount>> {
  const rows = await newestFirst(selectAccounts(db, tenantId), 'accountId', window).execute();
  return pageOf(rows.map(toAccount), window.limit);
}

/** Accounts of a tenant that have a token, newest first. */
export async function listUsableAccounts(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
): Promise<readonly LinkedAccount[]> {
  const usable = selectAccounts(db, tenantId).where('token', 'is not', null);
  return (await usable.orderBy('accountId', 'desc').execute()).map(toAccount);
}

function selectAccounts(db: Pick<Database, 'kysely'>, tenantId: TenantId) {
  return db.kysely.selectFrom('linked_accounts').selectAll().where('tenantId', '=', tenantId);
}

const ACCOUNT_OTHERWISE_SEALED = statement('account_otherwise_sealed')`
select * from linked_accounts
where token is not null and token_key_id <> $1 and (tenant_id, account_id) > ($2::uuid, $3::uuid)
order by tenant_id, account_id
limit $4`;

/** Accounts of all tenants whose token another key encrypts, from one on; for the operator. */
export async function listOtherwiseSealed(
  db: SqlRunner,
  keyId: string,
  { after, limit }: { readonly after: Pick<LinkedAccount, 'tenantId' | 'accountId'>; readonly limit: number },
): Promise<readonly LinkedAccount[]> {
  const { rows } = await db.run<AccountRow>(ACCOUNT_OTHERWISE_SEALED, [keyId, after.tenantId, after.accountId, limit]);
  return rows.map(toAccount);
}

const ACCOUNT_SEAL_ANEW = statement('account_seal_anew')`
update linked_accounts set token = $3, token_key_id = $4
where tenant_id = $1 and account_id = $2 and token = $5`;

/** Puts the same token there under another key. @returns false when it is gone, or was sealed anew by somebody else */
export async function sealAnew(
  db: SqlRunner,
  { tenantId, accountId }: Pick<LinkedAccount, 'tenantId' | 'accountId'>,
  { before, after }: { readonly before: SealedToken; readonly after: SealedToken },
): Promise<boolean> {
  const values = [tenantId, accountId, after.sealed, after.keyId, before.sealed];
  return (await db.run(ACCOUNT_SEAL_ANEW, values)).rowCount > 0;
}
