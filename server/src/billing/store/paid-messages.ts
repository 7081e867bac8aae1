import type { PricedMessage } from '#billing/domain/wallet';
import type { MessageId, TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

/** Of all tenants: a price is everybody's. */
const LIST_WALLET_TENANTS = statement('wallet_tenants')`
select tenant_id from wallets where tenant_id > $1 order by tenant_id limit $2`;

/** Tenants with a wallet behind a place, in the order of their ids. */
export async function listWalletTenants(db: SqlRunner, after: string, limit: number): Promise<readonly TenantId[]> {
  const { rows } = await db.run<{ readonly tenantId: TenantId }>(LIST_WALLET_TENANTS, [after, limit]);
  return rows.map((row) => row.tenantId);
}

/**
 * Walks the holds, of which each paid message has one. The line of a hold has the id of its message or, in old
 * ledgers, one made after it: the ids from the wanted time on hold all messages of that time.
 */
const LIST_PAID = statement('wallet_paid_messages')`
select h.transfer_id, h.message_id, m.type, m.to_phone as "to", m.created_ms,
  m.pricing ->> 'category' as category, (m.pricing ->> 'billable')::boolean as billable,
  (m.status <> 'failed' and m.pricing is not null and m.created_ms >= $3 and o.message_id is null) as settled,
  coalesce((
    select sum(case t.to_account when 'revenue' then t.amount_micros else -t.amount_micros end)
    from wallet_transfers t
    where t.tenant_id = $1 and t.message_id = h.message_id and t.kind in ('capture', 'adjustment')
  ), 0)::bigint as paid_micros
from (
  select transfer_id, message_id from wallet_transfers
  where tenant_id = $1 and transfer_id > $2 and kind = 'hold'
  order by transfer_id limit $4
) h
join outbound_messages m on m.tenant_id = $1 and m.message_id = h.message_id
left join wallet_holds o on o.tenant_id = $1 and o.message_id = h.message_id
order by h.transfer_id`;

/** A message that was paid from the wallet, and what was paid for it so far. */
export interface PaidMessage extends PricedMessage {
  readonly messageId: MessageId;
  readonly paidMicros: number;
}

export interface PaidPage {
  readonly messages: readonly PaidMessage[];
  /** Where the next page begins; null: there is none. */
  readonly after: string | null;
}

/** Messages accepted from `fromMs` on that were captured or given back, a page at a time; those that failed are left out. */
export async function listPaidMessages(
  db: SqlRunner,
  tenantId: TenantId,
  { fromMs, after, limit }: { readonly fromMs: number; readonly after: string; readonly limit: number },
): Promise<PaidPage> {
  type Row = PaidMessage & { readonly transferId: string; readonly settled: boolean };
  const { rows } = await db.run<Row>(LIST_PAID, [tenantId, after, fromMs, limit]);
  const messages = rows.filter(({ settled }) => settled);
  return { messages, after: rows.length < limit ? null : (rows.at(-1)?.transferId ?? null) };
}
