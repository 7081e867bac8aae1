import type { AttributeTypes } from '#contacts/domain/contact-attribute';
import { contactFieldRules, contactFields } from '#contacts/domain/contact-fields';
import type { FieldRule, FieldTable } from '#core/conditions/condition';
import type { FieldValue } from '#core/conditions/evaluate';
import { isJsonList, isJsonObject, type JsonValue } from '#core/json';
import { type Conversation, conversationPriorities, conversationStatuses, handlers, windowAt } from './conversation.ts';

/** Stands for the agent who asks, so that one view shows everybody their own conversations. */
export const ME = 'me';

interface OwnField {
  readonly rule: FieldRule;
  readonly read: (one: Conversation, nowMs: number) => FieldValue;
}

const OWN: Readonly<Record<string, OwnField>> = {
  'conversation.status': { rule: { kind: 'enum', values: conversationStatuses }, read: ({ status }) => status },
  'conversation.assignee_id': { rule: { kind: 'id', values: [ME] }, read: ({ assigneeId }) => assigneeId },
  'conversation.team_id': { rule: { kind: 'id' }, read: ({ teamId }) => teamId },
  'conversation.phone_number_id': { rule: { kind: 'id' }, read: ({ phoneNumberId }) => phoneNumberId },
  'conversation.tags': { rule: { kind: 'tags', isLiteral: true }, read: ({ tags }) => tags },
  'conversation.priority': { rule: { kind: 'enum', values: conversationPriorities }, read: ({ priority }) => priority },
  'conversation.handled_by': { rule: { kind: 'enum', values: handlers }, read: ({ handledBy }) => handledBy },
  'conversation.unread_count': { rule: { kind: 'number' }, read: ({ unreadCount }) => unreadCount },
  'conversation.window': {
    rule: { kind: 'enum', values: ['open', 'closed'] },
    read: (one, nowMs) => (windowAt(one, nowMs).open ? 'open' : 'closed'),
  },
  'conversation.window_expires_at': { rule: { kind: 'time' }, read: ({ windowExpiresMs }) => windowExpiresMs },
  'conversation.waiting_since': { rule: { kind: 'time' }, read: ({ waitingSinceMs }) => waitingSinceMs },
  'conversation.last_message_at': { rule: { kind: 'time' }, read: ({ lastMessageMs }) => lastMessageMs },
  'conversation.last_message_by': {
    rule: { kind: 'enum', values: ['customer', 'business'] },
    read: ({ lastMessage }) => (lastMessage === null ? null : lastMessage.inbound ? 'customer' : 'business'),
  },
  'conversation.last_inbound_at': { rule: { kind: 'time' }, read: ({ lastInboundMs }) => lastInboundMs },
  'conversation.snoozed_until': { rule: { kind: 'time' }, read: ({ snoozedUntilMs }) => snoozedUntilMs },
  'conversation.resolved_at': { rule: { kind: 'time' }, read: ({ resolvedMs }) => resolvedMs },
  'conversation.created_at': { rule: { kind: 'time' }, read: ({ createdMs }) => createdMs },
};

/** The rule of each field of a condition about conversations, with those of their contacts. */
export const conversationFieldRules: Readonly<Record<string, FieldRule>> = {
  ...Object.fromEntries(Object.entries(OWN).map(([field, { rule }]) => [field, rule])),
  ...contactFieldRules,
};

/** Whether a condition, as it was written, asks for anything of the contact. */
export function asksForContact(when: JsonValue): boolean {
  if (isJsonList(when)) return when.some(asksForContact);
  if (!isJsonObject(when)) return false;
  const { field } = when;
  return typeof field === 'string' ? field.startsWith('contact.') : Object.values(when).some(asksForContact);
}

/** The fields that conditions about conversations may name. @param attributes the types of a tenant's own, by key */
export function conversationFields(attributes: AttributeTypes): FieldTable {
  const ofContact = contactFields(attributes);
  return (field) => (Object.hasOwn(OWN, field) ? OWN[field]?.rule : ofContact(field));
}

/** What a field of the conversation itself holds; null for every other field. */
export function conversationValue(one: Conversation, field: string, nowMs: number): FieldValue {
  return (Object.hasOwn(OWN, field) ? OWN[field]?.read(one, nowMs) : null) ?? null;
}
