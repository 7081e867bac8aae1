import { applyTransfer, type Balances, type Transfer } from '#billing/domain/wallet';
import type { MessageId, TenantId } from '#core/ids';
import { columnsOf, plainArray, sparsePlain } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

const MAKE_WALLETS = statement('wallet_make')`
insert into wallets (tenant_id, available_micros, held_micros, updated_ms)
select t.tenant_id, 0, 0, $2 from unnest($1::uuid[]) as t (tenant_id)
order by t.tenant_id
on conflict (tenant_id) do nothing`;

const LOCK_WALLETS = statement('wallet_lock')`
select tenant_id, available_micros, held_micros from wallets
where tenant_id = any($1::uuid[]) order by tenant_id for update`;

/** Balances that stand still until the commit, made when there are none; in the order of the ids, so that nobody deadlocks. */
export async function lockWallets(
  tx: Transaction,
  tenantIds: ReadonlySet<TenantId>,
  nowMs: number,
): Promise<Map<TenantId, Balances>> {
  if (tenantIds.size === 0) return new Map();
  const ids = plainArray([...tenantIds]);
  await tx.run(MAKE_WALLETS, [ids, nowMs]);
  const { rows } = await tx.run<Balances & { readonly tenantId: TenantId }>(LOCK_WALLETS, [ids]);
  return new Map(rows.map(({ tenantId, ...balances }) => [tenantId, balances]));
}

/** A transfer to write down. */
export interface NewTransfer {
  readonly tenantId: TenantId;
  readonly transferId: string;
  readonly transfer: Transfer;
  readonly messageId: MessageId | null;
  readonly description: string;
}

const WRITE_TRANSFERS = statement('wallet_transfer')`
insert into wallet_transfers (
  tenant_id, transfer_id, kind, from_account, to_account, amount_micros, balance_after_micros, message_id, description,
  created_ms)
select t.tenant_id, t.transfer_id, t.kind, t.from_account, t.to_account, t.amount_micros, t.balance_after_micros,
  t.message_id, t.description, $10
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::uuid[], $9::text[])
  as t (tenant_id, transfer_id, kind, from_account, to_account, amount_micros, balance_after_micros, message_id,
    description)`;

const WRITE_BALANCES = statement('wallet_balance')`
update wallets w set available_micros = t.available_micros, held_micros = t.held_micros, updated_ms = $4,
  last_transfer_id = greatest(w.last_transfer_id, t.last_transfer_id)
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $5::uuid[])
  as t (tenant_id, available_micros, held_micros, last_transfer_id)
where w.tenant_id = t.tenant_id`;

/**
 * Caches transfers of wallets that `lockWallets` holds, in this order, and brings `wallets` up to date.
 * @throws RangeError when one would overdraw
 */
export async function postTransfers(
  tx: Transaction,
  wallets: Map<TenantId, Balances>,
  { transfers, nowMs }: { readonly transfers: readonly NewTransfer[]; readonly nowMs: number },
): Promise<void> {
  if (transfers.length === 0) return;
  const after = transfers.map(({ tenantId, transfer }) => {
    const next = applyTransfer(wallets.get(tenantId) ?? { availableMicros: 0, heldMicros: 0 }, transfer);
    wallets.set(tenantId, next);
    return next.availableMicros + next.heldMicros;
  });
  await tx.run(WRITE_TRANSFERS, [
    plainArray(transfers.map((row) => row.tenantId)),
    plainArray(transfers.map((row) => row.transferId)),
    plainArray(transfers.map((row) => row.transfer.kind)),
    plainArray(transfers.map((row) => row.transfer.from)),
    plainArray(transfers.map((row) => row.transfer.to)),
    plainArray(transfers.map((row) => row.transfer.amountMicros)),
    plainArray(after),
    sparsePlain(transfers.map((row) => row.messageId)),
    transfers.map((row) => row.description),
    nowMs,
  ]);
  const newest = new Map(transfers.map((row) => [row.tenantId, row.transferId]));
  const changed = [...newest.keys()];
  await tx.run(WRITE_BALANCES, [
    plainArray(changed),
    plainArray(changed.map((id) => wallets.get(id)?.availableMicros ?? 0)),
    plainArray(changed.map((id) => wallets.get(id)?.heldMicros ?? 0)),
    nowMs,
    plainArray(changed.map((id) => newest.get(id) ?? null)),
  ]);
}

/** What is set aside for a message. */
export interface Hold {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly amountMicros: number;
}

const ADD_HOLDS = statement('wallet_hold')`
insert into wallet_holds (tenant_id, message_id, amount_micros)
select t.tenant_id, t.message_id, t.amount_micros
from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as t (tenant_id, message_id, amount_micros)`;

export async function addHolds(tx: Transaction, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return;
  await tx.run(ADD_HOLDS, columnsOf(holds, 'tenantId', 'messageId', 'amountMicros').map(plainArray));
}

const TAKE_HOLDS = statement('wallet_take_holds')`
delete from wallet_holds h using unnest($1::uuid[], $2::uuid[], $3::bigint[]) as t (tenant_id, message_id, revived_ms)
where h.tenant_id = t.tenant_id and h.message_id = t.message_id and h.revived_ms is not distinct from t.revived_ms
returning h.message_id`;

/**
 * Takes holds away, as they were found: one whose message was brought back meanwhile stays.
 * @returns those that were still there: each is settled once
 */
export async function takeHolds(tx: Transaction, holds: readonly HeldMessage[]): Promise<ReadonlySet<string>> {
  if (holds.length === 0) return new Set();
  const keys = columnsOf(holds, 'tenantId', 'messageId', 'revivedMs').map(plainArray);
  const { rows } = await tx.run<{ messageId: string }>(TAKE_HOLDS, keys);
  return new Set(rows.map((row) => row.messageId));
}

/** A hold, and what has become of its message. */
export interface HeldMessage extends Hold {
  /** When it was brought back after it seemed to have failed; null: never. With it `amountMicros` may be 0. */
  readonly revivedMs: number | null;
  readonly to: string;
  readonly createdMs: number;
  readonly status: 'queued' | 'sent' | 'failed';
  /** What the network said it costs; null: nothing yet. */
  readonly pricing: { readonly category: string | null; readonly billable: boolean | null } | null;
}

const FIND_HOLDS = statement('wallet_find_holds')`
select h.tenant_id, h.message_id, h.amount_micros, h.revived_ms, m.to_phone as "to", m.created_ms, m.status, m.pricing
from (
  select tenant_id, message_id, amount_micros, revived_ms from wallet_holds
  where (tenant_id, message_id) > ($1::uuid, $2::uuid)
  order by tenant_id, message_id limit $3
) h
join outbound_messages m on m.tenant_id = h.tenant_id and m.message_id = h.message_id
order by h.tenant_id, h.message_id`;

/** The next holds of all tenants behind a place, in the order of their key. */
export async function findHolds(
  db: SqlRunner,
  after: { readonly tenantId: string; readonly messageId: string },
  limit: number,
): Promise<readonly HeldMessage[]> {
  return (await db.run<HeldMessage>(FIND_HOLDS, [after.tenantId, after.messageId, limit])).rows;
}

/**
 * The part of a statement that notes at the holds of the messages in `source` that they were brought back. One that was
 * given back is placed anew with 0; a message for which nothing was held stays without. The line of a hold in the
 * ledger has the id of its message or, when it was written behind a newer line, an id of its own. Both are looked up by
 * key: of an `exists` the planner may make a hash of the whole ledger.
 */
export function noteRevived(source: string, nowMs: string): string {
  return `
  insert into wallet_holds (tenant_id, message_id, amount_micros, revived_ms)
  select r.tenant_id, r.message_id, 0, ${nowMs} from ${source} r
  where coalesce(
    (select true from wallet_transfers t where t.tenant_id = r.tenant_id and t.transfer_id = r.message_id),
    (select true from wallet_transfers t where t.tenant_id = r.tenant_id and t.message_id = r.message_id
      and t.kind = 'hold' and t.transfer_id <> t.message_id limit 1))
  order by r.tenant_id, r.message_id
  on conflict (tenant_id, message_id) do update set revived_ms = excluded.revived_ms`;
}
