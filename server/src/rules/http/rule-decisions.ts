import Type from 'typebox';
import { requireGranted } from '#access/actions/require-granted';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { queryOf, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { type BacktestReport, backtestRule } from '#rules/actions/backtest-rule';
import { testRules } from '#rules/actions/test-rules';
import { listDecisions } from '#rules/store/rule-decisions';
import { presentDecision, presentTrial } from './present/rule-decision.ts';
import { readDraft } from './read-rule.ts';
import { wrongDraftExample } from './schemas/chatbot-rule.ts';
import {
  Backtest,
  BacktestView,
  backtestExample,
  backtestExamples,
  DecisionView,
  decisionExample,
  TestedRules,
  TestRulesBody,
  testExamples,
  testedExample,
} from './schemas/rule-decision.ts';

const DEFAULT_DAYS = 7;

const testRulesRoute = defineOperation({
  method: 'POST',
  path: '/v1/chatbot-rules/test',
  operationId: 'testChatbotRules',
  summary: 'Test chatbot rules',
  description:
    'Returns what the rules that are on would decide about a message, and why. Nothing is executed, stored or sent. If the body contains a rule, it is evaluated too, at its position.',
  tag: 'Rules',
  scope: 'rules:read',
  body: TestRulesBody,
  bodyExamples: testExamples,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'What the rules would decide.',
    schema: TestedRules,
    example: testedExample,
  },
  errorExamples: [wrongDraftExample],
  handle: (context) => async (request) => {
    const { tenantId } = principalOf(request);
    const { given, opened = false, rule } = request.body;
    const draft = rule === undefined ? null : readDraft(rule, 'body.rule');
    return presentTrial(await testRules(context.rt, context.db, { tenantId, given, opened, draft }));
  },
});

const backtestRuleRoute = defineOperation({
  method: 'POST',
  path: '/v1/chatbot-rules/backtest',
  operationId: 'backtestChatbotRule',
  summary: 'Test a chatbot rule on past messages',
  description:
    'Evaluates what customers wrote in the last days (at most 10,000 messages) with the rule in the body among the rules that are on, and returns what it would have matched. Nothing is executed, stored or sent. The key also needs messages:read.',
  tag: 'Rules',
  scope: 'rules:read',
  body: Backtest,
  bodyExamples: backtestExamples,
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'What the rule would have matched.',
    schema: BacktestView,
    example: backtestExample,
  },
  errorExamples: [wrongDraftExample],
  handle: (context) => async (request, _reply, once) => {
    const { tenantId, scopes: granted } = principalOf(request);
    requireGranted({ granted }, ['messages:read']);
    const { rule, replaces, days = DEFAULT_DAYS } = request.body;
    const draft = readDraft(rule, 'body.rule');
    const input = { tenantId, draft, replaces: replaces?.toLowerCase() ?? null, days };
    return once.run(async () => presentReport(await backtestRule(context.rt, context.db, input)));
  },
});

function presentReport({ samples, ...counts }: BacktestReport) {
  return {
    ...counts,
    samples: samples.map(({ messageId, body, createdMs }) => ({
      message_id: messageId,
      body,
      received_at: new Date(createdMs).toISOString(),
    })),
  };
}

const anId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';

const listRuleDecisionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/chatbot-rules/decisions',
  operationId: 'listRuleDecisions',
  summary: 'List the decisions of chatbot rules',
  description:
    'Returns one decision for each customer message that rules evaluated, newest first: every rule with its outcome and its comparisons, and the actions taken.',
  tag: 'Rules',
  scope: 'rules:read',
  query: queryOf({
    ...pageQuery,
    message_id: Type.Optional(withExample(uuid('Only decisions about this message.'), anId)),
    conversation_id: Type.Optional(withExample(uuid('Only decisions in this conversation.'), anId)),
    rule_id: Type.Optional(withExample(uuid('Only decisions in which this rule matched.'), anId)),
  }),
  answer: pageAnswer('decisions', DecisionView, decisionExample),
  handle: (context) => (request, reply) => {
    const { message_id, conversation_id, rule_id } = request.query;
    const filter = givenOnly({
      messageId: message_id?.toLowerCase(),
      conversationId: conversation_id?.toLowerCase(),
      ruleId: rule_id?.toLowerCase(),
    });
    return answerList(request, reply, {
      cursorKey: context.cursorKey,
      name: 'rule_decisions',
      filter,
      read: (tenantId, window) => listDecisions(context.db, tenantId, filter, window),
      idOf: ({ record }) => record.decisionId,
      present: presentDecision,
    });
  },
});

/** In the order of the documentation. */
export const ruleDecisionOperations: readonly Operation[] = [testRulesRoute, backtestRuleRoute, listRuleDecisionsRoute];
