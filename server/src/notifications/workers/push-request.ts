import webPush from 'web-push';
import type { PushKey } from '#notifications/actions/push-key';
import { type PushedNotification, type PushKeys, pushPayload, pushTopic } from '#notifications/domain/push';
import { PUSH_LIFETIME_MS } from '#notifications/domain/push-outcome';
import type { Config } from '#runtime/config';
import type { NotificationKind } from '#users/domain/notification-preferences';

/** What is posted to a push service. */
export interface PushRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A device may be woken for these. */
const URGENT: ReadonlySet<NotificationKind> = new Set(['window_closing', 'assigned']);

/**
 * Encrypts a notification for one browser (RFC 8291) and signs the request with the key of this installation (RFC 8292).
 * @throws Error when it cannot be encrypted for the browser
 */
export function encryptPush(
  notification: PushedNotification,
  target: { readonly endpoint: string; readonly keys: PushKeys },
  { key, subject, nowMs }: { readonly key: PushKey; readonly subject: string; readonly nowMs: number },
): PushRequest {
  const { endpoint, headers, body } = webPush.generateRequestDetails(target, pushPayload(notification), {
    vapidDetails: { subject, ...key },
    contentEncoding: 'aes128gcm',
    TTL: Math.max(0, Math.round((notification.createdMs + PUSH_LIFETIME_MS - nowMs) / 1_000)),
    topic: pushTopic(notification),
    urgency: URGENT.has(notification.kind) ? 'high' : 'normal',
  });
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { url: endpoint, headers: Object.fromEntries(texts), body };
}

/** Whom push services may write to when pushes of this installation trouble them: an https or a mailto address. */
export function pushSubject({ pushContact, publicUrl }: Pick<Config, 'pushContact' | 'publicUrl'>): string {
  if (pushContact !== '') return pushContact;
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:postrider@localhost';
}
