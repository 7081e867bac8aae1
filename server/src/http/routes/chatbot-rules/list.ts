import Type from 'typebox';
import { ruleJson } from '#core/rules/rule-json';
import { listRules } from '#storage/chatbot-rules';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { OrderedRules, ruleExample } from '../../schemas/chatbot-rule.ts';
import { withExample } from '../../schemas/fields.ts';

const Query = Type.Object(
  { enabled: Type.Optional(withExample(Type.Boolean({ description: 'Only rules that are on, or off.' }), true)) },
  { additionalProperties: false },
);

export const listRulesRoute = defineOperation({
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
