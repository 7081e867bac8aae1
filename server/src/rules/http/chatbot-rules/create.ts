import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { tagVersion } from '#http/plugins/if-match';
import { createRule, type RuleWithFindings } from '#rules/actions/manage-rules';
import { presentRule } from '#rules/http/present/chatbot-rule';
import {
  CreateRule,
  createExamples,
  RuleView,
  ruleExample,
  testsFailedExample,
  tooManyRulesExample,
  wrongWhenExample,
} from '#rules/http/schemas/chatbot-rule';
import { makeActionReader, readDraft } from './read-rule.ts';

export const createRuleRoute = defineOperation({
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
  body: CreateRule,
  bodyExamples: createExamples,
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The rule was created.',
    schema: RuleView,
    example: ruleExample,
    headers: ['ETag', 'Idempotent-Replayed'],
  },
  errors: ['conflict', 'rule_tests_failed'],
  errorExamples: [wrongWhenExample, tooManyRulesExample, testsFailedExample],
  handle: ({ rt, db, checks }) => {
    const reader = makeActionReader();
    return async (request, reply) => {
      const { tenantId, scopes: granted } = principalOf(request);
      const draft = readDraft(reader, request.body);
      const position = request.body.position ?? null;
      const keep = (made: RuleWithFindings) => ({ statusCode: 201, body: presentRule(made) });
      const once = await createRule(
        { rt, db, checks },
        { tenantId, origin: originOf(request), granted, draft, position, claim: idempotencyClaim(request), keep },
      );
      if (once.replayed) {
        markReplayed(rt.metrics, reply);
        return reply.code(once.answer.statusCode).send(once.answer.body);
      }
      tagVersion(reply, once.result.rule.version);
      return reply.code(201).send(presentRule(once.result));
    };
  },
});
