import { ApiProblem } from '#core/errors';
import { traceMessage } from '#storage/message-reads';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentTraceEntry } from '../../present/message.ts';
import { traceExample } from '../../schemas/examples.ts';
import { Trace } from '../../schemas/message.ts';
import { MessageIdParams } from '../../schemas/parameters.ts';

export const getMessageTrace = defineOperation({
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
      const entries = await traceMessage(db, principalOf(request).tenantId, request.params.id.toLowerCase(), moment);
      if (entries === null) throw new ApiProblem('not_found');
      return { data: entries.map(presentTraceEntry) };
    };
  },
});
