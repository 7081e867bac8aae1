import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { createOperation, deleteOperation, getOperation, type Resource, updateOperation } from '#http/resource';
import { conflictExample, faultExample, staleExample } from '#http/schemas/errors';
import { queryOf, withExample } from '#http/schemas/fields';
import {
  changeRule,
  createRule,
  deleteRule,
  orderRules,
  type RuleWithFindings,
  readRule,
} from '#rules/actions/manage-rules';
import type { RuleFinding } from '#rules/domain/conflicts';
import { ruleJson } from '#rules/domain/rule-json';
import { listRules } from '#rules/store/chatbot-rules';
import { readDraft, readRuleInput } from './read-rule.ts';
import {
  ChangeRule,
  CreateRuleBody,
  createExamples,
  OrderedRules,
  OrderRulesBody,
  RuleIdParams,
  RuleView,
  ruleExample,
  testsFailedExample,
  wrongWhenExample,
} from './schemas/chatbot-rule.ts';

const chatbotRule: Resource<RuleWithFindings> = {
  path: '/v1/chatbot-rules',
  name: 'ChatbotRule',
  noun: 'rule',
  one: 'a chatbot rule',
  many: 'chatbot rules',
  tag: 'Rules',
  scopes: { read: 'rules:read', write: 'rules:write' },
  params: RuleIdParams,
  view: RuleView,
  example: ruleExample,
  stale: staleExample('rule'),
  present: presentRule,
};

const listChatbotRulesRoute = defineOperation({
  method: 'GET',
  path: '/v1/chatbot-rules',
  operationId: 'listChatbotRules',
  summary: 'List chatbot rules',
  description:
    'Returns all rules of the tenant, at most 200, in the order in which they are evaluated. They fit on one page.',
  tag: 'Rules',
  scope: 'rules:read',
  query: queryOf({
    enabled: Type.Optional(
      withExample(Type.Boolean({ description: 'true: only enabled rules; false: only disabled rules.' }), true),
    ),
  }),
  answer: { status: 200, description: 'All rules.', schema: OrderedRules, example: { data: [ruleExample] } },
  handle: (context) => async (request) => {
    const { enabled } = request.query;
    const rules = await listRules(context.db, principalOf(request).tenantId);
    return { data: rules.filter((rule) => enabled === undefined || rule.enabled === enabled).map(ruleJson) };
  },
});

const createChatbotRuleRoute = createOperation(chatbotRule, {
  description:
    'Creates a rule, which evaluates messages that arrive from now on. The response names rules that can never match and rules that answer the same messages. If the rule is on, the key needs the scopes for its actions: messages:write for a reply, contacts:write for attributes and consent, conversations:write for changes to the conversation, webhooks:write for a call.',
  // Its replies leave for customers.
  sends: true,
  body: CreateRuleBody,
  bodyExamples: createExamples,
  answer: { headers: ['ETag'] },
  failures: [
    wrongWhenExample,
    conflictExample('tooManyRules', 'A tenant can have at most 200 chatbot rules. Delete one first.'),
    testsFailedExample,
  ],
  create: ({ rt, db, checks }, requester, request) => {
    const { scopes: granted } = principalOf(request);
    const { position, ...draft } = readDraft(request.body);
    return createRule({ rt, db, checks }, { ...requester, granted, draft, position });
  },
});

const getChatbotRuleRoute = getOperation(chatbotRule, {
  description:
    'Returns a rule, with the rules that it makes unreachable or conflicts with, and the rules that do the same to it.',
  find: ({ db }, tenantId, id) => readRule(db, tenantId, id),
});

const updateChatbotRuleRoute = updateOperation(chatbotRule, {
  summary: 'Update a chatbot rule, or turn it on or off',
  description:
    'Updates the rule. The change applies to messages that are evaluated from now on. A rule is turned on only if its tests pass. If the rule is on, the key needs the scopes for its actions.',
  sends: true,
  body: ChangeRule,
  bodyExamples: {
    off: { summary: 'Disable', value: { enabled: false } },
    on: { summary: 'Enable', value: { enabled: true } },
    wording: {
      summary: 'Change the reply',
      // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
      value: { then: [{ action: 'reply', type: 'text', body: 'Good day!' }], cooldown_s: null },
    },
  },
  failures: [
    wrongWhenExample,
    conflictExample(
      'tooManySteps',
      'The regular expressions of all rules together have 5033 steps, and at most 4000 are allowed.',
    ),
    testsFailedExample,
  ],
  update: ({ rt, db, checks }, { id: ruleId, ...requester }, request) => {
    const { scopes: granted } = principalOf(request);
    return changeRule({ rt, db, checks }, { ...requester, granted, ruleId }, readRuleInput(request.body));
  },
});

const deleteChatbotRuleRoute = deleteOperation(chatbotRule, {
  description: 'Deletes the rule and its pending no_reply timers. Its decisions are kept.',
  remove: ({ rt, db }, { id: ruleId, ...requester }) => deleteRule(rt, db, { ...requester, ruleId }),
});

const orderChatbotRulesRoute = defineOperation({
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
      summary: 'A new order',
      value: { order: ['0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01', '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02'] },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'All rules, in their new order.',
    schema: OrderedRules,
    example: { data: [ruleExample] },
  },
  errorExamples: [
    faultExample('notAll', 'validation_failed', {
      path: 'body.order',
      message: 'order must name each of the 0 rules once.',
    }),
  ],
  handle: (context) => async (request, _reply, once) => {
    const ruleIds = request.body.order.map((id) => id.toLowerCase());
    return once.change(
      (db) => orderRules(context.rt, db, { ...requesterOf(request), ruleIds }),
      (rules) => ({ data: rules.map(ruleJson) }),
    );
  },
});

/** In the order of the documentation. */
export const chatbotRuleOperations: readonly Operation[] = [
  listChatbotRulesRoute,
  createChatbotRuleRoute,
  getChatbotRuleRoute,
  updateChatbotRuleRoute,
  deleteChatbotRuleRoute,
  orderChatbotRulesRoute,
];

/** A rule with what was found about it and the others. */
function presentRule({ rule, findings }: RuleWithFindings): JsonObject {
  const { unreachable, conflicts } = findings;
  return { ...ruleJson(rule), unreachable: unreachable.map(presentFinding), conflicts: conflicts.map(presentFinding) };
}

function presentFinding({ ruleId, byId, reason }: RuleFinding): JsonObject {
  return { rule_id: ruleId, by_id: byId, reason };
}
