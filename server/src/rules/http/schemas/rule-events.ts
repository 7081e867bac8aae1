import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { nullableText, time, uuid } from '#http/schemas/fields';
import { RuleView, ruleExample } from './chatbot-rule.ts';

const changes = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description: 'What was changed: {field: [old, new]}.',
});

const { unreachable: _unreachable, conflicts: _conflicts, ...told } = ruleExample;

const ChangedRule = Type.Intersect([RuleView, Type.Object({ changes })]);

const PausedContact = Type.Object(
  {
    contact_id: uuid('The contact that got them.'),
    conversation_id: uuid('Where.'),
    rule_ids: Type.Array(uuid('A rule.'), { description: 'The rules that would have answered.' }),
    replies: Type.Integer({ description: 'Automatic replies within the last ten minutes.' }),
    paused_until: time('Until then no rule answers this contact.'),
  },
  { description: 'A contact that rules answered too often.' },
);

const Call = Type.Object(
  {
    endpoint_id: uuid('The webhook endpoint that the rule names: it alone gets the event, whatever types it wants.'),
    rule_id: uuid('The rule that matched.'),
    action: Type.Integer({ description: 'Place of the action in its then, from 0.' }),
    decision_id: uuid('The decision; with rule_id and action it names this call.'),
    message_id: uuid('The message that was judged, or that a silence counted from.'),
    conversation_id: uuid('Where it stands.'),
    contact_id: uuid('Who wrote it.'),
    phone_number_id: Type.String({ description: 'The number that was written to.' }),
    from: nullableText('Phone number of the customer; null: it shows none.'),
    type: Type.String({ description: 'Type of the message.' }),
    text: nullableText('Its text.'),
    data: Type.Unsafe<JsonObject>({
      type: 'object',
      additionalProperties: true,
      description: 'What the action of the rule says.',
    }),
  },
  { description: 'A call that a rule makes.' },
);

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
