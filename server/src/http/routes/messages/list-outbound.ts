import Type, { type Static } from 'typebox';
import { listOutbound, type OutboundFilter } from '#storage/message-reads';
import { givenOnly, optionalTimeMs, phoneFilter } from '../../lists/filters.ts';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentOutbound } from '../../present/message.ts';
import { outboundExample, pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { choiceOf, phoneNumberId, text, time, uuid } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { messageStatuses, OutboundMessage } from '../../schemas/message.ts';

const Query = Type.Object(
  {
    ...pageQuery,
    to: Type.Optional(text(64, 'Only messages to this number, written in any accepted form.')),
    status: Type.Optional(choiceOf(messageStatuses, 'Only messages with this status.')),
    campaign_name: Type.Optional(text(200, 'Only messages of this campaign.')),
    phone_number_id: Type.Optional(phoneNumberId()),
    conversation_id: Type.Optional(uuid('Only messages of this conversation.')),
    created_after: Type.Optional(time('Only messages accepted after this time.')),
    created_before: Type.Optional(time('Only messages accepted before this time.')),
  },
  { additionalProperties: false },
);

export const listOutboundMessages = defineOperation({
  method: 'GET',
  path: '/v1/messages/outbound',
  operationId: 'listOutboundMessages',
  summary: 'List outbound messages',
  description: 'Messages of the business, newest first.',
  tag: 'Messages',
  scope: 'messages:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of outbound messages.',
    schema: listOf(OutboundMessage, 'A page of outbound messages, newest first.'),
    example: pageExample(outboundExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const filter = outboundFilter(request.query);
      const list = { name: 'outbound', tenantId, filter: { ...filter } };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listOutbound(db, tenantId, filter, window);
      const idOf = (message: { readonly messageId: string }): string => message.messageId;
      return answerPage(request, reply, { page, window, list, cursorKey, idOf, present: presentOutbound });
    };
  },
});

function outboundFilter(query: Static<typeof Query>): OutboundFilter {
  return givenOnly({
    to: phoneFilter('to', query.to),
    status: query.status,
    campaignName: query.campaign_name,
    phoneNumberId: query.phone_number_id,
    conversationId: query.conversation_id?.toLowerCase(),
    createdAfterMs: optionalTimeMs(query.created_after),
    createdBeforeMs: optionalTimeMs(query.created_before),
  });
}
