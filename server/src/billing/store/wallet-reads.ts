import type { Account, Balances, TransferKind } from '#billing/domain/wallet';
import type { TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement } from '#database/database';
import { firstRow, pageOf } from '#database/rows';

const READ_WALLET = statement('wallet_read')`
select available_micros, held_micros, updated_ms from wallets where tenant_id = $1`;

export interface Wallet extends Balances {
  /** Null: nothing was ever booked. */
  readonly updatedMs: number | null;
}

export async function readWallet(db: SqlRunner, tenantId: TenantId): Promise<Wallet> {
  const wallet = await firstRow(db.run<Wallet>(READ_WALLET, [tenantId]));
  return wallet ?? { availableMicros: 0, heldMicros: 0, updatedMs: null };
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

const LIST_TRANSFERS = statement('wallet_list')`
select transfer_id, kind, from_account as "from", amount_micros, balance_after_micros, message_id, description, created_ms
from wallet_transfers
where tenant_id = $1 and ($2::uuid is null or transfer_id < $2::uuid)
order by transfer_id desc
limit $3 offset $4`;

/** The ledger of a tenant, newest first. */
export async function listTransfers(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<StoredTransfer>> {
  const { rows } = await db.run<StoredTransfer>(LIST_TRANSFERS, [tenantId, beforeId, limit + 1, offset]);
  return pageOf(rows, limit);
}
