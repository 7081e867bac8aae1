import { defineOperation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { changeRule } from '#rules/actions/manage-rules';
import { presentRule } from '#rules/http/present/chatbot-rule';
import {
  ChangeRule,
  RuleIdParams,
  RuleView,
  ruleExample,
  staleRuleExample,
  testsFailedExample,
  tooManyStepsExample,
  wrongWhenExample,
} from '#rules/http/schemas/chatbot-rule';
import { makeActionReader, readRequest } from './read-rule.ts';

export const updateChatbotRuleRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/chatbot-rules/:id',
  operationId: 'updateChatbotRule',
  summary: 'Update a chatbot rule, or turn it on or off',
  description:
    'Updates the rule. The change applies to messages that are evaluated from now on. A rule is turned on only if its tests pass. If the rule is on, the key needs the scopes for its actions.',
  tag: 'Rules',
  scope: 'rules:write',
  sends: true,
  params: RuleIdParams,
  body: ChangeRule,
  bodyExamples: {
    off: { summary: 'Switch it off', value: { enabled: false } },
    on: { summary: 'Switch it on', value: { enabled: true } },
    wording: {
      summary: 'Another answer',
      // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
      value: { then: [{ action: 'reply', type: 'text', body: 'Good day!' }], cooldown_s: null },
    },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated rule.',
    schema: RuleView,
    example: ruleExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed', 'conflict', 'rule_tests_failed'],
  errorExamples: [wrongWhenExample, staleRuleExample, tooManyStepsExample, testsFailedExample],
  handle: ({ rt, db, checks }) => {
    const reader = makeActionReader();
    return async (request) => {
      const { scopes: granted } = principalOf(request);
      const ruleId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), granted, ruleId, versions: matchingVersions(request) };
      const changed = await changeRule({ rt, db, checks }, asked, readRequest(reader, request.body));
      return presentRule(changed);
    };
  },
});
