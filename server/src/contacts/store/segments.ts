import type { SegmentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock, newestFirst, pageOf } from '#database/rows';

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

const SEGMENT_WRITE = statement('segment_write')`
insert into segments (
  tenant_id, segment_id, name, condition, contact_count, evaluated_ms, version, created_ms, updated_ms)
values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9)
on conflict (tenant_id, segment_id) do update set
  name = excluded.name, condition = excluded.condition, contact_count = excluded.contact_count,
  evaluated_ms = excluded.evaluated_ms, version = excluded.version, updated_ms = excluded.updated_ms`;

/** Stores a segment: a new one, or one that is locked. */
export async function writeSegment(tx: Transaction, tenantId: TenantId, segment: Segment): Promise<void> {
  const { segmentId, name, condition, contactCount, evaluatedMs, version, createdMs, updatedMs } = segment;
  const values = [name, JSON.stringify(condition), contactCount, evaluatedMs, version, createdMs, updatedMs];
  await tx.run(SEGMENT_WRITE, [tenantId, segmentId, ...values]);
}

const SEGMENT_FIND = statement('segment_find')`select * from segments where tenant_id = $1 and segment_id = $2`;
const SEGMENT_LOCK = statement('segment_lock')`${SEGMENT_FIND.text} for update`;
const COUNTED = statement('segment_counted')`
update segments set contact_count = $3, evaluated_ms = $4 where tenant_id = $1 and segment_id = $2`;
const SEGMENT_REMOVE = statement('segment_remove')`delete from segments where tenant_id = $1 and segment_id = $2`;

export const findSegment: Find<Segment> = (db, ...key) => firstRow(db.run<SegmentRow>(SEGMENT_FIND, key), toSegment);
export const lockSegment: Lock<Segment> = (tx, ...key) => firstRow(tx.run<SegmentRow>(SEGMENT_LOCK, key), toSegment);

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
  const query = db.kysely.selectFrom('segments').selectAll().where('tenantId', '=', tenantId);
  return pageOf((await newestFirst(query, 'segmentId', window).execute()).map(toSegment), window.limit);
}

interface SegmentRow extends Segment {
  readonly tenantId: TenantId;
}

declare module '#database/schema' {
  interface Schema {
    segments: SegmentRow;
  }
}

function toSegment({ tenantId: _tenant, ...segment }: SegmentRow): Segment {
  return segment;
}
