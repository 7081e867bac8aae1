import Type, { type Static } from 'typebox';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableUuid, time, uuid } from '#http/schemas/fields';
import { ruleOutcomes } from '#rules/domain/decide';
import { CreateRuleBody, greetingExample } from './chatbot-rule.ts';

const Verdict = Type.Object(
  {
    rule_id: uuid('The rule.'),
    version: Type.Integer({ description: 'Version of the rule that was judged.' }),
    outcome: choiceOf(
      ruleOutcomes,
      'matched; not_matched: its condition did not hold; not_triggered; not_active: outside its time; cooling_down; used_up: max_runs; not_reached: an earlier one stopped.',
    ),
    predicates: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'Where the comparison stands: when.all[0].' }),
          field: Type.String({ description: 'What it asked about.' }),
          match: Type.String({ description: 'How it compared.' }),
          seen: Type.Unsafe({ description: 'What it saw; long texts are cut.' }),
          matched: Type.Boolean({ description: 'Whether it held.' }),
        },
        { description: 'A comparison.' },
      ),
      { description: 'At most 20 comparisons of its condition, and 200 of all rules together.' },
    ),
  },
  named('RuleVerdict', 'How one rule came out.'),
);

const decided = {
  ignored: nullableText('Why no rule was looked at; null: they were.'),
  verdicts: Type.Array(Verdict, { description: 'Every rule that was on, in the order of judging.' }),
  stopped_by: nullableUuid('The rule that ended the judging.'),
};

export const DecisionView = Type.Object(
  {
    id: uuid('Identifier of the decision: of the message, unless a silence was judged.'),
    message_id: uuid('The message that was judged, or that the silence counted from.'),
    contact_id: uuid('Who wrote it.'),
    conversation_id: uuid('Where it stands.'),
    silence_of: nullableUuid('The rule whose silence came true; null: a message was judged.'),
    matched_rules: Type.Array(uuid('A rule.'), { description: 'The rules that matched, in their order.' }),
    ...decided,
    actions: Type.Array(
      Type.Object(
        {
          rule_id: uuid('The rule that says so.'),
          index: Type.Integer({ description: 'Place in its then, from 0.' }),
          action: Type.String({ description: 'What is done.' }),
          outcome: choiceOf(
            ['done', 'queued', 'withheld', 'failed'],
            'queued: a reply that is about to leave; withheld and failed: see why.',
          ),
          why: nullableText('agent_handles, budget or paused; or why it failed.'),
          message_id: nullableUuid('The message that a reply became.'),
        },
        { description: 'An action with what became of it.' },
      ),
      { description: 'What was done, in order.' },
    ),
    decided_at: time('When it was decided.'),
  },
  named('RuleDecision', 'What rules decided about a message, and why.'),
);

const decisionId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f03';
const ruleId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const verdictExample: JsonObject = {
  rule_id: ruleId,
  version: 1,
  outcome: 'matched',
  predicates: [{ path: 'when', field: 'text', match: 'word', seen: 'Hello there', matched: true }],
};

export const decisionExample: JsonObject = {
  id: decisionId,
  message_id: decisionId,
  contact_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f04',
  conversation_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f05',
  silence_of: null,
  matched_rules: [ruleId],
  ignored: null,
  verdicts: [verdictExample],
  stopped_by: ruleId,
  actions: [
    {
      rule_id: ruleId,
      index: 0,
      action: 'reply',
      outcome: 'done',
      why: null,
      message_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f06',
    },
  ],
  decided_at: '2030-01-01T09:00:00.000Z',
};

const Values = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description: 'Values by the names of the fields of conditions: text, type, button_payload, hours, contact.name, …',
});

export const TestRulesBody = Type.Object(
  {
    given: Values,
    opened: Type.Optional(Type.Boolean({ description: 'Whether the message opens its conversation. Default: no.' })),
    rule: Type.Optional(CreateRuleBody),
  },
  { additionalProperties: false, description: 'A message to try the rules with, and a rule that is not saved yet.' },
);
export type TestRulesBody = Static<typeof TestRulesBody>;

export const testExamples = {
  saved: { summary: 'What the rules would do', value: { given: { text: 'Hello there' } } },
  draft: {
    summary: 'With a rule that is not saved',
    value: { given: { text: 'Hello there' }, rule: greetingExample as unknown as JsonObject },
  },
};

export const TestedRules = Type.Object(
  {
    ...decided,
    actions: Type.Array(
      Type.Object(
        {
          rule_id: uuid('The rule that says so; a rule of the body has an id of the moment.'),
          index: Type.Integer({ description: 'Place in its then, from 0.' }),
          action: Type.Unsafe<JsonObject>({
            type: 'object',
            additionalProperties: true,
            description: 'What would be done.',
          }),
          withheld: nullableText('Why it would not be done; null: it would.'),
        },
        { description: 'An action.' },
      ),
      { description: 'What would be done, in order. Nothing was.' },
    ),
  },
  { description: 'What rules would decide.' },
);

export const testedExample: JsonObject = {
  ignored: null,
  verdicts: [verdictExample],
  stopped_by: ruleId,
  actions: [
    {
      rule_id: ruleId,
      index: 0,
      action: { action: 'reply', type: 'text', body: 'Hello! What can we do for you?' },
      withheld: null,
    },
  ],
};

/** Days that a backtest may go back. */
const MAX_DAYS = 30;

export const Backtest = Type.Object(
  {
    rule: CreateRuleBody,
    replaces: Type.Optional(uuid('The saved rule in whose place the draft is judged. Default: beside the others.')),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'How far back. Default 7.' })),
  },
  { additionalProperties: false, description: 'A rule to judge the messages of the past by.' },
);
export type BacktestBody = Static<typeof Backtest>;

export const backtestExamples = {
  draft: {
    summary: 'A draft over the last three days',
    value: { rule: greetingExample as unknown as JsonObject, days: 3 },
  },
};

const count = (description: string) => Type.Integer({ description });

export const BacktestView = Type.Object(
  {
    messages: count('Messages that were judged.'),
    exact: count('Those judged by the values kept with their decision; the others by what is known today.'),
    matched: count('Messages that the rule matches.'),
    gained: count('Messages that it matches and the saved rule did not.'),
    lost: count('Messages that the saved rule matched and it does not.'),
    complete: Type.Boolean({
      description: 'Whether the whole span was judged; false: the newest messages are left out.',
    }),
    samples: Type.Array(
      Type.Object(
        {
          message_id: uuid('A message that it matches.'),
          body: nullableText('Its text.'),
          received_at: time('When it came.'),
        },
        { description: 'A message that it matches.' },
      ),
      { description: 'The first 20 of them.' },
    ),
  },
  { description: 'What the rule would have matched. Nothing was done.' },
);

export const backtestExample: JsonObject = {
  messages: 1_250,
  exact: 1_100,
  matched: 87,
  gained: 12,
  lost: 3,
  complete: true,
  samples: [{ message_id: decisionId, body: 'Hello there', received_at: '2030-01-01T09:00:00.000Z' }],
};
