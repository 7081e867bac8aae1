import type { MoveStep, TenantMove } from '#cells/domain/move';
import type { TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/*
 * The moves of tenants, in the directory. A row lives as long as rows of the tenant may be in two cells. What changes a step names the one
 * before it: of a command and a process that takes its move back, one succeeds.
 */

const IS_THERE = statement(
  'moves_are_there',
)`select to_regclass('postrider_directory.tenant_moves') is not null as there`;
const LIST = statement('moves_list')`
select tenant_id, from_cell, to_cell, step, holder, lease_until_ms, started_ms from postrider_directory.tenant_moves
order by tenant_id`;

/** Moves that are not over; empty where no tenant has ever moved. */
export async function listMoves(db: SqlRunner): Promise<readonly TenantMove[]> {
  const { rows } = await db.run<{ there: boolean }>(IS_THERE, []);
  return rows[0]?.there === true ? (await db.run<TenantMove>(LIST, [])).rows : [];
}

const HOLD = 'lock table postrider_directory.tenant_moves in share mode';

/** Until the transaction ends no move begins, goes a step further, or ends. */
export async function lockMoves(tx: Transaction): Promise<void> {
  await tx.run({ name: '', text: HOLD }, []);
}

const BEGIN = statement('move_begin')`
insert into postrider_directory.tenant_moves as m (tenant_id, from_cell, to_cell, step, holder, lease_until_ms, started_ms)
values ($1, $2, $3, 'copying', $4, $5, $6)
on conflict (tenant_id) do update set holder = excluded.holder, lease_until_ms = excluded.lease_until_ms
where m.lease_until_ms <= $6
returning tenant_id, from_cell, to_cell, step, holder, lease_until_ms, started_ms`;

/** Begins a move, or takes over one whose command is gone. @returns null while another command works on it */
export async function takeMove(db: SqlRunner, move: Omit<TenantMove, 'step'>): Promise<TenantMove | null> {
  const { tenantId, fromCell, toCell, holder, leaseUntilMs, startedMs } = move;
  const { rows } = await db.run<TenantMove>(BEGIN, [tenantId, fromCell, toCell, holder, leaseUntilMs, startedMs]);
  return rows[0] ?? null;
}

/** A move in the hands of the command that works on it. */
export type HeldMove = Pick<TenantMove, 'tenantId' | 'holder'>;

const RENEW = statement('move_renew')`
update postrider_directory.tenant_moves set lease_until_ms = $3 where tenant_id = $1 and holder = $2`;

/** @returns false when it is in other hands, or over */
export async function renewMove(db: SqlRunner, { tenantId, holder }: HeldMove, leaseUntilMs: number): Promise<boolean> {
  return (await db.run(RENEW, [tenantId, holder, leaseUntilMs])).rowCount > 0;
}

const STEP = statement('move_step')`
update postrider_directory.tenant_moves set step = $4
where tenant_id = $1 and holder = $2 and step = $3 and lease_until_ms > $5`;

interface StepChange {
  readonly from: MoveStep;
  readonly to: MoveStep;
  readonly nowMs: number;
}

/** @returns false when it is not in this step any more, or the lease has ended */
export async function changeStep(db: SqlRunner, { tenantId, holder }: HeldMove, change: StepChange): Promise<boolean> {
  return (await db.run(STEP, [tenantId, holder, change.from, change.to, change.nowMs])).rowCount > 0;
}

const SET_PLACE = statement('move_set_place')`
update postrider_directory.tenant_cells set cell_id = $2 where tenant_id = $1`;

/** From here on the tenant lives in the other cell. @returns false as `changeStep` does: then it stays */
export async function switchCell(
  tx: Transaction,
  { tenantId, holder, toCell }: HeldMove & Pick<TenantMove, 'toCell'>,
  nowMs: number,
): Promise<boolean> {
  if (!(await changeStep(tx, { tenantId, holder }, { from: 'paused', to: 'switched', nowMs }))) return false;
  await tx.run(SET_PLACE, [tenantId, toCell]);
  return true;
}

const MEND = statement('move_mend')`
update postrider_directory.tenant_moves set step = $3 where tenant_id = $1 and step = $2 and lease_until_ms <= $4`;

/** For a move whose command is gone. @returns false when it is not, or when somebody else was faster */
export async function mendStep(db: SqlRunner, tenantId: TenantId, { from, to, nowMs }: StepChange): Promise<boolean> {
  return (await db.run(MEND, [tenantId, from, to, nowMs])).rowCount > 0;
}

const END = statement('move_end')`
delete from postrider_directory.tenant_moves where tenant_id = $1 and holder = $2`;

/** Nothing of the tenant is in two cells any more. */
export async function endMove(db: SqlRunner, { tenantId, holder }: HeldMove): Promise<void> {
  await db.run(END, [tenantId, holder]);
}
