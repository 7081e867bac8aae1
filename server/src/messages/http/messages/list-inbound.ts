import Type, { type Static } from 'typebox';
import { answerList } from '#http/lists/answer-list';
import { givenOnly, optionalTimeMs, senderFilter } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { inboundExample, queryErrorExamples } from '#http/schemas/examples';
import { phoneNumberId, text, time, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { inboundJson } from '#messages/domain/inbound-json';
import { InboundMessageView } from '#messages/http/schemas/message';
import { type InboundFilter, listInbound } from '#messages/store/message-reads';

const Query = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(
      withExample(
        text(128, "Only messages of this sender: a number in any accepted form, or the network's user id."),
        '+44 7700 900123',
      ),
    ),
    type: Type.Optional(withExample(text(64, 'Only messages of this type, such as text or image.'), 'text')),
    phone_number_id: Type.Optional(withExample(phoneNumberId(), '106540352242922')),
    conversation_id: Type.Optional(
      withExample(uuid('Only messages of this conversation.'), '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f'),
    ),
    created_after: Type.Optional(withExample(time('Only messages received after this time.'), '2030-01-01T00:00:00Z')),
    created_before: Type.Optional(
      withExample(time('Only messages received before this time.'), '2030-02-01T00:00:00Z'),
    ),
  },
  { additionalProperties: false },
);

export const listInboundMessagesRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/inbound',
  operationId: 'listInboundMessages',
  summary: 'List inbound messages',
  description:
    'Returns what customers wrote to your numbers, newest first. Use filters to select one customer, one number, one type, or a period of time.',
  tag: 'Messages',
  scope: 'messages:read',
  query: Query,
  answer: pageAnswer('inbound messages', InboundMessageView, inboundExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const filter = inboundFilter(request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'inbound',
        filter: { ...filter },
        read: (tenantId, window) => listInbound(db, tenantId, filter, window),
        idOf: (message) => message.messageId,
        present: inboundJson,
      });
    };
  },
});

function inboundFilter(query: Static<typeof Query>): InboundFilter {
  return givenOnly({
    from: senderFilter(query.from),
    type: query.type,
    phoneNumberId: query.phone_number_id,
    conversationId: query.conversation_id?.toLowerCase(),
    createdAfterMs: optionalTimeMs(query.created_after),
    createdBeforeMs: optionalTimeMs(query.created_before),
  });
}
