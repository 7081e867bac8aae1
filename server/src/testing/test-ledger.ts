import { expect } from 'vitest';
import type { TenantId } from '#core/ids';
import type { Database, Statement } from '#database/database';

const LEDGER: Statement = {
  name: 'test_ledger',
  text: `
select
  coalesce(sum(case 'available' when t.to_account then amount_micros when t.from_account then -amount_micros else 0 end), 0)::bigint as available_micros,
  coalesce(sum(case 'held' when t.to_account then amount_micros when t.from_account then -amount_micros else 0 end), 0)::bigint as held_micros
from wallet_transfers t where tenant_id = $1`,
};
const WALLET: Statement = {
  name: 'test_wallet',
  text: 'select available_micros, held_micros from wallets where tenant_id = $1',
};
const HOLDS: Statement = {
  name: 'test_holds',
  text: 'select coalesce(sum(amount_micros), 0)::bigint as sum from wallet_holds where tenant_id = $1',
};
const PAID: Statement = {
  name: 'test_paid',
  text: `
select coalesce(sum(case t.to_account when 'revenue' then amount_micros else -amount_micros end), 0)::bigint as paid
from wallet_transfers t where tenant_id = $1 and message_id = $2 and kind in ('capture', 'adjustment')`,
};

/** The balances are what the ledger adds up to, and what is held is what the holds add up to. */
export async function expectLedgerFits(db: Database, tenantId: TenantId): Promise<void> {
  const { rows } = await db.run(LEDGER, [tenantId]);
  const wallets = await db.run(WALLET, [tenantId]);
  expect(wallets.rows).toEqual(rows);
  const holds = await db.run<{ sum: number }>(HOLDS, [tenantId]);
  expect([holds.rows[0]?.sum]).toEqual(rows.map((row) => row.held_micros));
}

/** What a message has cost so far, in micros. */
export async function paidFor(db: Database, tenantId: TenantId, messageId: string): Promise<number> {
  return (await db.run<{ paid: number }>(PAID, [tenantId, messageId])).rows[0]?.paid ?? 0;
}
