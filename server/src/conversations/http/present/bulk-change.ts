import { type BulkChange, type BulkItem, describeBulkFields, undoUntilMs } from '#conversations/domain/bulk-change';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';

/** @param nowMs the moment that decides whether it can still be undone */
export function presentBulkChange(one: BulkChange, nowMs: number): JsonObject {
  const { total, changed, unchanged, refused, actor } = one;
  const untilMs = undoUntilMs(one);
  return {
    id: one.bulkChangeId,
    status: one.status,
    change: one.change && describeBulkFields(one.change),
    undoes: one.undoes,
    undone_by: one.undoneBy,
    total,
    waiting: total - changed - unchanged - refused,
    changed,
    unchanged,
    refused,
    actor: { kind: actor.kind, id: actor.id },
    undo_until: untilMs !== null && nowMs < untilMs ? isoTime(untilMs) : null,
    created_at: isoTime(one.createdMs),
    finished_at: isoTimeOrNull(one.finishedMs),
  };
}

export function presentBulkItem({ conversationId, outcome, code, reason }: BulkItem): JsonObject {
  return { conversation_id: conversationId, outcome, code, reason };
}
