import type { AttributeTypes } from '#contacts/domain/contact-attribute';
import { contactFieldNames, contactFieldRules, contactFields } from '#contacts/domain/contact-fields';
import { conversationPriorities, conversationStatuses, handlers } from '#conversations/domain/conversation';
import type { FieldRule, FieldTable } from '#core/conditions/condition';
import { messageTypes } from '#messages/domain/content';

/** Types of messages of customers beside those that can be sent. */
const INBOUND_ONLY = ['button', 'order'] as const;

/** What the condition of a rule may ask about, beside the contact. */
const FIELDS: Readonly<Record<string, FieldRule>> = {
  /** The words of the message, or the title of the button. */
  text: { kind: 'text' },
  type: { kind: 'enum', values: [...messageTypes, ...INBOUND_ONLY] },
  button_payload: { kind: 'text' },
  first_message: { kind: 'boolean' },
  hours: { kind: 'enum', values: ['open', 'closed'] },
  phone_number_id: { kind: 'id' },
  /** Of the advertisement or post that the customer came from; only the first message after it has one. */
  'referral.source_type': { kind: 'enum', values: ['ad', 'post'] },
  'referral.source_id': { kind: 'id' },
  'referral.source_url': { kind: 'text' },
  'referral.headline': { kind: 'text' },
  'referral.ctwa_clid': { kind: 'enum' },
  'conversation.status': { kind: 'enum', values: conversationStatuses },
  'conversation.tags': { kind: 'tags' },
  'conversation.priority': { kind: 'enum', values: conversationPriorities },
  'conversation.team_id': { kind: 'id' },
  'conversation.assignee_id': { kind: 'id' },
  'conversation.handled_by': { kind: 'enum', values: handlers },
};

export const ruleFieldNames: readonly string[] = [...Object.keys(FIELDS), ...contactFieldNames];

/** The rule of each field, as contactFieldRules has those of a contact. */
export const ruleFieldRules: Readonly<Record<string, FieldRule>> = { ...FIELDS, ...contactFieldRules };

/** The fields of rule conditions. @param attributes the types of a tenant's own, by key */
export function ruleFields(attributes: AttributeTypes): FieldTable {
  const ofContact = contactFields(attributes);
  return (field) => (Object.hasOwn(FIELDS, field) ? FIELDS[field] : ofContact(field));
}
