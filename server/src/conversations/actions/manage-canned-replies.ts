import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { findOwnRetention } from '#access/store/tenant-retention';
import { changesBetween } from '#agents/domain/agent-events';
import { findTeam } from '#agents/store/teams';
import {
  addCannedReply,
  type CannedReply,
  lockCannedReply,
  removeCannedReply,
  writeCannedReply,
} from '#conversations/store/canned-replies';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { CannedReplyId, TeamId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import { requireSendable } from '#media/actions/require-media';
import { mediaExpiry } from '#media/actions/store-media';
import { extendMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';

/** What people write of a canned reply. */
export type ReplyFields = Pick<CannedReply, 'shortcut' | 'text' | 'mediaIds' | 'teamIds'>;

/** A request about one canned reply. */
export interface CannedReplyRequest extends VersionedRequest {
  readonly replyId: string;
}

/** @throws ApiProblem validation_failed for a file or a team it names, conflict when another one has the shortcut */
export function createCannedReply(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  fields: ReplyFields,
): Promise<CannedReply> {
  const nowMs = rt.clock.now();
  const unused = { useCount: 0, lastUsedMs: null };
  const reply = {
    ...fields,
    ...unused,
    replyId: rt.newId<CannedReplyId>(),
    version: 1,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  return db.transaction(async (tx) => {
    const { replyId: targetId, shortcut } = reply;
    await requireNamed(rt, tx, tenantId, fields);
    if (!(await addCannedReply(tx, tenantId, reply))) throw takenProblem(shortcut);
    await audit(rt, tx, { tenantId, origin, action: 'canned_reply.created', targetId, details: { shortcut } });
    return reply;
  });
}

/** @throws ApiProblem not_found, precondition_failed, and as createCannedReply */
export function updateCannedReply(
  rt: Runtime,
  db: Database,
  request: CannedReplyRequest,
  patch: Partial<ReplyFields>,
): Promise<CannedReply> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const before = await requireReply(tx, request);
    await requireNamed(rt, tx, tenantId, patch);
    const after = { ...before, ...patch, version: before.version + 1, updatedMs: rt.clock.now() };
    if (!(await writeCannedReply(tx, tenantId, after))) throw takenProblem(after.shortcut);
    const details = changeDetails(changesBetween(written(before), written(after)), SHOWN);
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

/** What the audit log shows the values of. */
const SHOWN = ['shortcut', 'media_ids', 'team_ids'];

function written({ shortcut, text, mediaIds, teamIds }: CannedReply): JsonObject {
  return { shortcut, text, media_ids: [...mediaIds], team_ids: [...teamIds] };
}

async function requireNamed(
  rt: Runtime,
  tx: Transaction,
  tenantId: TenantId,
  { mediaIds = [], teamIds = [] }: Partial<ReplyFields>,
): Promise<void> {
  await requireSendable(rt, tx, tenantId, mediaIds);
  if (mediaIds.length > 0) {
    const untilMs = mediaExpiry(rt, await findOwnRetention(tx, tenantId), 'upload');
    await extendMedia(tx, { tenantId, mediaIds, untilMs });
  }
  for (const [index, teamId] of teamIds.entries()) await requireTeam(tx, { tenantId, index, teamId });
}

async function requireTeam(
  tx: Transaction,
  { tenantId, index, teamId }: { readonly tenantId: TenantId; readonly index: number; readonly teamId: TeamId },
): Promise<void> {
  if ((await findTeam(tx, tenantId, teamId)) !== null) return;
  const message = `team_ids[${index}] does not name a team of this tenant.`;
  throw new ApiProblem('validation_failed', {
    sentence: message,
    details: [{ path: `body.team_ids[${index}]`, message }],
  });
}

function takenProblem(shortcut: string): ApiProblem {
  return new ApiProblem('conflict', { sentence: `Another canned reply has the shortcut ${shortcut}.` });
}

async function requireReply(tx: Transaction, request: CannedReplyRequest): Promise<CannedReply> {
  return requireVersion('canned reply', await lockCannedReply(tx, request.tenantId, request.replyId), request.versions);
}
