import { type NoticeItem, noticeId, noticeSentence, noticeValue } from '#accounts/domain/account-notice';
import { findNoticePlaces, type NoticePlace, noteNotices } from '#accounts/store/account-notices';
import type { JsonObject } from '#core/json';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';

interface Writing {
  readonly tx: Transaction;
  readonly events: EventSink;
  readonly nowMs: number;
}

/**
 * Tells the tenants of an account what the network reports of it, once, however often it is reported.
 * @returns whether any tenant has such an account or number
 */
export async function storeNotice(writing: Writing, item: NoticeItem): Promise<boolean> {
  const places = await findNoticePlaces(writing.tx, item);
  await tell(
    writing,
    places.map((place) => ({ item, place, id: noticeId(item) })),
  );
  return places.length > 0;
}

/**
 * The same of reports of a kind that nothing here acts on. What may be about customers is told to one tenant alone: that of the number, or
 * the only one that has the account.
 */
export async function storeUnread(writing: Writing, items: readonly NoticeItem[]): Promise<void> {
  const known = new Map<string, readonly NoticePlace[]>();
  const told: Told[] = [];
  for (const item of items) {
    const subject = `${item.networkAccountId} ${item.phoneNumberId ?? ''}`;
    const places = known.get(subject) ?? (await findNoticePlaces(writing.tx, item));
    known.set(subject, places);
    const [place, ...others] = places;
    if (place !== undefined && others.length === 0) told.push({ item, place, id: noticeId(item) });
  }
  await tell(writing, told);
}

/** A report, and whom it is told. */
interface Told {
  readonly item: NoticeItem;
  readonly place: NoticePlace;
  readonly id: string;
}

async function tell({ tx, events, nowMs }: Writing, told: readonly Told[]): Promise<void> {
  const key = (tenantId: string, id: string): string => `${tenantId} ${id}`;
  const each = new Map(told.map((one) => [key(one.place.tenantId, one.id), one]));
  const notices = [...each.values()].map(({ place: { tenantId }, id }) => ({ tenantId, noticeId: id }));
  const fresh = await noteNotices(tx, notices, nowMs);
  const isFresh = new Set(fresh.map(({ tenantId, noticeId }) => key(tenantId, noticeId)));
  for (const [name, { item, place, id }] of each) {
    if (!isFresh.has(name)) continue;
    events.add({ tenantId: place.tenantId, type: 'account.notice', data: noticeJson(item, place, id) });
  }
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
