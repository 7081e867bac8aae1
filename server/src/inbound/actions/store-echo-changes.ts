import { showChangedPreviews } from '#conversations/store/changed-previews';
import type { TenantId } from '#core/ids';
import { textOf } from '#core/json-fields';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { EchoChangeItem } from '#inbound/domain/callback-items';
import { groupByMessage, type NamedChange, parkChanges } from '#inbound/store/parked-changes';
import { contentFromStored } from '#messages/domain/content';
import type { OutboundMessage } from '#messages/domain/message';
import { type ChangeableMessage, changeMessage } from '#messages/domain/message-change';
import { outboundJson } from '#messages/domain/outbound-json';
import { lockEchoes, type StoredEcho, saveChangedEchoes } from '#messages/store/changed-echoes';
import { findByNetworkNames, nameKey } from '#messages/store/status-batch';

/** An edit or a deletion on the phone whose tenant is known. */
export interface OwnedEchoChange {
  readonly tenantId: TenantId;
  readonly item: EchoChangeItem;
}

interface EchoChangeWork {
  readonly tx: Transaction;
  readonly events: EventSink;
  readonly nowMs: number;
}

/** Stands in lists instead of what a message said that was deleted. */
export const DELETED_PREVIEW = 'This message was deleted.';

/**
 * Edits and deletes messages that the business wrote on its phone, as it did there. What changes a message that is not here yet
 * is parked. The caller has locked the customers: a message and its change never pass each other.
 */
export async function storeEchoChanges(
  work: EchoChangeWork,
  changes: readonly OwnedEchoChange[],
): Promise<{ readonly applied: number; readonly parked: number }> {
  if (changes.length === 0) return { applied: 0, parked: 0 };
  const named = changes.map(toNamed);
  const ids = await findByNetworkNames(work.tx, named);
  const missing = named.filter((one) => !ids.has(nameKey(one)));
  await parkChanges(work.tx, missing, work.nowMs);
  const groups = groupByMessage(named.filter((one) => ids.has(nameKey(one))));
  const keys = [...groups].flatMap(([key, [{ tenantId }]]) => {
    const messageId = ids.get(key);
    return messageId === undefined ? [] : [{ tenantId, messageId }];
  });
  const stored = await lockEchoes(work.tx, keys);
  await saveAndTell(
    work,
    stored.flatMap((one) => changeBy(one, groups.get(nameOf(one)) ?? [])),
  );
  return { applied: named.length - missing.length, parked: missing.length };
}

function toNamed({ tenantId, item: { networkMessageId, change, from, userId } }: OwnedEchoChange) {
  const recipients = [from, userId].filter((one) => one !== null);
  return { tenantId, networkMessageId, change, recipients, sender: recipients[0] ?? '' };
}

function nameOf({ message: { tenantId, delivery } }: StoredEcho): string {
  return nameKey({ tenantId, networkMessageId: delivery.networkMessageId ?? '' });
}

/** A message that says something else now. */
interface Changed {
  readonly message: OutboundMessage;
  readonly before: ChangeableMessage;
  readonly after: ChangeableMessage;
}

function changeBy({ message, content }: StoredEcho, changes: readonly NamedChange[]): readonly Changed[] {
  const { versions, deletedMs, delivery, createdMs } = message;
  const { type } = message.content;
  const body = textOf(content[type === 'text' ? 'body' : 'caption']);
  const networkMs = delivery.sentMs ?? createdMs;
  const before: ChangeableMessage = { type, networkMs, body, content, context: null, versions, deletedMs };
  const after = changes.reduce((said, { change }) => changeMessage(said, change), before);
  return after === before ? [] : [{ message, before, after }];
}

async function saveAndTell({ tx, events, nowMs }: EchoChangeWork, changed: readonly Changed[]): Promise<void> {
  const saved = changed.map(({ message: { tenantId, messageId }, after: { content, versions, deletedMs } }) => {
    return { tenantId, messageId, content, versions, deletedMs };
  });
  await saveChangedEchoes(tx, saved, nowMs);
  await showChangedPreviews(tx, changed.flatMap(toPreview));
  for (const { message, before, after } of changed) {
    const { versions, deletedMs } = after;
    const type = deletedMs === before.deletedMs ? 'message.edited' : 'message.deleted';
    const content = contentFromStored(message.content.type, after.content);
    const data = outboundJson({ ...message, content, versions, deletedMs, updatedMs: nowMs });
    events.add({ tenantId: message.tenantId, type, data });
  }
}

function toPreview({ message: { tenantId, conversationId, messageId }, after }: Changed) {
  const text = after.deletedMs === null ? after.body : DELETED_PREVIEW;
  return conversationId === null ? [] : [{ tenantId, conversationId, messageId, text }];
}
