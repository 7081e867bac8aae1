import type { FieldRule, FieldTable } from '../conditions/condition.ts';
import { messageTypes } from '../content/content.ts';
import { conversationPriorities, conversationStatuses, handlers } from '../conversation.ts';

/** Types of messages of customers beside those that can be sent. */
const INBOUND_ONLY = ['button', 'order'] as const;

/** What the condition of a rule may ask about. */
const FIELDS: Readonly<Record<string, FieldRule>> = {
  /** The words of the message, or the title of the button. */
  text: { kind: 'text' },
  type: { kind: 'enum', values: [...messageTypes, ...INBOUND_ONLY] },
  button_payload: { kind: 'text' },
  first_message: { kind: 'boolean' },
  hours: { kind: 'enum', values: ['open', 'closed'] },
  phone_number_id: { kind: 'id' },
  'contact.name': { kind: 'text' },
  'contact.phone': { kind: 'text' },
  'contact.created_at': { kind: 'time' },
  'conversation.status': { kind: 'enum', values: conversationStatuses },
  'conversation.tags': { kind: 'tags' },
  'conversation.priority': { kind: 'enum', values: conversationPriorities },
  'conversation.team_id': { kind: 'id' },
  'conversation.assignee_id': { kind: 'id' },
  'conversation.handled_by': { kind: 'enum', values: handlers },
};

export const ruleFieldNames: readonly string[] = Object.keys(FIELDS);

/** The fields of rule conditions. */
export const ruleFields: FieldTable = (field) => (Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined);
