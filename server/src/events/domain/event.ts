import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';

/**
 * Every type of event, described in a sentence. A type is listed only when something records it; the schema of its `data` is
 * in `http/schemas/events/`.
 */
export const EVENT_TYPES = {
  'message.queued': 'An outbound message was accepted and queued.',
  'message.sent': 'The network accepted an outbound message.',
  'message.delivered': "An outbound message reached the recipient's device.",
  'message.read': 'The recipient read an outbound message.',
  'message.failed': 'An outbound message was rejected, expired or canceled, or the network reported that it failed.',
  'message.received': 'A customer sent a message.',
  'message.edited': 'A customer, or the business on its phone, edited a message.',
  'message.deleted': 'A customer, or the business on its phone, deleted a message.',
  'call.started': 'A customer calls, or a call to a customer was placed.',
  'call.updated': 'The network reported more of a call, such as that it was answered.',
  'call.ended': 'A call ended: it was answered, missed or declined, or it failed.',
  'campaign.started': 'A campaign started to queue its messages.',
  'campaign.paused':
    'A campaign was paused: by a person, because no recipient could be sent to, because too many messages failed, or because the database was restored. `pause_reason` says which.',
  'campaign.resumed': 'A paused campaign continues, or a completed one retries some of its recipients.',
  'campaign.completed':
    'Every recipient of a campaign has an outcome: the message was sent or failed, or the recipient was skipped.',
  'campaign.canceled': 'A campaign was canceled. Messages that had not been sent yet are not sent.',
  'endpoint.failing':
    'No delivery to a webhook endpoint has succeeded for half an hour. After five days, the endpoint is disabled.',
  'endpoint.disabled': 'A webhook endpoint was disabled because it returned 410, or failed for five days.',
  'subscription.updated': 'The plan, the state or the end of the subscription changed.',
  'usage.threshold':
    "The month's usage reached a threshold of the plan's fair-use limit: the warning level, or the whole limit.",
  'wallet.low_balance': "The available balance of the wallet fell below the plan's threshold.",
  'account.notice':
    'The network reported something about an account or a sending number that nothing here acts on, such as a violation, a warning or a review.',
  'number.paused': 'A sending number stopped sending, because a person paused it or the network denied its access.',
  'number.resumed': 'A sending number sends again.',
  'number.quality_changed': 'The network changed the quality rating of a sending number.',
  'number.limit_changed': 'The network changed how many customers a sending number may message, or how fast.',
  'number.status_changed': 'The network restricted, banned or reinstated a sending number.',
  'template.created': 'A template was created here, or found on the network.',
  'template.updated': 'The content of a template changed.',
  'template.status_changed':
    'The review of a template ended, or the template was submitted, paused, disabled or archived.',
  'template.quality_changed': 'The network changed the quality rating of a template.',
  'template.category_changed': 'The network changed the category of a template, or announced a change.',
  'template.deleted': 'A template was deleted, here or on the network.',
  'contact.created': 'A contact was created by a first message, a request or an import.',
  'contact.updated': 'The data of a contact changed.',
  'contact.deleted': 'A contact was erased.',
  'contact.merged': 'A contact was merged into another one, which now owns everything that belonged to it.',
  'contact.unmerged': 'A merge was undone: the contact is separate again.',
  'contact.opted_out': 'A contact opted out of marketing.',
  'contact.opted_in': 'A contact opted in to marketing.',
  'contact.blocked': 'A contact was blocked. No messages are sent to it.',
  'contact.unblocked': 'A contact was unblocked.',
  'contact.network_block_changed':
    'The network blocks a contact for a sending number, or no longer does, or refused to.',
  'import.completed': 'An import of contacts finished, or its file could not be read to the end.',
  'conversation.opened': 'A customer sent a message and had no conversation to continue.',
  'conversation.updated': 'The status, priority, tags or handler of a conversation changed.',
  'conversation.assigned': 'A conversation was assigned to an agent or a team, or unassigned.',
  'conversation.replied': 'A person replied in a conversation.',
  'conversation.snoozed': 'A conversation was snoozed.',
  'conversation.resolved': 'A conversation was resolved.',
  'conversation.reopened': 'A resolved conversation was reopened.',
  'conversation.window_closing': 'The window of an open conversation closes within an hour. Emitted once per window.',
  'bulk_change.finished': 'A bulk change ended: every conversation has an outcome, or it was canceled.',
  'suggestion.created': 'A program or a rule proposed an answer to the agents of a conversation.',
  'suggestion.taken': 'An agent took a suggestion over as a draft.',
  'suggestion.discarded': 'An agent discarded a suggestion.',
  'note.created': 'An agent added a private note to a conversation.',
  'rule.created': 'A chatbot rule was created.',
  'rule.updated': 'A chatbot rule changed: its fields, its position, or whether it is on.',
  'rule.deleted': 'A chatbot rule was deleted.',
  'rule.fired': 'A chatbot rule called a webhook endpoint. Only that endpoint receives the event.',
  'rule.paused':
    'A contact reached the limit of automatic replies within ten minutes. No rule replies to it for another ten minutes.',
  'agent.created': 'An agent was created.',
  'agent.updated': 'The data of an agent changed, other than its availability.',
  'agent.deleted': 'An agent was deleted.',
  'agent.availability_changed': 'An agent went online, away or offline.',
  'team.created': 'A team was created.',
  'team.updated': 'A team or its members changed.',
  'team.deleted': 'A team was deleted.',
  'audit.recorded':
    'An entry was added to the audit log. Only readers and endpoints that name this type receive it, and it is recorded only while an endpoint names it.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** A type that "all types" leaves out: it takes a right that reading events does not imply. */
export const AUDIT_RECORDED: EventType = 'audit.recorded';

/** Whether a reader of these types gets this one. @param types null: all types but those that must be named */
export function isWanted(types: ReadonlySet<EventType> | null, type: EventType): boolean {
  return types === null ? type !== AUDIT_RECORDED : types.has(type);
}

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TYPES, text);
}

/** The event that a transaction records with a fact that it stores. */
export interface EventDraft {
  readonly tenantId: TenantId;
  readonly type: EventType;
  readonly data: JsonObject;
}

/** An event as tenants see it. */
export interface StoredEvent {
  /** See eventId. */
  readonly id: string;
  /** Counts a tenant's events from 1, without gaps, in the order of their commits. */
  readonly sequence: number;
  readonly type: EventType;
  readonly recordedMs: number;
  readonly data: JsonObject;
}

const SEQUENCE_BITS = 40n;
const SEQUENCE_DIGITS = 10;
const TENANT_BITS = 34n;
const LOW_TENANT_BITS = 22n;

function mask(bits: bigint): bigint {
  return (1n << bits) - 1n;
}

/**
 * The id of an event: a UUID version 7 (RFC 9562, section 5.7) whose random part is the end of the tenant's id and the
 * number of the event, so that an event is found by its id without an index of ids.
 * @param sequence 1 to 2^40 - 1; 0 is the place before the first event
 */
export function eventId(tenantId: TenantId, sequence: number, recordedMs: number): string {
  return eventIds(tenantId, recordedMs)(sequence);
}

/** The ids of events that were recorded together, by their number: they differ in their end alone. */
export function eventIds(tenantId: TenantId, recordedMs: number): (sequence: number) => string {
  const tenant = BigInt(`0x${tenantId.replaceAll('-', '')}`) & mask(TENANT_BITS);
  const high = (BigInt(recordedMs) << 16n) | (0x7n << 12n) | (tenant >> LOW_TENANT_BITS);
  const low = (0b10n << LOW_TENANT_BITS) | (tenant & mask(LOW_TENANT_BITS));
  const hex = high.toString(16).padStart(16, '0') + low.toString(16);
  const begin = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return (sequence) => begin + sequence.toString(16).padStart(SEQUENCE_DIGITS, '0');
}

/** The number in an id of `eventId`; null when it cannot be one of this tenant. */
export function sequenceOfEventId(tenantId: TenantId, id: string): number | null {
  const bits = BigInt(`0x${id.replaceAll('-', '')}`);
  const sequence = Number(bits & mask(SEQUENCE_BITS));
  const recordedMs = Number(bits >> 80n);
  return eventId(tenantId, sequence, recordedMs) === id ? sequence : null;
}

export const eventTypes = Object.keys(EVENT_TYPES) as readonly EventType[];

/** A type that is delivered to the endpoint that its events name, and to no other. */
export const ADDRESSED: EventType = 'rule.fired';

/** Between an addressed type and its address, in a mark. */
export const ADDRESS_SIGN = '@';

/** What a page of events says that it holds because of this one: its type and, if it has an address, whose it is. */
export function marksOf({ type, data }: Pick<StoredEvent, 'type' | 'data'>): readonly string[] {
  return type === ADDRESSED && typeof data.endpoint_id === 'string' ? [type, addressed(data.endpoint_id)] : [type];
}

export function addressed(endpointId: string): string {
  return ADDRESSED + ADDRESS_SIGN + endpointId;
}

/** Version of the envelope; the schemas of `data` grow by fields alone. */
export const EVENT_API_VERSION = '1.0.0';

/** An event as it leaves, the same in the feed, the stream and webhooks. */
export function wireEvent({ id, sequence, type, recordedMs, data }: StoredEvent): JsonObject {
  const timestamp = new Date(recordedMs).toISOString();
  return { id, sequence, type, api_version: EVENT_API_VERSION, timestamp, data };
}
