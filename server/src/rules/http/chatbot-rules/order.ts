import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { orderRules } from '#rules/actions/manage-rules';
import { ruleJson } from '#rules/domain/rule-json';
import { OrderedRules, OrderRulesBody, ruleExample } from '#rules/http/schemas/chatbot-rule';

const notAll = 'order must name each of the 0 rules once.';

export const orderChatbotRulesRoute = defineOperation({
  method: 'POST',
  path: '/v1/chatbot-rules/order',
  operationId: 'orderChatbotRules',
  summary: 'Reorder chatbot rules',
  description:
    'Reorders all rules. The body names each rule of the tenant once. Nothing changes unless all rules are named, so concurrent requests cannot mix their orders.',
  tag: 'Rules',
  scope: 'rules:write',
  body: OrderRulesBody,
  bodyExamples: {
    two: {
      summary: 'One before the other',
      value: { order: ['0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01', '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02'] },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'All rules, in their new order.',
    schema: OrderedRules,
    example: { data: [ruleExample] },
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  errorExamples: [
    {
      name: 'notAll',
      code: 'validation_failed',
      body: { error: notAll, code: 'validation_failed', details: [{ path: 'body.order', message: notAll }] },
    },
  ],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const ruleIds = request.body.order.map((id) => id.toLowerCase());
      return once.change(
        (db) => orderRules(rt, db, { ...requesterOf(request), ruleIds }),
        (rules) => ({ data: rules.map(ruleJson) }),
      );
    };
  },
});
