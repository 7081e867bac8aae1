import type { TenantId } from './ids.ts';
import type { JsonObject } from './json.ts';

/**
 * Everything that can happen, with what it means in a sentence. A type stands here only when something records it; the
 * schema of its `data` stands in `http/schemas/events/`.
 */
export const EVENT_TYPES = {
  'message.queued': 'An outbound message was accepted and waits for its turn.',
  'message.sent': 'The network took an outbound message.',
  'message.delivered': 'An outbound message reached the device of its recipient.',
  'message.read': 'The recipient read an outbound message.',
  'message.failed': 'An outbound message was refused, expired or was cancelled, or the network reported its failure.',
  'message.received': 'A customer wrote.',
  'campaign.started': 'A campaign began to queue its messages.',
  'campaign.paused':
    'A campaign was paused, by a person, because nobody could be sent to, because too many messages failed, or because the database was restored; `pause_reason` says why.',
  'campaign.resumed': 'A paused campaign goes on, or one that was completed sends again to some.',
  'campaign.completed': 'Every recipient of a campaign has an outcome: its message left or failed, or it was skipped.',
  'campaign.canceled': 'A campaign was canceled; what had not left yet is not sent.',
  'endpoint.failing': 'Nothing got through to a webhook endpoint for half an hour; after five days it is switched off.',
  'endpoint.disabled': 'A webhook endpoint was switched off: it answered 410, or failed for five days.',
  'subscription.updated': 'The plan, the state or the end of the subscription changed.',
  'usage.threshold':
    'A threshold of the fair use of the month was crossed: the share that the plan warns at, or all of it.',
  'wallet.low_balance': 'What can be spent of the wallet fell below the threshold of the plan.',
  'number.paused': 'A sending number stopped sending: a person paused it, or the network refused its access.',
  'number.resumed': 'A sending number sends again.',
  'number.quality_changed': 'The network rates the quality of a sending number differently.',
  'number.limit_changed': 'The network changed how many customers or how fast a sending number may write to.',
  'number.status_changed': 'The network restricted, banned or reinstated a sending number.',
  'template.created': 'A template was made here, or found at the network.',
  'template.updated': 'What a template says was changed.',
  'template.status_changed': 'The review of a template ended, or it was paused, disabled, archived or handed in.',
  'template.quality_changed': 'The network gave a template another quality.',
  'template.category_changed': 'The network made a template another category, or announced that it will.',
  'template.deleted': 'A template was deleted, here or at the network.',
  'contact.created': 'A contact was made: by a first message, by a request or by an import.',
  'contact.updated': 'What is known of a contact was changed.',
  'contact.deleted': 'A contact was erased.',
  'contact.merged': 'A contact took another one in: what was of that one is its own now.',
  'contact.unmerged': 'A contact that was part of another is one of its own again.',
  'contact.opted_out': 'A contact has opted out of marketing.',
  'contact.opted_in': 'A contact agreed to marketing.',
  'contact.blocked': 'A contact was blocked: nothing is sent to it.',
  'contact.unblocked': 'A contact is no longer blocked.',
  'import.completed': 'A file of contacts was brought in, or could not be read to its end.',
  'conversation.opened': 'A customer wrote, and had no conversation that could go on.',
  'conversation.updated': 'A conversation was changed: its state, priority, tags, or who handles it.',
  'conversation.assigned': 'A conversation got another agent or team, or lost them.',
  'conversation.replied': 'A person answered a customer in a conversation.',
  'conversation.snoozed': 'A conversation was put off.',
  'conversation.resolved': 'A conversation was resolved.',
  'conversation.reopened': 'A resolved conversation goes on.',
  'conversation.window_closing': 'The window of an open conversation closes within an hour: told once per window.',
  'note.created': 'An agent left a private note in a conversation.',
  'rule.created': 'A chatbot rule was made.',
  'rule.updated': 'A chatbot rule was changed: its fields, its place, or whether it is on.',
  'rule.deleted': 'A chatbot rule was removed.',
  'rule.fired': 'A chatbot rule called a webhook endpoint: it is delivered to that one alone.',
  'rule.paused':
    'A contact got as many automatic replies as one may within ten minutes; no rule answers it for ten more.',
  'agent.created': 'An agent was added.',
  'agent.updated': 'What is known of an agent was changed, but for the availability.',
  'agent.deleted': 'An agent was removed.',
  'agent.availability_changed': 'An agent is online, away or offline from now on.',
  'team.created': 'A team was made.',
  'team.updated': 'A team or its members were changed.',
  'team.deleted': 'A team was removed.',
  'audit.recorded':
    'An entry joined the audit log. Only readers and endpoints that name this type get it; it is recorded while an endpoint names it.',
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

/** What a transaction tells of one fact that it stores. */
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
 * @param sequence 1 to 2^40 - 1; 0 stands for the place before the first event
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
