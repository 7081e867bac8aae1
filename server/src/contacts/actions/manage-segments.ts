import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import { countContacts } from '#contacts/store/contact-lists';
import {
  findSegment,
  lockSegment,
  noteCount,
  removeSegment,
  type Segment,
  writeSegment,
} from '#contacts/store/segments';
import type { Requester } from '#core/caller/origin';
import type { Condition } from '#core/conditions/condition';
import { ApiProblem } from '#core/errors';
import type { SegmentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { readContactCondition } from './contact-condition.ts';

/** A request about one segment. */
export interface SegmentRequest extends VersionedRequest {
  readonly segmentId: string;
}

/** @throws ApiProblem validation_failed for a condition that is none */
export function createSegment(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  wish: { readonly name: string; readonly condition: JsonObject },
): Promise<Segment> {
  const nowMs = rt.clock.now();
  const counted = { contactCount: null, evaluatedMs: null };
  const segmentId = rt.newId<SegmentId>();
  const segment = { ...wish, ...counted, segmentId, version: 1, createdMs: nowMs, updatedMs: nowMs };
  return db.transaction(async (tx) => {
    await readContactCondition(tx, tenantId, { input: wish.condition, path: 'body.when' });
    await writeSegment(tx, tenantId, segment);
    const details = { name: wish.name };
    await audit(rt, tx, { tenantId, origin, action: 'segment.created', targetId: segmentId, details });
    return segment;
  });
}

/**
 * Changes name or condition; what was counted by another condition is forgotten.
 * @throws ApiProblem not_found, precondition_failed, validation_failed
 */
export async function updateSegment(
  rt: Runtime,
  db: Database,
  request: SegmentRequest,
  wish: { readonly name?: string; readonly condition?: JsonObject },
): Promise<Segment> {
  const { tenantId, origin } = request;
  if (wish.condition !== undefined) {
    await readContactCondition(db, tenantId, { input: wish.condition, path: 'body.when' });
  }
  return db.transaction(async (tx) => {
    const before = await requireSegment(tx, request);
    const version = before.version + 1;
    const counted = wish.condition === undefined ? {} : { contactCount: null, evaluatedMs: null };
    const after = { ...before, ...wish, ...counted, version, updatedMs: rt.clock.now() };
    await writeSegment(tx, tenantId, after);
    const changes = changesBetween(written(before), written(after));
    const details = changeDetails(changes, ['name']);
    await audit(rt, tx, { tenantId, origin, action: 'segment.changed', targetId: before.segmentId, details });
    return after;
  });
}

/** @throws ApiProblem not_found, precondition_failed */
export function deleteSegment(rt: Runtime, db: Database, request: SegmentRequest): Promise<void> {
  return db.transaction(async (tx) => {
    const { segmentId, name } = await requireSegment(tx, request);
    const { tenantId, origin } = request;
    await removeSegment(tx, tenantId, segmentId);
    await audit(rt, tx, { tenantId, origin, action: 'segment.deleted', targetId: segmentId, details: { name } });
  });
}

function written({ name, condition }: Segment): JsonObject {
  return { name, when: condition };
}

async function requireSegment(tx: Transaction, request: SegmentRequest): Promise<Segment> {
  return requireVersion('segment', await lockSegment(tx, request.tenantId, request.segmentId), request.versions);
}

/** How old a count may be when it is shown. */
const COUNT_AGE_MS = 60_000;

/** A segment with its contacts counted within the last minute. @throws ApiProblem not_found */
export async function readSegment(rt: Runtime, db: Database, tenantId: TenantId, segmentId: string): Promise<Segment> {
  const segment = await findSegment(db, tenantId, segmentId);
  if (segment === null) throw new ApiProblem('not_found');
  const nowMs = rt.clock.now();
  if (segment.evaluatedMs !== null && nowMs - segment.evaluatedMs < COUNT_AGE_MS) return segment;
  const condition = await readContactCondition(db, tenantId, { input: segment.condition, path: 'when' });
  const count = await countContacts(db, { tenantId, filter: { condition }, nowMs });
  await noteCount(db, { tenantId, segmentId: segment.segmentId, count, nowMs });
  return { ...segment, contactCount: count, evaluatedMs: nowMs };
}

/** The condition of a segment, compiled; null when the segment does not exist. */
export async function segmentCondition(db: Database, tenantId: TenantId, segmentId: string): Promise<Condition | null> {
  const segment = await findSegment(db, tenantId, segmentId);
  if (segment === null) return null;
  return readContactCondition(db, tenantId, { input: segment.condition, path: 'when' });
}
