import Type from 'typebox';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { withExample } from '#http/schemas/fields';
import { ruleJson } from '#rules/domain/rule-json';
import { OrderedRules, ruleExample } from '#rules/http/schemas/chatbot-rule';
import { listRules } from '#rules/store/chatbot-rules';

const Query = Type.Object(
  { enabled: Type.Optional(withExample(Type.Boolean({ description: 'Only rules that are on, or off.' }), true)) },
  { additionalProperties: false },
);

export const listChatbotRulesRoute = defineOperation({
  method: 'GET',
  path: '/v1/chatbot-rules',
  operationId: 'listChatbotRules',
  summary: 'List chatbot rules',
  description:
    'Returns all rules of the tenant, at most 200, in the order in which they are evaluated. They fit on one page.',
  tag: 'Rules',
  scope: 'rules:read',
  query: Query,
  answer: { status: 200, description: 'All rules.', schema: OrderedRules, example: { data: [ruleExample] } },
  errors: [],
  handle: ({ db }) => {
    return async (request) => {
      const { enabled } = request.query;
      const rules = await listRules(db, principalOf(request).tenantId);
      return { data: rules.filter((rule) => enabled === undefined || rule.enabled === enabled).map(ruleJson) };
    };
  },
});
