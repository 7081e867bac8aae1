import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { anyObject, nullableText, time, uuid, viewOf } from '#http/schemas/fields';
import { RuleView, ruleExample } from './chatbot-rule.ts';

const { unreachable: _unreachable, conflicts: _conflicts, ...told } = ruleExample;

const ChangedRule = Type.Intersect([RuleView, Type.Object({ changes: anyObject('Changes: {field: [old, new]}.') })]);

const PausedContact = viewOf('A contact that got too many automatic replies.', {
  contact_id: uuid('ID of the contact.'),
  conversation_id: uuid('ID of the conversation.'),
  rule_ids: Type.Array(uuid('A rule.'), { description: 'Rules that would have replied.' }),
  replies: Type.Integer({ description: 'Automatic replies within the last ten minutes.' }),
  paused_until: time('No rule replies to this contact until then.'),
});

const Call = viewOf('A call by a rule.', {
  endpoint_id: uuid('Webhook endpoint of the action. Only this endpoint receives the event, whatever its event types.'),
  rule_id: uuid('The rule that matched.'),
  action: Type.Integer({ description: "Index of the action in the rule's then, from 0." }),
  decision_id: uuid('ID of the decision; with rule_id and action, it identifies this call.'),
  message_id: uuid('Message that was evaluated, or that started the silence.'),
  conversation_id: uuid('ID of the conversation.'),
  contact_id: uuid('ID of the contact.'),
  phone_number_id: Type.String({ description: 'Number that received the message.' }),
  from: nullableText('Phone number of the customer. Null if hidden.'),
  type: Type.String({ description: 'Type of the message.' }),
  text: nullableText('Text of the message.'),
  data: anyObject("Data of the rule's action."),
});

/** What the events of chatbot rules carry. */
export const ruleEvents = {
  'rule.created': { data: RuleView, example: told },
  'rule.updated': { data: ChangedRule, example: { ...told, version: 2, changes: { enabled: [false, true] } } },
  'rule.deleted': { data: RuleView, example: told },
  'rule.fired': {
    data: Call,
    example: {
      endpoint_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f07',
      rule_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
      action: 0,
      decision_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f03',
      message_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f03',
      conversation_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f05',
      contact_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f04',
      phone_number_id: '100000000000001',
      from: '447700900123',
      type: 'text',
      text: 'Where is my order?',
      data: { flow: 'order_status' },
    },
  },
  'rule.paused': {
    data: PausedContact,
    example: {
      contact_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f04',
      conversation_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f05',
      rule_ids: ['0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'],
      replies: 10,
      paused_until: '2030-01-01T09:10:00.000Z',
    },
  },
} as const satisfies Partial<Record<EventType, EventDescription>>;
