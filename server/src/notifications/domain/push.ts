import { ECDH } from 'node:crypto';
import type { AgentId, PushSubscriptionId, SessionId, TenantId, UserId } from '#core/ids';
import type { NotificationKind } from '#users/domain/notification-preferences';

/** A browser in which an agent is notified while no page is open. */
export interface PushSubscription {
  readonly tenantId: TenantId;
  readonly subscriptionId: PushSubscriptionId;
  /** The session of the browser. */
  readonly sessionId: SessionId;
  readonly agentId: AgentId;
  readonly userId: UserId;
  /** Where its push service takes pushes for it. Whoever knows this address can only send what the browser drops. */
  readonly endpoint: string;
  readonly endpointHash: string;
  readonly keys: PushKeys;
  readonly createdMs: number;
  readonly lastPushedMs: number | null;
}

/** What pushes to a browser are encrypted with, in base64url. */
export interface PushKeys {
  /** 65 bytes: a point of P-256, uncompressed. */
  readonly p256dh: string;
  /** 16 bytes. */
  readonly auth: string;
}

/** A person uses a handful of browsers. */
export const MAX_SUBSCRIPTIONS = 20;
const CURVE = 'prime256v1';
const AUTH_BYTES = 16;
const UNCOMPRESSED = 0x04;
const POINT_BYTES = 65;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** Which of the keys is not one, and why; null: both can be encrypted with. */
export function pushKeysFault({
  p256dh,
  auth,
}: PushKeys): { readonly at: keyof PushKeys; readonly message: string } | null {
  if (!isPoint(bytesOf(p256dh)))
    return { at: 'p256dh', message: 'p256dh must be an uncompressed point of P-256 in base64url.' };
  if (bytesOf(auth)?.length !== AUTH_BYTES)
    return { at: 'auth', message: `auth must be ${AUTH_BYTES} bytes in base64url.` };
  return null;
}

function bytesOf(text: string): Buffer | null {
  return BASE64URL.test(text) ? Buffer.from(text, 'base64url') : null;
}

function isPoint(bytes: Buffer | null): boolean {
  if (bytes?.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED) return false;
  try {
    ECDH.convertKey(bytes, CURVE);
    return true;
  } catch {
    return false;
  }
}

/** A notification as it is pushed. It has no text of a message or a note, unless the person wants that. */
export interface PushedNotification {
  readonly notificationId: string;
  readonly kind: NotificationKind;
  readonly conversationId: string | null;
  /** Name or number of the customer. Null: not known any more. */
  readonly customer: string | null;
  /** Name of the agent who did it. Null: nobody in particular. */
  readonly who: string | null;
  readonly text: string | null;
  /** Unread notifications of the agent. */
  readonly unread: number;
  readonly createdMs: number;
}

/** Push services take 4,096 bytes, encryption included. */
const MAX_CHARACTERS = 200;

/** The plain text of a push, which the service worker of the console reads. At most 3 kB. */
export function pushPayload({ notificationId, conversationId, createdMs, ...shown }: PushedNotification): string {
  return JSON.stringify({
    id: notificationId,
    kind: shown.kind,
    conversation_id: conversationId,
    customer: shortened(shown.customer),
    who: shortened(shown.who),
    text: shortened(shown.text),
    unread: shown.unread,
    created_at: new Date(createdMs).toISOString(),
  });
}

function shortened(text: string | null): string | null {
  if (text === null || text.length <= MAX_CHARACTERS) return text;
  // A character of two units is not cut in half.
  return `${text.slice(0, MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A later push about the same conversation takes the place of one that the push service still holds. */
export function pushTopic({ conversationId, notificationId }: PushedNotification): string {
  return (conversationId ?? notificationId).replaceAll('-', '');
}
