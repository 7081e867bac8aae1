import { type NoticeItem, noticeId, noticeSentence, noticeValue } from '#accounts/domain/account-notice';
import { findNoticePlaces, type NoticePlace, noteNotice } from '#accounts/store/account-notices';
import type { JsonObject } from '#core/json';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';

/**
 * Tells the tenants of an account what the network reports of it, once, however often it is reported.
 * @returns whether any tenant has such an account or number
 */
export async function storeNotice(
  tx: Transaction,
  events: EventSink,
  { item, nowMs }: { readonly item: NoticeItem; readonly nowMs: number },
): Promise<boolean> {
  const places = await findNoticePlaces(tx, item);
  const id = noticeId(item);
  for (const place of places) {
    if (!(await noteNotice(tx, place.tenantId, id, nowMs))) continue;
    events.add({ tenantId: place.tenantId, type: 'account.notice', data: noticeJson(item, place, id) });
  }
  return places.length > 0;
}

function noticeJson(item: NoticeItem, { accountId, phoneNumberId }: NoticePlace, id: string): JsonObject {
  return {
    id,
    account_id: accountId,
    network_account_id: item.networkAccountId,
    phone_number_id: phoneNumberId,
    field: item.field,
    kind: item.event,
    message: noticeSentence(item),
    reported_at: item.at === null ? null : new Date(item.at).toISOString(),
    value: noticeValue(item),
  };
}
