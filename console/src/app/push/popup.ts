/** How a notification pops up: the same from a page and from the service worker, which has no page. */
import { t } from '../../locales/text.ts';
import type { NotificationKind } from '../notifications/notification-preferences.ts';

export interface Popup {
  readonly id: string;
  readonly title: string;
  /** The text that it is about. Empty: the person does not want that here, or there is none. */
  readonly body: string;
  readonly conversationId: string | null;
}

/** A notification in a sentence. @param customer a name or a number; null: not known @param who null: nobody in particular */
export function notificationSentence(kind: NotificationKind, customer: string | null, who: string | null): string {
  return t(`notification.${kind}`, {
    customer: customer ?? t('notification.somebody'),
    who: who ?? t('actor.system'),
  });
}

/** What the service worker is sent, as `POST /v1/me/push-subscriptions` describes it. */
export interface Pushed {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly conversation_id: string | null;
  readonly customer: string | null;
  readonly who: string | null;
  readonly text: string | null;
  readonly unread: number;
}

export function popupOf({ id, kind, conversation_id: conversationId, customer, who, text }: Pushed): Popup {
  return { id, title: notificationSentence(kind, customer, who), body: text ?? '', conversationId };
}

/** Where a click on it leads. */
export function pathOf({ conversationId }: Pick<Popup, 'conversationId'>): string {
  return conversationId === null ? '/inbox' : `/inbox/${conversationId}`;
}

/** Kept with a popup, for the click. */
export interface PopupData {
  readonly id: string;
  readonly path: string;
}

/**
 * Shows a popup in place of the one about the same conversation. What is shown already, by a page or an earlier push, makes
 * no noise again.
 */
export async function showPopup(registration: ServiceWorkerRegistration, popup: Popup): Promise<void> {
  const tag = popup.conversationId ?? popup.id;
  const [before] = await registration.getNotifications({ tag });
  const isNew = before !== undefined && (before.data as PopupData | null)?.id !== popup.id;
  const data: PopupData = { id: popup.id, path: pathOf(popup) };
  const looks = { icon: '/console/icon-192.png', badge: '/console/badge-96.png' };
  // TypeScript does not know `renotify`, which not every browser has.
  const options = { body: popup.body, tag, renotify: isNew, data, ...looks };
  await registration.showNotification(popup.title, options as NotificationOptions);
}
