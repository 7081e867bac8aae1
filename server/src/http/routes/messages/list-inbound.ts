import Type, { type Static } from 'typebox';
import { type InboundFilter, listInbound } from '#storage/message-reads';
import { givenOnly, optionalTimeMs, senderFilter } from '../../lists/filters.ts';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentInbound } from '../../present/message.ts';
import { inboundExample, pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { phoneNumberId, text, time, uuid } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { InboundMessage } from '../../schemas/message.ts';

const Query = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(
      text(128, "Only messages of this sender: a number in any accepted form, or the network's user id."),
    ),
    type: Type.Optional(text(64, 'Only messages of this type, such as text or image.')),
    phone_number_id: Type.Optional(phoneNumberId()),
    conversation_id: Type.Optional(uuid('Only messages of this conversation.')),
    created_after: Type.Optional(time('Only messages received after this time.')),
    created_before: Type.Optional(time('Only messages received before this time.')),
  },
  { additionalProperties: false },
);

export const listInboundMessages = defineOperation({
  method: 'GET',
  path: '/v1/messages/inbound',
  operationId: 'listInboundMessages',
  summary: 'List inbound messages',
  description: 'Messages of customers, newest first.',
  tag: 'Messages',
  scope: 'messages:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of inbound messages.',
    schema: listOf(InboundMessage, 'A page of inbound messages, newest first.'),
    example: pageExample(inboundExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const filter = inboundFilter(request.query);
      const list = { name: 'inbound', tenantId, filter: { ...filter } };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listInbound(db, tenantId, filter, window);
      const idOf = (message: { readonly messageId: string }): string => message.messageId;
      return answerPage(request, reply, { page, window, list, cursorKey, idOf, present: presentInbound });
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
