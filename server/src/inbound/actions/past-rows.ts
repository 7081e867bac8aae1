import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { PastItem } from '#inbound/domain/callback-items';
import type { InboundRow } from '#inbound/store/inbound-batch';
import { bodyOfSent, storedContent } from '#messages/domain/content';
import { type PastStage, pastMessageId } from '#messages/domain/past-message';
import type { PastSentRow } from '#messages/store/past-messages';

/** A message from before the API whose tenant is known. */
export interface OwnedPast {
  readonly tenantId: TenantId;
  readonly item: PastItem;
}

/** A message of either direction before it has its place. */
export type PastRow = PastReceived | PastSent;

interface PastReceived extends InboundRow {
  readonly isSent: false;
  /** The network's id of the message that it answers. */
  readonly quotedId: string | null;
}

interface PastSent extends Omit<PastSentRow, 'contactId' | 'conversationId'> {
  readonly isSent: true;
  readonly quotedId: string | null;
  readonly phone: string | null;
  readonly userId: string | null;
  readonly body: string | null;
  readonly context: null;
  readonly content: JsonObject;
  readonly opensWindow: false;
  readonly stage: PastStage;
}

/** A message as it is stored, with the id that it always gets. A clock that is ahead of ours counts as now. */
export function toPastRow({ tenantId, item }: OwnedPast, nowMs: number): PastRow {
  const { networkMessageId, from: phone, userId, said, quotedId } = item;
  const networkMs = Math.min(item.at, nowMs);
  const isSent = said.direction === 'outbound';
  const messageId: MessageId = pastMessageId({ tenantId, networkMessageId }, { at: networkMs, isSent });
  const phoneNumberId = item.phoneNumberId as PhoneNumberId;
  const common = { tenantId, messageId, networkMessageId, phoneNumberId, networkMs, phone, userId, quotedId };
  const plain = { versions: null, deletedMs: null, replyTo: null };
  if (!isSent) {
    const { type, content, body, context, opensWindow } = said;
    const names = { profileName: null, username: null, groupId: null, referral: null };
    return { ...common, ...plain, ...names, type, content, body, context, opensWindow, nowMs, isSent };
  }
  const { content, stage } = said;
  return {
    ...common,
    ...plain,
    ...{ isSent, to: phone ?? userId ?? '', type: content.type, content: storedContent(content), stage },
    ...{ body: bodyOfSent(content), context: null, opensWindow: false },
  };
}
