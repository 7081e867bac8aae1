import type { DeliveryId, EndpointId, TenantId } from '#core/ids';
import type { SealedToken } from '#core/sealed-token';
import { ADDRESSED, addressed, type EventType, type StoredEvent } from '#events/domain/event';

/** `conversation`: events of one conversation, or else of one customer, leave one after the other. */
/** What an endpoint is posted. `postrider`: events. `network`: the callbacks of the network, in its own form. */
export type EndpointFormat = 'postrider' | 'network';
export const endpointFormats = ['postrider', 'network'] as const satisfies readonly EndpointFormat[];
export type EndpointOrdering = 'none' | 'conversation';
export type DisabledReason = 'person' | 'gone' | 'failing';

/** Where a tenant has its events posted. Times are milliseconds since 1970. */
export interface WebhookEndpoint {
  readonly tenantId: TenantId;
  readonly endpointId: EndpointId;
  readonly url: string;
  readonly description: string | null;
  readonly format: EndpointFormat;
  /** Null: all types. With the format `network` none: it gets callbacks instead. */
  readonly types: readonly EventType[] | null;
  readonly ordering: EndpointOrdering;
  /** Null: it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly disabledMs: number | null;
  /** Since when no attempt has succeeded; null: the last one did, or there was none. */
  readonly failingSinceMs: number | null;
  readonly secret: SealedToken;
  /** Signs as well until its end. */
  readonly oldSecret: (SealedToken & { readonly untilMs: number }) | null;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** `pending`: an attempt is due now or later; `failed`: none follows automatically. */
export type WebhookState = 'pending' | 'delivered' | 'failed';
export const webhookStates: readonly WebhookState[] = ['pending', 'delivered', 'failed'];
/** What may become of a delivery: statements move it, see docs/state-machines.md. */
export const webhookTransitions: Readonly<Record<WebhookState, readonly WebhookState[]>> = {
  pending: ['delivered', 'failed'],
  delivered: ['pending'],
  failed: ['pending'],
};

/** Why an attempt failed. */
export type WebhookError =
  | 'status'
  | 'redirect'
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'dns'
  | 'address_refused'
  | 'secret_unreadable'
  | 'event_expired';

/** One attempt, as it lies in the log of its delivery. */
export interface WebhookAttempt {
  /** When it began. */
  readonly atMs: number;
  readonly durationMs: number;
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** Null: it succeeded. */
  readonly error: WebhookError | null;
  /** The error in words, for people. */
  readonly detail: string | null;
  /** Beginning of the answer's body. */
  readonly response: string | null;
}

/** An event, or a callback of the network, on its way to an endpoint. */
export interface WebhookDelivery {
  readonly tenantId: TenantId;
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly eventId: string;
  /** Number of the event; null: an example, or a callback of the network. */
  readonly sequence: number | null;
  /** The type of the event; of a callback of the network, its field. */
  readonly type: string;
  readonly state: WebhookState;
  /** Attempts of the present schedule. */
  readonly attempts: number;
  readonly dueMs: number | null;
  /** Whether something behind it was delivered first because it had failed for too long. */
  readonly overtaken: boolean;
  /** Oldest first. */
  readonly log: readonly WebhookAttempt[];
  readonly createdMs: number;
  readonly updatedMs: number;
}

/**
 * The marks that an endpoint subscribes to; null: all. The addressed type is one of them: pages that were recorded
 * before addresses existed may be meant for anyone.
 */
export function marksFor(types: readonly EventType[] | null, endpointId: string): readonly string[] | null {
  return types && [...types, ADDRESSED, addressed(endpointId)];
}

/** Types to read for an endpoint; null: all. */
export function typesFor(types: readonly EventType[] | null): readonly EventType[] | null {
  return types === null || types.includes(ADDRESSED) ? types : [...types, ADDRESSED];
}

/** Whether an event of `typesFor` is meant for this endpoint. */
export function isFor(endpointId: string, { type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  return type !== ADDRESSED || data.endpoint_id === endpointId;
}

/**
 * What an event must not overtake at an endpoint that keeps conversations in order: its conversation, or else the
 * customer. Null: nothing.
 */
export function orderKeyOf(ordering: EndpointOrdering, data: Readonly<Record<string, unknown>>): string | null {
  if (ordering === 'none') return null;
  const keys = [data.conversation_id, data.to, data.from, data.phone, data.contact_id];
  const found = keys.find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}
