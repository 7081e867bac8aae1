import { defineOperation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { createRule } from '#rules/actions/manage-rules';
import { presentRule } from '#rules/http/present/chatbot-rule';
import {
  CreateRuleBody,
  createExamples,
  RuleView,
  ruleExample,
  testsFailedExample,
  tooManyRulesExample,
  wrongWhenExample,
} from '#rules/http/schemas/chatbot-rule';
import { makeActionReader, readDraft } from './read-rule.ts';

export const createChatbotRuleRoute = defineOperation({
  method: 'POST',
  path: '/v1/chatbot-rules',
  operationId: 'createChatbotRule',
  summary: 'Create a chatbot rule',
  description:
    'Creates a rule, which evaluates messages that arrive from now on. The response names rules that can never match and rules that answer the same messages. If the rule is on, the key needs the scopes for its actions: messages:write for a reply, contacts:write for attributes and consent, conversations:write for changes to the conversation, webhooks:write for a call.',
  tag: 'Rules',
  scope: 'rules:write',
  // Its replies leave for customers.
  sends: true,
  body: CreateRuleBody,
  bodyExamples: createExamples,
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The rule was created.',
    schema: RuleView,
    example: ruleExample,
    headers: ['ETag', 'Idempotent-Replayed'],
  },
  errors: ['conflict', 'rule_tests_failed'],
  errorExamples: [wrongWhenExample, tooManyRulesExample, testsFailedExample],
  handle: ({ rt, checks }) => {
    const reader = makeActionReader();
    return async (request, _reply, once) => {
      const { scopes: granted } = principalOf(request);
      const draft = readDraft(reader, request.body);
      const asked = { ...requesterOf(request), granted, draft, position: request.body.position ?? null };
      return once.change((db) => createRule({ rt, db, checks }, asked), presentRule);
    };
  },
});
