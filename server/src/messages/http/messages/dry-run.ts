import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { dryRun } from '#messages/actions/dry-run';
import { presentDryRun } from '#messages/http/present/dry-run';
import { DryRunView, dryRunExample } from '#messages/http/schemas/dry-run';
import { sendExamples } from '#messages/http/schemas/send-examples';
import { SendMessageBody } from '#messages/http/schemas/send-request';
import { readSend } from './read-send.ts';

/** POST /v1/messages/dry-run: what sending would come to. */
export const dryRunMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/dry-run',
  operationId: 'dryRunMessage',
  summary: 'Check a message without sending it',
  description:
    'Takes the body of POST /v1/messages, runs every check of a send and stores nothing. Says whether the message would be accepted, what may keep it from arriving, what it would cost and when it could leave.',
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  body: SendMessageBody,
  bodyExamples: sendExamples,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'What sending the message would come to.',
    schema: DryRunView,
    example: dryRunExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  handle: (context) => {
    const { checks, rt } = context;
    return async (request) => {
      const principal = principalOf(request);
      const found = await dryRun(checks, principal.tenantId, readSend(request.body, principal));
      return presentDryRun(found, rt.config.walletCurrency);
    };
  },
});
