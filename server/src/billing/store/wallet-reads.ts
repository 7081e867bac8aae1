import type { Account, Balances, TransferKind } from '#billing/domain/wallet';
import type { TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { SqlRunner, Statement } from '#database/database';

const READ_WALLET: Statement = {
  name: 'wallet_read',
  text: 'select available_micros, held_micros, updated_ms from wallets where tenant_id = $1',
};

export interface Wallet extends Balances {
  /** Null: nothing was ever booked. */
  readonly updatedMs: number | null;
}

export async function readWallet(db: SqlRunner, tenantId: TenantId): Promise<Wallet> {
  const { rows } = await db.run<{ available_micros: number; held_micros: number; updated_ms: number }>(READ_WALLET, [
    tenantId,
  ]);
  const [row] = rows;
  if (!row) return { availableMicros: 0, heldMicros: 0, updatedMs: null };
  return { availableMicros: row.available_micros, heldMicros: row.held_micros, updatedMs: row.updated_ms };
}

/** A line of the ledger. */
export interface StoredTransfer {
  readonly transferId: string;
  readonly kind: TransferKind;
  readonly from: Account;
  readonly amountMicros: number;
  readonly balanceAfterMicros: number;
  readonly messageId: string | null;
  readonly description: string;
  readonly createdMs: number;
}

const LIST_TRANSFERS: Statement = {
  name: 'wallet_list',
  camelCase: true,
  text: `
select transfer_id, kind, from_account as "from", amount_micros, balance_after_micros, message_id, description, created_ms
from wallet_transfers
where tenant_id = $1 and ($2::uuid is null or transfer_id < $2::uuid)
order by transfer_id desc
limit $3 offset $4`,
};

/** The ledger of a tenant, newest first. */
export async function listTransfers(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<StoredTransfer>> {
  // One more than asked for says whether there is a further page.
  const { rows } = await db.run<StoredTransfer>(LIST_TRANSFERS, [tenantId, beforeId, limit + 1, offset]);
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
