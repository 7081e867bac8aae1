import { requireGranted } from '#access/actions/require-granted';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { type BacktestReport, backtestRule } from '#rules/actions/backtest-rule';
import { wrongDraftExample } from '#rules/http/schemas/chatbot-rule';
import { Backtest, BacktestView, backtestExample, backtestExamples } from '#rules/http/schemas/rule-decision';
import { makeActionReader, readDraft } from './read-rule.ts';

const DEFAULT_DAYS = 7;

export const backtestRuleRoute = defineOperation({
  method: 'POST',
  path: '/v1/chatbot-rules/backtest',
  operationId: 'backtestChatbotRule',
  summary: 'Test a chatbot rule on past messages',
  description:
    'Evaluates what customers wrote in the last days (at most 10,000 messages) with the rule in the body among the rules that are on, and returns what it would have matched. Nothing is executed, stored or sent. The key also needs messages:read.',
  tag: 'Rules',
  scope: 'rules:read',
  body: Backtest,
  bodyExamples: backtestExamples,
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'What the rule would have matched.',
    schema: BacktestView,
    example: backtestExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  errorExamples: [wrongDraftExample],
  handle: ({ rt, db }) => {
    const reader = makeActionReader('body.rule');
    return async (request, _reply, once) => {
      const { tenantId, scopes: granted } = principalOf(request);
      requireGranted({ granted }, ['messages:read']);
      const { rule, replaces, days = DEFAULT_DAYS } = request.body;
      const draft = { ...readDraft(reader, rule), position: rule.position ?? null };
      const asked = { tenantId, draft, replaces: replaces?.toLowerCase() ?? null, days };
      return once.run(async () => presentReport(await backtestRule(rt, db, asked)));
    };
  },
});

function presentReport({ samples, ...counts }: BacktestReport) {
  return {
    ...counts,
    samples: samples.map(({ messageId, body, createdMs }) => ({
      message_id: messageId,
      body,
      received_at: new Date(createdMs).toISOString(),
    })),
  };
}
