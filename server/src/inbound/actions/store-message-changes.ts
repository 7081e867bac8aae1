import { showChangedPreviews } from '#conversations/store/changed-previews';
import type { TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { ChangeItem } from '#inbound/domain/callback-items';
import {
  groupByMessage,
  isAnyChangeParked,
  MEET_WITHIN_MS,
  type NamedChange,
  type ParkedChange,
  parkChanges,
  takeMetChanges,
} from '#inbound/store/parked-changes';
import { removeReceivedMedia } from '#media/store/inbound-media';
import { inboundJson } from '#messages/domain/inbound-json';
import { summaryOf } from '#messages/domain/inbound-summary';
import type { InboundMessage } from '#messages/domain/message';
import { changeMessage } from '#messages/domain/message-change';
import { lockInbound, saveChangedInbound } from '#messages/store/changed-inbound';
import { nameKey } from '#messages/store/status-batch';
import type { Runtime } from '#runtime/runtime';

/** An edit or a deletion whose tenant is known. */
export interface OwnedChange {
  readonly tenantId: TenantId;
  readonly item: ChangeItem;
}

interface ChangeWork {
  readonly tx: Transaction;
  readonly events: EventSink;
  readonly nowMs: number;
}

/**
 * Edits and deletes the messages that changes are about. What changes a message that is not here yet is parked. Idempotent, in any
 * order.
 */
export async function storeMessageChanges(
  work: ChangeWork,
  changes: readonly OwnedChange[],
): Promise<{ readonly applied: number; readonly parked: number }> {
  const missing = await applyChanges(work, changes.map(toParked));
  await parkChanges(work.tx, missing, work.nowMs);
  return { applied: changes.length - missing.length, parked: missing.length };
}

/** Applies parked changes whose message was stored at the same moment. @returns how many */
export async function storeMetChanges(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  const sinceMs = nowMs - MEET_WITHIN_MS;
  if (!(await isAnyChangeParked(db, sinceMs))) return 0;
  return withEvents(rt, db, async (tx, events) => {
    const met = await takeMetChanges(tx, sinceMs);
    await applyChanges({ tx, events, nowMs }, met);
    return met.length;
  });
}

function toParked({ tenantId, item }: OwnedChange): ParkedChange {
  const { networkMessageId, change, from, userId } = item;
  return { tenantId, networkMessageId, change, sender: from ?? userId ?? '' };
}

/** @returns changes whose message is not here */
async function applyChanges<Change extends NamedChange>(
  { tx, events, nowMs }: ChangeWork,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const byMessage = groupByMessage(changes);
  const messages = await lockInbound(
    tx,
    [...byMessage.values()].map(([first]) => first),
  );
  const changed = messages.flatMap((before) => {
    const after = (byMessage.get(nameKey(before)) ?? []).reduce(
      (message, { change }) => changeMessage(message, change),
      before,
    );
    return after === before ? [] : [{ before, after: after.deletedMs === null ? after : { ...after, media: null } }];
  });
  const after = changed.map((one) => one.after);
  await saveChangedInbound(tx, after);
  await removeReceivedMedia(tx, after.filter(isDeleted), nowMs);
  await showChangedPreviews(tx, after.flatMap(toPreview));
  for (const one of changed) {
    const type = one.after.deletedMs === one.before.deletedMs ? 'message.edited' : 'message.deleted';
    events.add({ tenantId: one.after.tenantId, type, data: inboundJson(one.after) });
  }
  const known = new Set(messages.map(nameKey));
  return changes.filter((change) => !known.has(nameKey(change)));
}

function isDeleted({ deletedMs }: InboundMessage): boolean {
  return deletedMs !== null;
}

function toPreview(message: InboundMessage) {
  const { tenantId, conversationId, messageId, body } = message;
  if (conversationId === null) return [];
  return [{ tenantId, conversationId, messageId, text: body ?? summaryOf(message) }];
}
