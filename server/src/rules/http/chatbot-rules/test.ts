import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { testRules } from '#rules/actions/test-rules';
import { presentTrial } from '#rules/http/present/rule-decision';
import { wrongDraftExample } from '#rules/http/schemas/chatbot-rule';
import { TestedRules, TestRulesBody, testExamples, testedExample } from '#rules/http/schemas/rule-decision';
import { makeActionReader, readDraft } from './read-rule.ts';

export const testRulesRoute = defineOperation({
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
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  errorExamples: [wrongDraftExample],
  handle: ({ rt, db }) => {
    const reader = makeActionReader('body.rule');
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { given, opened = false, rule } = request.body;
      const draft = rule === undefined ? null : { ...readDraft(reader, rule), position: rule.position ?? null };
      return presentTrial(await testRules(rt, db, { tenantId, given, opened, draft }));
    };
  },
});
