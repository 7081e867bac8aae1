/** Numbers as their linked accounts bring them in: added, given another account, resumed. */

import type { NetworkNumber } from '#accounts/domain/account-network';
import type { AccountId, PhoneNumberId, TenantId } from '#core/ids';
import { statement, type Transaction } from '#database/database';
import { insertLane } from './lane-owners.ts';
import { claimNumber } from './phone-numbers.ts';

export interface NumberLink {
  readonly tenantId: TenantId;
  readonly accountId: AccountId;
  readonly networkAccountId: string;
  readonly number: NetworkNumber;
  /** What its people call it; null: as before, or as the network calls it. */
  readonly name: string | null;
  readonly nowMs: number;
}

/** What linking did to a number. */
export type NumberLinked = 'added' | 'linked_again' | 'resumed' | 'unchanged' | 'taken';

const STATE_BEFORE = statement('number_before_link')`
select account_id, removed_ms is not null as removed, status = 'paused' and paused_by = 'network' as refused
from phone_numbers where tenant_id = $1 and phone_number_id = $2 for update`;
/** A pause of the network ends here, and in the same row the token changes: no dispatcher sees one without the other. */
const UPSERT = statement('number_link')`
insert into phone_numbers (tenant_id, phone_number_id, display_phone, name, account_id, network_account_id,
  quality_rating, messaging_limit, throughput, network_status, network_told_ms, created_ms)
values ($1, $2, $3, coalesce($13::text, $4), $5, $6, $7, $8, $9, $10, $11, $11)
on conflict (tenant_id, phone_number_id) do update set
  display_phone = excluded.display_phone, name = coalesce($13::text, phone_numbers.name, excluded.name),
  account_id = excluded.account_id, network_account_id = excluded.network_account_id,
  quality_rating = excluded.quality_rating, messaging_limit = excluded.messaging_limit,
  throughput = excluded.throughput, network_status = excluded.network_status,
  network_told_ms = excluded.network_told_ms, removed_ms = null, version = phone_numbers.version + 1,
  status = case when $12::boolean then 'active' else phone_numbers.status end,
  pause_reason = case when $12::boolean then null else phone_numbers.pause_reason end,
  paused_by = case when $12::boolean then null else phone_numbers.paused_by end`;

interface Before {
  readonly accountId: string | null;
  readonly removed: boolean;
  readonly refused: boolean;
}

/** Gives the number to the tenant and its account, in the caller's transaction. */
export async function linkNumber(tx: Transaction, link: NumberLink): Promise<NumberLinked> {
  const { tenantId, accountId, networkAccountId, number, name, nowMs } = link;
  if (!(await claimNumber(tx, tenantId, number.phoneNumberId))) return 'taken';
  const { rows } = await tx.run<Before>(STATE_BEFORE, [tenantId, number.phoneNumberId]);
  const linked = evaluateBefore(rows[0], accountId);
  await tx.run(UPSERT, [
    tenantId,
    number.phoneNumberId,
    number.displayPhone,
    number.verifiedName,
    accountId,
    networkAccountId,
    number.qualityRating,
    number.messagingLimit,
    number.throughput,
    number.networkStatus,
    nowMs,
    linked === 'resumed' || rows[0]?.removed === true,
    name,
  ]);
  await insertLane(tx, { tenantId, laneId: number.phoneNumberId });
  return linked;
}

/** Only another token ends a pause of the network: to ask the same account again mends nothing. */
function evaluateBefore(before: Before | undefined, accountId: AccountId): NumberLinked {
  if (before === undefined || before.removed) return 'added';
  if (before.accountId === accountId) return 'unchanged';
  return before.refused ? 'resumed' : 'linked_again';
}

const PAUSE_ALL = statement('number_pause_of_account')`
update phone_numbers set status = 'paused', pause_reason = $3, paused_by = 'network', version = version + 1
where tenant_id = $1 and account_id = $2 and removed_ms is null and status = 'active'
returning phone_number_id`;

/** Pauses the active numbers of an account as a refusal of the network does: another link resumes them. */
export async function pauseNumbersOfAccount(
  tx: Transaction,
  pause: Pick<NumberLink, 'tenantId' | 'accountId'> & { readonly pauseReason: string },
): Promise<readonly PhoneNumberId[]> {
  const values = [pause.tenantId, pause.accountId, pause.pauseReason];
  const { rows } = await tx.run<{ phoneNumberId: PhoneNumberId }>(PAUSE_ALL, values);
  return rows.map((row) => row.phoneNumberId);
}
