import Type from 'typebox';
import { listDecisions } from '#storage/rule-decisions';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { presentDecision } from '../../present/rule-decision.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { uuid, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { DecisionView, decisionExample } from '../../schemas/rule-decision.ts';

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

export const listDecisionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/chatbot-rules/decisions',
  operationId: 'listRuleDecisions',
  summary: 'List the decisions of chatbot rules',
  description:
    'Returns one decision for each customer message that rules evaluated, newest first: every rule with its outcome and its comparisons, and the actions taken.',
  tag: 'Rules',
  scope: 'rules:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of decisions.',
    schema: listOf(DecisionView, 'A page of decisions, newest first.'),
    example: pageExample(decisionExample),
    headers: ['Link'],
  },
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
