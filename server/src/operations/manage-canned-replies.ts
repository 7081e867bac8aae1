import { ApiProblem } from '#core/errors';
import type { CannedReplyId, TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import {
  addCannedReply,
  type CannedReply,
  lockCannedReply,
  removeCannedReply,
  writeCannedReply,
} from '#storage/canned-replies';
import type { Database, SqlRunner } from '#storage/database';

/** A request about one canned reply. */
export interface CannedReplyRequest {
  readonly tenantId: TenantId;
  readonly replyId: string;
  /** From If-Match; null: whatever the version is. */
  readonly versions: readonly number[] | null;
}

/** @throws ApiProblem conflict when another one has the shortcut */
export async function createCannedReply(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  wish: { readonly shortcut: string; readonly text: string },
): Promise<CannedReply> {
  const nowMs = rt.clock.now();
  const reply = { ...wish, replyId: rt.newId<CannedReplyId>(), version: 1, createdMs: nowMs, updatedMs: nowMs };
  if (!(await addCannedReply(db, tenantId, reply))) throw takenProblem(wish.shortcut);
  return reply;
}

/** @throws ApiProblem not_found, precondition_failed, conflict when another one has the shortcut */
export function changeCannedReply(
  rt: Runtime,
  db: Database,
  request: CannedReplyRequest,
  wish: { readonly shortcut?: string; readonly text?: string },
): Promise<CannedReply> {
  return db.transaction(async (tx) => {
    const before = await demandReply(tx, request);
    const after = { ...before, ...wish, version: before.version + 1, updatedMs: rt.clock.now() };
    if (!(await writeCannedReply(tx, request.tenantId, after))) throw takenProblem(after.shortcut);
    return after;
  });
}

/** @throws ApiProblem not_found, precondition_failed */
export function deleteCannedReply(db: Database, request: CannedReplyRequest): Promise<void> {
  return db.transaction(async (tx) => {
    const { replyId } = await demandReply(tx, request);
    await removeCannedReply(tx, request.tenantId, replyId);
  });
}

function takenProblem(shortcut: string): ApiProblem {
  return new ApiProblem('conflict', { sentence: `Another canned reply has the shortcut ${shortcut}.` });
}

async function demandReply(tx: SqlRunner, request: CannedReplyRequest): Promise<CannedReply> {
  const reply = await lockCannedReply(tx, request.tenantId, request.replyId);
  if (reply === null) throw new ApiProblem('not_found');
  if (request.versions === null || request.versions.includes(reply.version)) return reply;
  const sentence = `The canned reply was changed meanwhile: its version is ${reply.version}. Read it again.`;
  throw new ApiProblem('precondition_failed', { sentence });
}
