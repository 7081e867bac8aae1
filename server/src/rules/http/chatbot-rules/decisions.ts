import Type from 'typebox';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { presentDecision } from '#rules/http/present/rule-decision';
import { DecisionView, decisionExample } from '#rules/http/schemas/rule-decision';
import { listDecisions } from '#rules/store/rule-decisions';

const anId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';

const Query = Type.Object(
  {
    ...pageQuery,
    message_id: Type.Optional(withExample(uuid('Only decisions about this message.'), anId)),
    conversation_id: Type.Optional(withExample(uuid('Only decisions in this conversation.'), anId)),
    rule_id: Type.Optional(withExample(uuid('Only decisions in which this rule matched.'), anId)),
  },
  { additionalProperties: false },
);

export const listRuleDecisionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/chatbot-rules/decisions',
  operationId: 'listRuleDecisions',
  summary: 'List the decisions of chatbot rules',
  description:
    'Returns one decision for each customer message that rules evaluated, newest first: every rule with its outcome and its comparisons, and the actions taken.',
  tag: 'Rules',
  scope: 'rules:read',
  query: Query,
  answer: pageAnswer('decisions', DecisionView, decisionExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { message_id, conversation_id, rule_id } = request.query;
      const filter = givenOnly({
        messageId: message_id?.toLowerCase(),
        conversationId: conversation_id?.toLowerCase(),
        ruleId: rule_id?.toLowerCase(),
      });
      return answerList(request, reply, {
        cursorKey,
        name: 'rule_decisions',
        filter: { ...filter },
        read: (tenantId, window) => listDecisions(db, tenantId, filter, window),
        idOf: ({ record }) => record.decisionId,
        present: presentDecision,
      });
    };
  },
});
