import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { traceExample } from '#http/schemas/examples';
import { MessageIdParams } from '#http/schemas/parameters';
import { presentTraceEntry } from '#messages/http/present/message';
import { Trace } from '#messages/http/schemas/message';
import { traceMessage } from '#messages/store/message-reads';

export const getMessageTraceRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/:id/trace',
  operationId: 'getMessageTrace',
  summary: 'Get the trace of a message',
  description:
    'Returns everything that happened to a message, oldest first, with the reason for each wait. Use it to find out why a message is late or failed.',
  tag: 'Messages',
  scope: 'messages:read',
  params: MessageIdParams,
  answer: { status: 200, description: 'The steps of the message.', schema: Trace, example: traceExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const moment = { nowMs: rt.clock.now(), waitMs: rt.config.unknownWaitS * 1000 };
      return {
        data: requireFound(
          await traceMessage(db, principalOf(request).tenantId, request.params.id.toLowerCase(), moment),
        ).map(presentTraceEntry),
      };
    };
  },
});
