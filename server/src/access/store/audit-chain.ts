import type { AuditEntry } from '#access/domain/audit';
import type { SealedEntry } from '#access/domain/audit-chain';
import type { TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import { type AuditRow, toEntry } from './audit-log.ts';

/** The end of a tenant's chain. */
export interface ChainHead {
  readonly tenantId: TenantId;
  /** Entries in the chain. */
  readonly seq: number;
  readonly hash: string;
}

/** An entry with its place in the chain. */
export interface Seal {
  readonly tenantId: TenantId;
  readonly seq: number;
  readonly entryId: string;
  readonly hash: string;
}

const HAS_UNSEALED = statement('audit_has_unsealed')`select tenant_id from audit_unsealed limit 1`;

/** Whether any entry, of any tenant, waits to join its chain. */
export async function hasUnsealed(db: SqlRunner): Promise<boolean> {
  return (await db.run(HAS_UNSEALED, [])).rowCount > 0;
}

const TAKE_UNSEALED = statement('audit_take_unsealed')`
with taken as (
  delete from audit_unsealed
  where (tenant_id, entry_id) in (
    select tenant_id, entry_id from audit_unsealed order by entry_id limit $1 for update skip locked
  )
  returning tenant_id, entry_id
)
select l.* from taken t join audit_log l on l.tenant_id = t.tenant_id and l.entry_id = t.entry_id
order by l.tenant_id, l.entry_id`;

/** Takes entries that no chain holds yet, of all tenants, in the order of their ids within a tenant. */
export async function takeUnsealed(tx: Transaction, limit: number): Promise<readonly AuditEntry[]> {
  const { rows } = await tx.run<AuditRow>(TAKE_UNSEALED, [limit]);
  return rows.map(toEntry);
}

const MAKE_HEADS = statement('audit_make_heads')`
insert into audit_heads (tenant_id, seq, hash) select unnest($1::uuid[]), 0, $2 on conflict do nothing`;

const LOCK_HEADS = statement('audit_lock_heads')`
select tenant_id, seq, hash from audit_heads where tenant_id = any($1::uuid[]) order by tenant_id for update`;

/** Locks the ends of chains until the commit; chains that are not there yet begin with `start`. */
export async function lockHeads(
  tx: Transaction,
  tenantIds: readonly TenantId[],
  start: string,
): Promise<readonly ChainHead[]> {
  await tx.run(MAKE_HEADS, [tenantIds, start]);
  return (await tx.run<ChainHead>(LOCK_HEADS, [tenantIds])).rows;
}

const APPEND_SEALS = statement('audit_append_seals')`
insert into audit_seals (tenant_id, seq, entry_id, hash, sealed_ms)
select s.tenant_id, s.seq, s.entry_id, s.hash, $5
from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[]) as s(tenant_id, seq, entry_id, hash)`;

const MOVE_HEADS = statement('audit_move_heads')`
update audit_heads h set seq = n.seq, hash = n.hash
from unnest($1::uuid[], $2::bigint[], $3::text[]) as n(tenant_id, seq, hash) where h.tenant_id = n.tenant_id`;

/** Adds seals to chains whose ends are locked, and moves the ends. */
export async function appendSeals(
  tx: Transaction,
  seals: readonly Seal[],
  heads: readonly ChainHead[],
  nowMs: number,
): Promise<void> {
  await tx.run(APPEND_SEALS, [...columnsOf(seals, 'tenantId', 'seq', 'entryId', 'hash'), nowMs]);
  await tx.run(MOVE_HEADS, columnsOf(heads, 'tenantId', 'seq', 'hash'));
}

const READ_CHAIN = statement('audit_read_chain')`
select s.seq as seal_seq, s.entry_id as sealed_entry_id, s.hash as seal_hash, l.*
from audit_seals s left join audit_log l on l.tenant_id = s.tenant_id and l.entry_id = s.entry_id
where s.tenant_id = $1 and s.seq > $2 order by s.seq limit $3`;

interface ChainRow extends AuditRow {
  readonly sealSeq: number;
  readonly sealedEntryId: string;
  readonly sealHash: string;
}

/** The next seals of a tenant's chain after `afterSeq`, each with its entry. */
export async function readChain(
  db: SqlRunner,
  tenantId: TenantId,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly SealedEntry[]> {
  const { rows } = await db.run<ChainRow>(READ_CHAIN, [tenantId, afterSeq, limit]);
  return rows.map((row) => ({
    seq: row.sealSeq,
    entryId: row.sealedEntryId,
    hash: row.sealHash,
    entry: row.entryId === null ? null : toEntry(row),
  }));
}

const CLAIM_UNFORWARDED = statement('audit_claim_unforwarded')`
update audit_heads set forwarding_until_ms = $2
where tenant_id = (
  select tenant_id from audit_heads where seq > forwarded_seq and forwarding_until_ms <= $1
  order by forwarding_until_ms, tenant_id limit 1 for update skip locked
)
returning tenant_id, seq, forwarded_seq`;

/** A chain whose end the log server does not have. */
export interface UnforwardedChain {
  readonly tenantId: TenantId;
  /** Entries in the chain. */
  readonly seq: number;
  /** The last one that the log server took. */
  readonly forwardedSeq: number;
}

/**
 * Takes hold of the chain, of any tenant, that has waited longest to be forwarded, so that one process at a time forwards it.
 * @param untilMs when the hold ends if its process does not end it
 * @returns null when nothing waits, or others hold all that does
 */
export function claimUnforwarded(
  db: SqlRunner,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<UnforwardedChain | null> {
  return firstRow(db.run<UnforwardedChain>(CLAIM_UNFORWARDED, [nowMs, untilMs]));
}

const MARK_FORWARDED = statement('audit_mark_forwarded')`
update audit_heads set forwarded_seq = greatest(forwarded_seq, $2), forwarding_until_ms = $3 where tenant_id = $1`;

/** Ends the hold on a chain. @param forwardedSeq the last place that the log server took */
export async function markForwarded(
  db: SqlRunner,
  { tenantId, forwardedSeq }: Pick<UnforwardedChain, 'tenantId' | 'forwardedSeq'>,
  nowMs: number,
): Promise<void> {
  await db.run(MARK_FORWARDED, [tenantId, forwardedSeq, nowMs]);
}

const READ_HEADS = statement('audit_read_heads')`
select t.tenant_id, coalesce(h.seq, 0) as seq, coalesce(h.hash, '') as hash,
  (select count(*) from audit_log l where l.tenant_id = t.tenant_id) as entries,
  (select count(*) from audit_unsealed u where u.tenant_id = t.tenant_id) as unsealed
from tenants t left join audit_heads h on h.tenant_id = t.tenant_id
where $1::uuid is null or t.tenant_id = $1 order by t.tenant_id`;

export interface ChainState extends ChainHead {
  /** Rows of the log, sealed or not. */
  readonly entries: number;
  readonly unsealed: number;
}

/** The end of every chain, and how many entries there are beside it. @param tenantId null: of every tenant */
export async function readHeads(db: Pick<Database, 'run'>, tenantId: TenantId | null): Promise<readonly ChainState[]> {
  return (await db.run<ChainState>(READ_HEADS, [tenantId])).rows;
}
