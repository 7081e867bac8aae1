import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { readRule } from '#rules/actions/manage-rules';
import { presentRule } from '#rules/http/present/chatbot-rule';
import { RuleIdParams, RuleView, ruleExample } from '#rules/http/schemas/chatbot-rule';

export const getChatbotRuleRoute = defineOperation({
  method: 'GET',
  path: '/v1/chatbot-rules/:id',
  operationId: 'getChatbotRule',
  summary: 'Get a chatbot rule',
  description:
    'Returns a rule, with the rules that it makes unreachable or conflicts with, and the rules that do the same to it.',
  tag: 'Rules',
  scope: 'rules:read',
  params: RuleIdParams,
  answer: { status: 200, description: 'The rule.', schema: RuleView, example: ruleExample, headers: ['ETag'] },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentRule(
        requireFound(await readRule(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
      );
    };
  },
});
