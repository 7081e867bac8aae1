import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';
import { deleteRule } from '#rules/actions/manage-rules';
import { RuleIdParams, ruleExample, staleRuleExample } from '#rules/http/schemas/chatbot-rule';

export const deleteChatbotRuleRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/chatbot-rules/:id',
  operationId: 'deleteChatbotRule',
  summary: 'Delete a chatbot rule',
  description: 'Deletes the rule and the silences that it is waiting for. Its decisions stay.',
  tag: 'Rules',
  scope: 'rules:write',
  params: RuleIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The rule was deleted.', ruleExample.id),
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleRuleExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const ruleId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), ruleId, versions: matchingVersions(request) };
      const { ruleId: id } = await deleteRule(rt, db, asked);
      return { id, status: 'deleted' };
    };
  },
});
