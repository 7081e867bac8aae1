import Type, { type Static } from 'typebox';
import { describeFields } from '#contacts/http/schemas/condition';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { CONDITION_FIELDS, choiceOf, named, nullableTime, text, time, uuid, withExample } from '#http/schemas/fields';
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

function nullableInteger(minimum: number, maximum: number, description: string) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum, description });
}

const Trigger = Type.Object(
  {
    on: choiceOf(
      ruleOccasions,
      'message.received: each message. conversation.opened: the one that opened a conversation. button.clicked: a button or row was chosen. outside_hours: a message outside the hours of its number. no_reply: a silence has lasted.',
    ),
    for_s: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SILENCE_S,
        description: 'With no_reply: how long the silence lasts, in seconds.',
      }),
    ),
    who: Type.Optional(
      choiceOf(silentParties, 'With no_reply: agent, the customer waits for a person; customer, we wrote last.'),
    ),
  },
  { additionalProperties: false, ...named('RuleTrigger', 'What makes the rule look.') },
);

const RuleCondition = Type.Unsafe<JsonObject | null>({
  type: ['object', 'null'],
  [CONDITION_FIELDS]: describeFields(ruleFieldRules),
  ...named(
    'RuleCondition',
    `A condition: {all: […]}, {any: […]}, {not: …} or {field, match, value}; null: always. Fields: ${ruleFieldNames.join(', ')}. Texts are compared by is, word, contains, starts or regex (RE2), with case and accents folded.`,
  ),
});

const Case = Type.Object(
  {
    name: text(MAX_NAME, 'What it shows.'),
    given: Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'Values by the names of fields: {"text": "hello"}.',
    }),
    matches: Type.Boolean({ description: 'Whether the rule has to match it.' }),
  },
  { additionalProperties: false, ...named('RuleTestCase', 'A message that the rule must match, or must not.') },
);

const writable = {
  name: text(MAX_NAME, 'What it is called.'),
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether it is on (default). It comes on only if its tests hold.' }),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_POSITION,
      description:
        'Place in the order of judging, which counts from 1 without gaps: the rule that stands there and those behind it move on. Default, and beyond the last: the last.',
    }),
  ),
  trigger: Trigger,
  when: Type.Optional(RuleCondition),
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then; a schema is no function to wait for
  then: Type.Array(Action, { minItems: 1, maxItems: MAX_ACTIONS, description: 'What is done, in this order.' }),
  stop: Type.Optional(
    Type.Boolean({ description: 'Whether no later rule is looked at once it matched. Default: no.' }),
  ),
  cooldown_s: Type.Optional(
    nullableInteger(1, MAX_COOLDOWN_S, 'So many seconds it does not match again for the same contact.'),
  ),
  max_runs: Type.Optional(nullableInteger(1, 1_000_000_000, 'So often it matches at most.')),
  active_from: Type.Optional(nullableTime('Not before this time.')),
  active_until: Type.Optional(nullableTime('Not from this time on.')),
  tests: Type.Optional(Type.Array(Case, { maxItems: MAX_CASES, description: 'Must hold whenever the rule is on.' })),
};

export const CreateRuleBody = Type.Object(writable, {
  additionalProperties: false,
  ...named('CreateChatbotRuleRequest', 'A chatbot rule.'),
});
export type CreateRuleBody = Static<typeof CreateRuleBody>;

export const ChangeRule = Type.Partial(CreateRuleBody, {
  additionalProperties: false,
  minProperties: 1,
  description: 'What is left out stays as it is.',
});
export type ChangeRuleBody = Static<typeof ChangeRule>;

const Finding = Type.Object(
  {
    rule_id: uuid('The rule that stands behind.'),
    by_id: uuid('The rule before it.'),
    reason: Type.String({ description: 'Why, in a sentence.' }),
  },
  named('RuleFinding', 'Two rules that stand in each other’s way.'),
);

const anyObject = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description });

export const RuleView = Type.Object(
  {
    id: uuid('Identifier of the rule.'),
    name: Type.String({ description: 'What it is called.' }),
    enabled: Type.Boolean({ description: 'Whether it is on.' }),
    position: Type.Integer({ description: 'Place in the order of judging, from 1 without gaps.' }),
    trigger: anyObject('What makes it look.'),
    when: Type.Unsafe<JsonObject | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Its condition; null: always.',
    }),
    // biome-ignore lint/suspicious/noThenProperty: as above
    then: Type.Array(anyObject('An action.'), { description: 'What it does.' }),
    stop: Type.Boolean({ description: 'Whether no later rule is looked at once it matched.' }),
    cooldown_s: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Seconds until it may match again for a contact.',
    }),
    max_runs: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'So often it matches at most.' }),
    runs: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Matches so far; counted with max_runs only.',
    }),
    active_from: nullableTime('Not before this time.'),
    active_until: nullableTime('Not from this time on.'),
    tests: Type.Array(anyObject('A test.'), { description: 'Must hold whenever it is on.' }),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
    unreachable: Type.Optional(
      Type.Array(Finding, { description: 'Rules that can never match, because an earlier one takes all and stops.' }),
    ),
    conflicts: Type.Optional(
      Type.Array(Finding, {
        description:
          'Rules that match the same messages, and both answer or write different values: the customer gets both answers, and the later value stays.',
      }),
    ),
  },
  named('ChatbotRule', 'A chatbot rule. Lists leave unreachable and conflicts out.'),
);

export const OrderRulesBody = Type.Object(
  {
    order: Type.Array(uuid('A rule.'), {
      minItems: 1,
      maxItems: MAX_RULES,
      description: 'Each rule once, the first one first.',
    }),
  },
  { additionalProperties: false, description: 'The order of judging.' },
);

export const OrderedRules = Type.Object(
  { data: Type.Array(RuleView, { description: 'All rules, in their order.' }) },
  { description: 'All rules of the tenant.' },
);

const ruleExampleId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
export const RuleIdParams = Type.Object({ id: withExample(uuid('Identifier of the rule.'), ruleExampleId) });

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
  greeting: { summary: 'Answers a greeting, once an hour', value: greetingExample as unknown as JsonObject },
  handover: {
    summary: 'Hands over who asks for a person',
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
    summary: 'Says sorry after ten minutes without an answer',
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

const testsFail = 'The test “A greeting” is not matched, and must be.';
export const testsFailedExample: ErrorExample = {
  name: 'testsFail',
  code: 'rule_tests_failed',
  body: { error: testsFail, code: 'rule_tests_failed', details: [{ path: 'body.tests[0]', message: testsFail }] },
};
export const tooManyRulesExample: ErrorExample = {
  name: 'tooManyRules',
  code: 'conflict',
  body: { error: 'A tenant has at most 200 chatbot rules. Remove one first.', code: 'conflict' },
};
export const tooManyStepsExample: ErrorExample = {
  name: 'tooManySteps',
  code: 'conflict',
  body: {
    error: 'The regular expressions of all rules together have 5033 steps, and at most 4000 are allowed.',
    code: 'conflict',
  },
};
const wrongField = 'This field cannot be used here.';
export const wrongWhenExample: ErrorExample = {
  name: 'wrongCondition',
  code: 'validation_failed',
  body: { error: wrongField, code: 'validation_failed', details: [{ path: 'body.when.field', message: wrongField }] },
};
export const wrongDraftExample: ErrorExample = {
  name: 'wrongCondition',
  code: 'validation_failed',
  body: {
    error: wrongField,
    code: 'validation_failed',
    details: [{ path: 'body.rule.when.field', message: wrongField }],
  },
};
export const staleRuleExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The rule was changed meanwhile: its version is 4. Read it again.', code: 'precondition_failed' },
};
