import Type, { type Static } from 'typebox';
import { describeFields } from '#contacts/http/schemas/condition';
import type { JsonObject } from '#core/json';
import { faultExample } from '#http/schemas/errors';
import {
  anyObject,
  CONDITION_FIELDS,
  choiceOf,
  named,
  nullableInteger,
  nullableTime,
  strictObject,
  text,
  time,
  uuid,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import {
  MAX_ACTIONS,
  MAX_CASES,
  MAX_COOLDOWN_S,
  MAX_RULES,
  MAX_SILENCE_S,
  ruleOccasions,
  silentParties,
} from '#rules/domain/rule';
import { ruleFieldNames, ruleFieldRules } from '#rules/domain/rule-fields';
import { Action } from './rule-actions.ts';

const MAX_NAME = 200;
const MAX_POSITION = 1_000_000;

const Trigger = strictObject(named('RuleTrigger', 'What triggers the rule.'), {
  on: choiceOf(
    ruleOccasions,
    'message.received: every message. conversation.opened: a message that opens a conversation. button.clicked: a button or row is chosen. outside_hours: a message outside the business hours of its number. no_reply: no reply for for_s seconds.',
  ),
  for_s: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SILENCE_S,
      description: 'For no_reply: seconds without a reply.',
    }),
  ),
  who: Type.Optional(
    choiceOf(
      silentParties,
      'For no_reply. agent: the customer is waiting for a person. customer: the business wrote last.',
    ),
  ),
});

const RuleCondition = Type.Unsafe<JsonObject | null>({
  type: ['object', 'null'],
  [CONDITION_FIELDS]: describeFields(ruleFieldRules),
  ...named(
    'RuleCondition',
    `A condition: {all: […]}, {any: […]}, {not: …} or {field, match, value}. Null: always. Fields: ${ruleFieldNames.join(', ')}. Strings are compared by is, word, contains, starts or regex (RE2), ignoring case and accents.`,
  ),
});

const Case = strictObject(named('RuleTestCase', 'A message that the rule must match or must not match.'), {
  name: text(MAX_NAME, 'Name of the test.'),
  given: Type.Unsafe<JsonObject>({
    type: 'object',
    description: 'Values by field name: {"text": "hello"}.',
  }),
  matches: Type.Boolean({ description: 'Whether the rule must match the message.' }),
});

const writable = {
  name: text(MAX_NAME, named('RuleName', 'Name.')),
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether the rule is enabled (default). It can be enabled only if its tests pass.' }),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_POSITION,
      ...named(
        'RulePosition',
        'Position in the evaluation order, from 1 without gaps. Later rules move back. By default, or beyond the end, the rule is last.',
      ),
    }),
  ),
  trigger: Trigger,
  when: Type.Optional(RuleCondition),
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then; a schema is no function to wait for
  then: Type.Array(Action, { minItems: 1, maxItems: MAX_ACTIONS, description: 'Actions to execute, in order.' }),
  stop: Type.Optional(
    Type.Boolean({ description: 'If true, no further rules are evaluated after this one matches. Default: false.' }),
  ),
  cooldown_s: Type.Optional(
    nullableInteger('Seconds during which the rule does not match again for the same contact.', {
      minimum: 1,
      maximum: MAX_COOLDOWN_S,
    }),
  ),
  max_runs: Type.Optional(nullableInteger('Maximum number of matches.', { minimum: 1, maximum: 1_000_000_000 })),
  active_from: Type.Optional(nullableTime('Inactive before this time.')),
  active_until: Type.Optional(nullableTime('Inactive from this time on.')),
  tests: Type.Optional(
    Type.Array(Case, { maxItems: MAX_CASES, description: 'Tests that must pass while the rule is enabled.' }),
  ),
};

export const CreateRuleBody = strictObject(named('CreateChatbotRuleRequest', 'A chatbot rule.'), writable);
export type CreateRuleBody = Static<typeof CreateRuleBody>;

export const ChangeRule = Type.Partial(CreateRuleBody, {
  additionalProperties: false,
  minProperties: 1,
  description: 'What is left out stays as it is.',
});
export type ChangeRuleBody = Static<typeof ChangeRule>;

const Finding = viewOf(named('RuleFinding', 'Two rules that affect each other.'), {
  rule_id: uuid('The later rule.'),
  by_id: uuid('The earlier rule.'),
  reason: Type.String({ description: 'Reason, in a sentence.' }),
});

export const RuleView = viewOf(named('ChatbotRule', 'A chatbot rule. Lists omit unreachable and conflicts.'), {
  id: uuid('ID of the rule.'),
  name: Type.String({ description: 'Name.' }),
  enabled: Type.Boolean({ description: 'Whether it is enabled.' }),
  position: Type.Integer({ description: 'Position in the evaluation order, from 1 without gaps.' }),
  trigger: anyObject('What triggers the rule.'),
  when: Type.Unsafe<JsonObject | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Condition. Null: always.',
  }),
  // biome-ignore lint/suspicious/noThenProperty: as above
  then: Type.Array(anyObject('An action.'), { description: 'Actions, in order.' }),
  stop: Type.Boolean({ description: 'If true, no further rules are evaluated after this one matches.' }),
  cooldown_s: nullableInteger('Seconds until the rule can match again for the same contact.'),
  max_runs: nullableInteger('Maximum number of matches.'),
  runs: nullableInteger('Matches so far. Counted only with max_runs.'),
  active_from: nullableTime('Inactive before this time.'),
  active_until: nullableTime('Inactive from this time on.'),
  tests: Type.Array(anyObject('A test.'), { description: 'Tests that must pass while the rule is enabled.' }),
  version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
  created_at: time(named('CreatedAt', 'When it was created.')),
  updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  unreachable: Type.Optional(
    Type.Array(Finding, {
      description: 'Rules that can never match, because an earlier rule always matches first and stops.',
    }),
  ),
  conflicts: Type.Optional(
    Type.Array(Finding, {
      description:
        'Rules that match the same messages and both reply or write different values: the customer gets both replies, and the later value is kept.',
    }),
  ),
});

export const OrderRulesBody = strictObject('The evaluation order.', {
  order: Type.Array(uuid('A rule.'), {
    minItems: 1,
    maxItems: MAX_RULES,
    description: 'Every rule once, in evaluation order.',
  }),
});

export const OrderedRules = Type.Object(
  { data: Type.Array(RuleView, { description: 'All rules, in their order.' }) },
  { description: 'All rules of the tenant.' },
);

const ruleExampleId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
export const RuleIdParams = Type.Object({ id: withExample(uuid('ID of the rule.'), ruleExampleId) });

export const greetingExample: CreateRuleBody = {
  name: 'Greeting',
  trigger: { on: 'message.received' },
  when: { field: 'text', match: 'word', value: 'hello' },
  // biome-ignore lint/suspicious/noThenProperty: as above
  then: [
    { action: 'reply', type: 'text', body: 'Hello! What can we do for you?' } as { action: 'reply' },
    { action: 'tag', add: ['greeted'] } as { action: 'tag' },
  ],
  stop: true,
  cooldown_s: 3_600,
  tests: [{ name: 'A greeting', given: { text: 'Hello there' }, matches: true }],
};

export const ruleExample: JsonObject = {
  ...(greetingExample as unknown as JsonObject),
  id: ruleExampleId,
  enabled: true,
  position: 1,
  max_runs: null,
  runs: null,
  active_from: null,
  active_until: null,
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
  unreachable: [],
  conflicts: [],
};

export const createExamples = {
  greeting: { summary: 'Answer a greeting, at most once an hour', value: greetingExample as unknown as JsonObject },
  handover: {
    summary: 'Hand over to a person on request',
    value: {
      name: 'A person, please',
      position: 1,
      trigger: { on: 'message.received' },
      when: {
        any: [
          { field: 'text', match: 'word', value: 'agent' },
          { field: 'text', match: 'regex', value: '\\b(human|person)s?\\b' },
        ],
      },
      // biome-ignore lint/suspicious/noThenProperty: as above
      then: [{ action: 'reply', type: 'text', body: 'One moment, please.' }, { action: 'handoff' }, { action: 'stop' }],
    } as unknown as JsonObject,
  },
  silence: {
    summary: 'Apologize after ten minutes without a reply',
    value: {
      name: 'Sorry for the wait',
      trigger: { on: 'no_reply', for_s: 600, who: 'agent' },
      // biome-ignore lint/suspicious/noThenProperty: as above
      then: [
        { action: 'reply', type: 'text', body: 'We are sorry that you have to wait.' },
        { action: 'state', priority: 'high' },
      ],
    } as unknown as JsonObject,
  },
};

const wrongField = 'This field cannot be used here.';

/** Those of whoever writes a rule. */
export const wrongWhenExample = faultExample('wrongCondition', 'validation_failed', {
  path: 'body.when.field',
  message: wrongField,
});
export const testsFailedExample = faultExample('testsFail', 'rule_tests_failed', {
  path: 'body.tests[0]',
  message: 'The test “A greeting” does not match, but must match.',
});
/** That of a rule which is only tried. */
export const wrongDraftExample = faultExample('wrongCondition', 'validation_failed', {
  path: 'body.rule.when.field',
  message: wrongField,
});
