import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { AccountId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

/** An account of the network that a tenant can have templates in. */
export interface TemplateAccount {
  readonly networkAccountId: string;
  /** The linked account whose token reaches it; null: a number of the operator is in it, with the token of the settings. */
  readonly accountId: AccountId | null;
}

const TEMPLATE_ACCOUNT_LIST = statement('template_account_list')`
select account.network_account_id, account.account_id from (
  select unnest(l.network_account_ids) as network_account_id, l.account_id from linked_accounts l
  where l.tenant_id = $1 and l.token is not null and l.replaced_ms is null
  union all
  select n.network_account_id, n.account_id from phone_numbers n
  where n.tenant_id = $1 and n.network_account_id is not null and n.removed_ms is null
) account
order by account.network_account_id, account.account_id desc nulls last`;

/** The accounts of a tenant, each once, by the newest permission that reaches it. */
export async function listTemplateAccounts(db: SqlRunner, tenantId: TenantId): Promise<readonly TemplateAccount[]> {
  const { rows } = await db.run<TemplateAccount>(TEMPLATE_ACCOUNT_LIST, [tenantId]);
  const accounts = new Map<string, TemplateAccount>();
  for (const account of rows) {
    if (!accounts.has(account.networkAccountId)) accounts.set(account.networkAccountId, account);
  }
  return [...accounts.values()];
}

const TEMPLATE_ACCOUNT_NOTE = statement('template_account_note')`
insert into template_accounts (tenant_id, network_account_id, synced_ms, tried_ms, error) values ($1, $2, $3, $4, $5)
on conflict (tenant_id, network_account_id) do update set
  synced_ms = coalesce(excluded.synced_ms, template_accounts.synced_ms), tried_ms = excluded.tried_ms,
  error = excluded.error`;

/** Notes how a reading of the network's list ended. @param read `error` null: to its end */
export async function noteTemplateSync(
  db: SqlRunner,
  account: { readonly tenantId: TenantId; readonly networkAccountId: string },
  read: { readonly nowMs: number; readonly error: string | null },
): Promise<void> {
  const syncedMs = read.error === null ? read.nowMs : null;
  await db.run(TEMPLATE_ACCOUNT_NOTE, [account.tenantId, account.networkAccountId, syncedMs, read.nowMs, read.error]);
}

const LIST_SYNCED = statement('template_account_synced')`
select network_account_id from template_accounts where tenant_id = $1 and synced_ms is not null`;

/** The accounts whose list was read to its end at least once. */
export async function listSyncedAccounts(db: SqlRunner, tenantId: TenantId): Promise<readonly string[]> {
  const { rows } = await db.run<{ networkAccountId: string }>(LIST_SYNCED, [tenantId]);
  return rows.map((row) => row.networkAccountId);
}

// Over all tenants, joined on tenant_id. Whoever moves tried_ms ahead reads the account.
const CLAIM_STALE = statement('template_account_claim_stale')`
insert into template_accounts (tenant_id, network_account_id, tried_ms)
select s.tenant_id, s.network_account_id, $2 from (
  select k.tenant_id, k.network_account_id from (
    select tenant_id, network_account_id from templates where network_template_id is not null and deleted_ms is null
    union
    select tenant_id, network_account_id from template_accounts
  ) k
  left join template_accounts a on a.tenant_id = k.tenant_id and a.network_account_id = k.network_account_id
  where coalesce(a.tried_ms, 0) <= $1 and k.tenant_id <> all(${INACTIVE_TENANTS})
  order by coalesce(a.tried_ms, 0), k.tenant_id, k.network_account_id
  limit $3
) s
order by s.tenant_id, s.network_account_id
on conflict (tenant_id, network_account_id) do update set tried_ms = excluded.tried_ms
where template_accounts.tried_ms <= $1
returning tenant_id, network_account_id`;

export interface StaleAccount {
  readonly tenantId: TenantId;
  readonly networkAccountId: string;
}

/** Takes accounts whose lists were not read since `beforeMs`, those first that were left alone the longest. */
export async function claimStaleAccounts(
  db: SqlRunner,
  { beforeMs, nowMs, limit }: { readonly beforeMs: number; readonly nowMs: number; readonly limit: number },
): Promise<readonly StaleAccount[]> {
  return (await db.run<StaleAccount>(CLAIM_STALE, [beforeMs, nowMs, limit])).rows;
}
