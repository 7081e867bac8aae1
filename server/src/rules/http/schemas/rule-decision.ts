import Type from 'typebox';
import type { JsonObject } from '#core/json';
import {
  anyObject,
  choiceOf,
  named,
  nullableText,
  nullableUuid,
  strictObject,
  time,
  uuid,
  viewOf,
} from '#http/schemas/fields';
import { ruleOutcomes } from '#rules/domain/decide';
import { CreateRuleBody, greetingExample } from './chatbot-rule.ts';

const Verdict = viewOf(named('RuleVerdict', 'Result of one rule.'), {
  rule_id: uuid('The rule.'),
  version: Type.Integer({ description: 'Version of the rule that was evaluated.' }),
  outcome: choiceOf(
    ruleOutcomes,
    'matched; not_matched: its condition is not met; not_triggered; not_active: outside its active time; cooling_down; used_up: max_runs reached; not_reached: an earlier rule stopped the evaluation.',
  ),
  predicates: Type.Array(
    viewOf('A comparison.', {
      path: Type.String({ description: 'Position of the comparison: when.all[0].' }),
      field: Type.String({ description: 'Field that was compared.' }),
      match: Type.String({ description: 'Type of comparison.' }),
      seen: Type.Unsafe({ description: 'Value found; long strings are truncated.' }),
      matched: Type.Boolean({ description: 'Whether it matched.' }),
    }),
    { description: 'Comparisons of its condition, at most 20, and 200 for all rules.' },
  ),
});

const decided = {
  ignored: nullableText('Why no rules were evaluated. Null if they were.'),
  verdicts: Type.Array(Verdict, { description: 'Every enabled rule, in evaluation order.' }),
  stopped_by: nullableUuid('Rule that stopped the evaluation.'),
};

export const DecisionView = viewOf(named('RuleDecision', 'What rules decided about a message, and why.'), {
  id: uuid("ID of the decision: the message's ID, unless a silence was evaluated."),
  message_id: uuid('Message that was evaluated, or that started the silence.'),
  contact_id: uuid('ID of the contact.'),
  conversation_id: uuid('ID of the conversation.'),
  silence_of: nullableUuid('Rule whose no_reply trigger fired. Null if a message was evaluated.'),
  matched_rules: Type.Array(uuid('A rule.'), { description: 'Matching rules, in order.' }),
  ...decided,
  actions: Type.Array(
    viewOf('An action and its outcome.', {
      rule_id: uuid('Rule of the action.'),
      index: Type.Integer({ description: "Index in the rule's then, from 0." }),
      action: Type.String({ description: 'Kind of action.' }),
      outcome: choiceOf(
        ['done', 'queued', 'withheld', 'failed'],
        'queued: the reply is about to be sent. withheld, failed: see why.',
      ),
      why: nullableText('agent_handles, budget or paused; or why it failed.'),
      message_id: nullableUuid('ID of the reply.'),
    }),
    { description: 'Actions, in order.' },
  ),
  decided_at: time('When it was decided.'),
});

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

export const TestRulesBody = strictObject('A message to test the rules with, and optionally an unsaved rule.', {
  given: anyObject('Values by field name: text, type, button_payload, hours, contact.name, …'),
  opened: Type.Optional(Type.Boolean({ description: 'Whether the message opens its conversation. Default: false.' })),
  rule: Type.Optional(CreateRuleBody),
});

export const testExamples = {
  saved: { summary: 'Evaluate the enabled rules', value: { given: { text: 'Hello there' } } },
  draft: {
    summary: 'With an unsaved rule',
    value: { given: { text: 'Hello there' }, rule: greetingExample as unknown as JsonObject },
  },
};

export const TestedRules = viewOf('What the rules would decide.', {
  ...decided,
  actions: Type.Array(
    viewOf('An action.', {
      rule_id: uuid('Rule of the action. An unsaved rule has a temporary ID.'),
      index: Type.Integer({ description: "Index in the rule's then, from 0." }),
      action: anyObject('The action.'),
      withheld: nullableText('Why it would be withheld. Null if it would be executed.'),
    }),
    { description: 'Actions that would be executed, in order. None were.' },
  ),
});

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

export const Backtest = strictObject('A rule to evaluate past messages with.', {
  rule: CreateRuleBody,
  replaces: Type.Optional(
    uuid('Saved rule that the draft replaces. By default, the draft is evaluated in addition to all saved rules.'),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'Number of days to go back. Default: 7.' }),
  ),
});

export const backtestExamples = {
  draft: {
    summary: 'A draft on the last three days',
    value: { rule: greetingExample as unknown as JsonObject, days: 3 },
  },
};

const count = (description: string) => Type.Integer({ description });

export const BacktestView = viewOf('What the rule would have matched. Nothing was executed.', {
  messages: count('Messages evaluated.'),
  exact: count(
    'Messages evaluated with the values stored with their decision. The others are evaluated with current values.',
  ),
  matched: count('Messages that the rule matches.'),
  gained: count('Messages that the rule matches and the saved rule did not match.'),
  lost: count('Messages that the saved rule matched and the rule does not match.'),
  complete: Type.Boolean({
    description: 'If false, the newest messages were not evaluated.',
  }),
  samples: Type.Array(
    viewOf('A matching message.', {
      message_id: uuid('A matching message.'),
      body: nullableText('Text of the message.'),
      received_at: time('When it was received.'),
    }),
    { description: 'The first 20 matches.' },
  ),
});

export const backtestExample: JsonObject = {
  messages: 1_250,
  exact: 1_100,
  matched: 87,
  gained: 12,
  lost: 3,
  complete: true,
  samples: [{ message_id: decisionId, body: 'Hello there', received_at: '2030-01-01T09:00:00.000Z' }],
};
