import type { SegmentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import type { Database, SqlRunner, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';

/** A condition about contacts that has a name. */
export interface Segment {
  readonly segmentId: SegmentId;
  readonly name: string;
  /** As it was written; checked when it was stored, and again when it is used. */
  readonly condition: JsonObject;
  /** How many contacts it held for when it was last counted; null: never. */
  readonly contactCount: number | null;
  readonly evaluatedMs: number | null;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

const SEGMENT_WRITE: Statement = {
  name: 'segment_write',
  text: `
insert into segments (
  tenant_id, segment_id, name, condition, contact_count, evaluated_ms, version, created_ms, updated_ms)
values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9)
on conflict (tenant_id, segment_id) do update set
  name = excluded.name, condition = excluded.condition, contact_count = excluded.contact_count,
  evaluated_ms = excluded.evaluated_ms, version = excluded.version, updated_ms = excluded.updated_ms`,
};

/** Stores a segment: a new one, or one that is locked. */
export async function writeSegment(tx: Transaction, tenantId: TenantId, segment: Segment): Promise<void> {
  const { segmentId, name, condition, contactCount, evaluatedMs, version, createdMs, updatedMs } = segment;
  const values = [name, JSON.stringify(condition), contactCount, evaluatedMs, version, createdMs, updatedMs];
  await tx.run(SEGMENT_WRITE, [tenantId, segmentId, ...values]);
}

const SEGMENT_FIND: Statement = {
  name: 'segment_find',
  text: 'select * from segments where tenant_id = $1 and segment_id = $2',
};
const SEGMENT_LOCK: Statement = { name: 'segment_lock', text: `${SEGMENT_FIND.text} for update` };
const COUNTED: Statement = {
  name: 'segment_counted',
  text: 'update segments set contact_count = $3, evaluated_ms = $4 where tenant_id = $1 and segment_id = $2',
};
const SEGMENT_REMOVE: Statement = {
  name: 'segment_remove',
  text: 'delete from segments where tenant_id = $1 and segment_id = $2',
};

export async function findSegment(db: SqlRunner, tenantId: TenantId, segmentId: string): Promise<Segment | null> {
  const { rows } = await db.run<SegmentRow>(SEGMENT_FIND, [tenantId, segmentId]);
  return rows[0] === undefined ? null : toSegment(rows[0]);
}

export async function lockSegment(tx: Transaction, tenantId: TenantId, segmentId: string): Promise<Segment | null> {
  const { rows } = await tx.run<SegmentRow>(SEGMENT_LOCK, [tenantId, segmentId]);
  return rows[0] === undefined ? null : toSegment(rows[0]);
}

/** Notes how many contacts there are; no change that anybody else would overwrite. */
export async function noteCount(
  db: SqlRunner,
  counted: {
    readonly tenantId: TenantId;
    readonly segmentId: SegmentId;
    readonly count: number;
    readonly nowMs: number;
  },
): Promise<void> {
  await db.run(COUNTED, [counted.tenantId, counted.segmentId, counted.count, counted.nowMs]);
}

export async function removeSegment(tx: Transaction, tenantId: TenantId, segmentId: SegmentId): Promise<void> {
  await tx.run(SEGMENT_REMOVE, [tenantId, segmentId]);
}

/** Newest first. */
export async function listSegments(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
  window: ListWindow,
): Promise<Page<Segment>> {
  let query = db.kysely.selectFrom('segments').selectAll().where('tenant_id', '=', tenantId);
  if (window.beforeId !== null) query = query.where('segment_id', '<', window.beforeId);
  const rows = await query
    .orderBy('segment_id', 'desc')
    .limit(window.limit + 1)
    .offset(window.offset)
    .execute();
  return { items: rows.slice(0, window.limit).map(toSegment), hasMore: rows.length > window.limit };
}

type SegmentRow = Schema['segments'];

function toSegment(row: SegmentRow): Segment {
  return {
    segmentId: row.segment_id as SegmentId,
    name: row.name,
    condition: row.condition as JsonObject,
    contactCount: row.contact_count === null ? null : Number(row.contact_count),
    evaluatedMs: row.evaluated_ms === null ? null : Number(row.evaluated_ms),
    version: row.version,
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  };
}
