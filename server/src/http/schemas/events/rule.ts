import Type from 'typebox';
import type { EventType } from '#core/event';
import type { JsonObject } from '#core/json';
import { RuleView, ruleExample } from '../chatbot-rule.ts';
import { time, uuid } from '../fields.ts';
import type { EventDescription } from './description.ts';

const changes = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description: 'What was changed: {field: [old, new]}.',
});

const { unreachable: _unreachable, conflicts: _conflicts, ...told } = ruleExample;

const ChangedRule = Type.Object({ ...RuleView.properties, changes }, { description: 'The rule as it now is.' });

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

/** What the events of chatbot rules carry. */
export const ruleEvents = {
  'rule.created': { data: RuleView, example: told },
  'rule.updated': { data: ChangedRule, example: { ...told, version: 2, changes: { enabled: [false, true] } } },
  'rule.deleted': { data: RuleView, example: told },
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
