import type { Conversation, ConversationStatus } from '#conversations/domain/conversation';
import type { AgentId, NewId, TeamId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** Conversations of one kind: of a status, assignee and team, waiting or not. */
export interface CountedKind {
  readonly tenantId: TenantId;
  readonly status: ConversationStatus;
  readonly assigneeId: AgentId | null;
  readonly teamId: TeamId | null;
  readonly isWaiting: boolean;
}

export interface CountRow extends CountedKind {
  readonly amount: number;
}

/** What a change does to the counts. @param before null: it is new */
export function countChange(before: Conversation | null, after: Conversation): readonly CountRow[] {
  const now: CountRow = { ...kindOf(after), amount: 1 };
  if (before === null) return [now];
  const then: CountRow = { ...kindOf(before), amount: -1 };
  return keyOf(then) === keyOf(now) ? [] : [then, now];
}

function kindOf({ tenantId, status, assigneeId, teamId, waitingSinceMs }: Conversation): CountedKind {
  return { tenantId, status, assigneeId, teamId, isWaiting: waitingSinceMs !== null };
}

function keyOf({ tenantId, status, assigneeId, teamId, isWaiting }: CountedKind): string {
  return `${tenantId}/${status}/${assigneeId}/${teamId}/${isWaiting}`;
}

const ADD_COUNTS = statement('conversation_add_counts', { insertsOnly: true })`
insert into conversation_counts (tenant_id, entry_id, status, assignee_id, team_id, is_waiting, amount)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::boolean[], $7::bigint[])`;

/** Writes differences of the counts. They are inserts alone: nobody waits for them. */
export async function addCounts(tx: Transaction, newId: NewId, rows: readonly CountRow[]): Promise<void> {
  const sums = sumUp(rows);
  if (sums.length === 0) return;
  await tx.run(ADD_COUNTS, [
    plainArray(sums.map((row) => row.tenantId)),
    plainArray(sums.map(() => newId())),
    plainArray(sums.map((row) => row.status)),
    plainArray(sums.map((row) => row.assigneeId)),
    plainArray(sums.map((row) => row.teamId)),
    plainArray(sums.map((row) => row.isWaiting)),
    plainArray(sums.map((row) => row.amount)),
  ]);
}

/** One row per kind; kinds whose differences cancel out are gone. */
function sumUp(rows: readonly CountRow[]): readonly CountRow[] {
  const sums = new Map<string, CountRow>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, { ...row, amount: row.amount + (sums.get(key)?.amount ?? 0) });
  }
  return [...sums.values()].filter((row) => row.amount !== 0);
}

const READ_COUNTS = statement('conversation_read_counts')`
select status, assignee_id, team_id, is_waiting, sum(amount)::bigint as amount from conversation_counts
where tenant_id = $1
group by 1, 2, 3, 4
having sum(amount) <> 0`;

type StoredCount = Omit<CountRow, 'tenantId'>;

/** How many conversations a tenant has of each kind. */
export async function readCounts(db: SqlRunner, tenantId: TenantId): Promise<readonly CountRow[]> {
  const { rows } = await db.run<StoredCount>(READ_COUNTS, [tenantId]);
  return rows.map((row) => ({ ...row, tenantId }));
}

/** Rows added up per statement: short transactions. */
const ADD_UP_BATCH = 5_000;
/** Tenants with fewer rows are left alone: reading them is cheap. */
const ADD_UP_FROM = 500;

/** Spans tenants: housekeeping. */
const CROWDED = statement('conversation_counts_crowded')`
select tenant_id from conversation_counts group by tenant_id having count(*) >= $1 limit 100`;

const TAKE_COUNTS = statement('conversation_take_counts')`
delete from conversation_counts where tenant_id = $1 and entry_id in (
  select entry_id from conversation_counts where tenant_id = $1 order by entry_id limit ${ADD_UP_BATCH} for update skip locked)
returning status, assignee_id, team_id, is_waiting, amount`;

/** Tenants whose counts consist of many rows. */
export async function findCrowdedCounts(db: SqlRunner): Promise<readonly TenantId[]> {
  const { rows } = await db.run<{ tenantId: TenantId }>(CROWDED, [ADD_UP_FROM]);
  return rows.map((row) => row.tenantId);
}

/** Replaces rows of a tenant by their sums, in the caller's transaction. @returns how many rows were added up */
export async function addUpCounts(tx: Transaction, newId: NewId, tenantId: TenantId): Promise<number> {
  const { rows } = await tx.run<StoredCount>(TAKE_COUNTS, [tenantId]);
  const taken = rows.map((row) => ({ ...row, tenantId }));
  await addCounts(tx, newId, taken);
  return rows.length;
}
