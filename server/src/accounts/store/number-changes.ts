/** What the network tells of the numbers of an account. Of all tenants: a callback names the account alone. */

import type { NumberItem } from '#accounts/domain/number-item';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { statement, type Transaction } from '#database/database';

const FIND_REPORTED = statement('number_find_told')`
select tenant_id, phone_number_id from phone_numbers
where case when $2::text is null then network_account_id = $1
    else display_phone = $2::text and coalesce(network_account_id, $1) = $1 end
  and removed_ms is null
order by tenant_id, phone_number_id`;

/** A number that news are about. */
export interface NumberPlace {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
}

/**
 * The numbers that the news are about, in the order in which they are locked. Of a number that the operator added the
 * account is not known: its phone number names it.
 */
export async function findReportedNumbers(
  tx: Transaction,
  { networkAccountId, displayPhone }: Pick<NumberItem, 'networkAccountId' | 'displayPhone'>,
): Promise<readonly NumberPlace[]> {
  return (await tx.run<NumberPlace>(FIND_REPORTED, [networkAccountId, displayPhone])).rows;
}

/** Callbacks are dated to the second: one of the second in which the network was asked counts as news. */
const APPLY = statement('number_apply_news')`
update phone_numbers set
  quality_rating = coalesce($3, quality_rating), messaging_limit = coalesce($4, messaging_limit),
  throughput = coalesce($5, throughput), network_status = coalesce($6, network_status),
  network_told_ms = greatest(network_told_ms, $7::bigint), version = version + 1
where tenant_id = $1 and phone_number_id = $2 and coalesce(network_told_ms, 0) < $7::bigint + 1000
  and (quality_rating, messaging_limit, throughput, network_status) is distinct from (coalesce($3, quality_rating),
    coalesce($4, messaging_limit), coalesce($5, throughput), coalesce($6, network_status))`;

/** Notes news of a number, unless something newer is known or it says nothing new. @param reportedMs when they were told */
export async function applyNumberChanges(
  tx: Transaction,
  { tenantId, phoneNumberId }: NumberPlace,
  { item, reportedMs }: { readonly item: NumberItem; readonly reportedMs: number },
): Promise<void> {
  const { quality, messagingLimit, throughput, networkStatus } = item;
  await tx.run(APPLY, [tenantId, phoneNumberId, quality, messagingLimit, throughput, networkStatus, reportedMs]);
}
