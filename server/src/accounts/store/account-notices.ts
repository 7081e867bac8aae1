import type { NoticeItem } from '#accounts/domain/account-notice';
import type { AccountId, PhoneNumberId, TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { statement, type Transaction } from '#database/database';

/** Whom a report is about. */
export interface NoticePlace {
  readonly tenantId: TenantId;
  /** The linked account; null: the operator added the number. */
  readonly accountId: AccountId | null;
  /** Null: the whole account. */
  readonly phoneNumberId: PhoneNumberId | null;
}

/** Of a number that the operator added the account is not known. */
const OF_NUMBER = statement('account_notice_of_number')`
select tenant_id, account_id, phone_number_id from phone_numbers
where (phone_number_id = $2::text or display_phone = $3::text) and coalesce(network_account_id, $1) = $1 and removed_ms is null
order by tenant_id, phone_number_id`;

const OF_ACCOUNT = statement('account_notice_of_account')`
select distinct on (a.tenant_id) a.tenant_id, a.account_id, null as phone_number_id from (
  select n.tenant_id, n.account_id from phone_numbers n where n.network_account_id = $1 and n.removed_ms is null
  union all
  select l.tenant_id, l.account_id from linked_accounts l where $1 = any(l.network_account_ids)) a
order by a.tenant_id, a.account_id nulls last`;

/** Over all tenants, because the network names an account and not a tenant. What is about a number concerns its tenant alone. */
export async function findNoticePlaces(
  tx: Transaction,
  {
    networkAccountId,
    phoneNumberId,
    displayPhone,
  }: Pick<NoticeItem, 'networkAccountId' | 'phoneNumberId' | 'displayPhone'>,
): Promise<readonly NoticePlace[]> {
  if (phoneNumberId === null && displayPhone === null) {
    return (await tx.run<NoticePlace>(OF_ACCOUNT, [networkAccountId])).rows;
  }
  return (await tx.run<NoticePlace>(OF_NUMBER, [networkAccountId, phoneNumberId, displayPhone])).rows;
}

const NOTE = statement('account_notice_note', { insertsOnly: true })`
insert into account_notices (tenant_id, notice_id, noted_ms)
select t.tenant_id, t.notice_id, $3 from unnest($1::uuid[], $2::text[]) as t (tenant_id, notice_id)
order by t.tenant_id, t.notice_id
on conflict do nothing returning tenant_id, notice_id`;

/** A report, and whom it was told. */
export interface NotedNotice {
  readonly tenantId: TenantId;
  readonly noticeId: string;
}

/** Notes that reports become events. @returns those that had not become one before */
export async function noteNotices(
  tx: Transaction,
  notices: readonly NotedNotice[],
  nowMs: number,
): Promise<readonly NotedNotice[]> {
  if (notices.length === 0) return [];
  return (await tx.run<NotedNotice>(NOTE, [...columnsOf(notices, 'tenantId', 'noticeId'), nowMs])).rows;
}
