import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import {
  addCannedReply,
  type CannedReply,
  lockCannedReply,
  removeCannedReply,
  writeCannedReply,
} from '#conversations/store/canned-replies';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { CannedReplyId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** A request about one canned reply. */
export interface CannedReplyRequest extends VersionedRequest {
  readonly replyId: string;
}

/** @throws ApiProblem conflict when another one has the shortcut */
export function createCannedReply(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  wish: { readonly shortcut: string; readonly text: string },
): Promise<CannedReply> {
  const nowMs = rt.clock.now();
  const unused = { useCount: 0, lastUsedMs: null };
  const reply = {
    ...wish,
    ...unused,
    replyId: rt.newId<CannedReplyId>(),
    version: 1,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  return db.transaction(async (tx) => {
    const { replyId: targetId, shortcut } = reply;
    if (!(await addCannedReply(tx, tenantId, reply))) throw takenProblem(shortcut);
    await audit(rt, tx, { tenantId, origin, action: 'canned_reply.created', targetId, details: { shortcut } });
    return reply;
  });
}

/** @throws ApiProblem not_found, precondition_failed, conflict when another one has the shortcut */
export function updateCannedReply(
  rt: Runtime,
  db: Database,
  request: CannedReplyRequest,
  wish: { readonly shortcut?: string; readonly text?: string },
): Promise<CannedReply> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const before = await requireReply(tx, request);
    const after = { ...before, ...wish, version: before.version + 1, updatedMs: rt.clock.now() };
    if (!(await writeCannedReply(tx, tenantId, after))) throw takenProblem(after.shortcut);
    const details = changeDetails(changesBetween(written(before), written(after)), ['shortcut']);
    await audit(rt, tx, { tenantId, origin, action: 'canned_reply.changed', targetId: before.replyId, details });
    return after;
  });
}

/** @throws ApiProblem not_found, precondition_failed */
export function deleteCannedReply(rt: Runtime, db: Database, request: CannedReplyRequest): Promise<void> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const { replyId: targetId, shortcut } = await requireReply(tx, request);
    await removeCannedReply(tx, tenantId, targetId);
    await audit(rt, tx, { tenantId, origin, action: 'canned_reply.deleted', targetId, details: { shortcut } });
  });
}

function written({ shortcut, text }: CannedReply): JsonObject {
  return { shortcut, text };
}

function takenProblem(shortcut: string): ApiProblem {
  return new ApiProblem('conflict', { sentence: `Another canned reply has the shortcut ${shortcut}.` });
}

async function requireReply(tx: Transaction, request: CannedReplyRequest): Promise<CannedReply> {
  return requireVersion('canned reply', await lockCannedReply(tx, request.tenantId, request.replyId), request.versions);
}
