import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { inboundExample, messageExamples, outboundExample } from '#http/schemas/examples';
import { MessageIdParams } from '#http/schemas/parameters';
import { presentMessage } from '#messages/http/present/message';
import { Message } from '#messages/http/schemas/message';
import { findMessage } from '#messages/store/message-reads';

export const getMessageRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/:id',
  operationId: 'getMessage',
  summary: 'Get a message and its delivery',
  description: 'Returns an outbound message with its status and delivery, or an inbound one with its content.',
  tag: 'Messages',
  scope: 'messages:read',
  params: MessageIdParams,
  answer: {
    status: 200,
    description: 'The message.',
    schema: Message,
    example: outboundExample,
    examples: { ...messageExamples, inbound: { summary: 'A message of a customer', value: inboundExample } },
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentMessage(
        requireFound(await findMessage(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
      );
    };
  },
});
