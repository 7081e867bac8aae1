import Type, { type Static } from 'typebox';
import { answerList } from '#http/lists/answer-list';
import { givenOnly, optionalTimeMs, phoneFilter } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { outboundExample, queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, phoneNumberId, text, time, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { presentOutbound } from '#messages/http/present/message';
import { messageStatuses, OutboundMessageView } from '#messages/http/schemas/message';
import { listOutbound, type OutboundFilter } from '#messages/store/message-reads';

const Query = Type.Object(
  {
    ...pageQuery,
    to: Type.Optional(
      withExample(text(64, 'Only messages to this number, written in any accepted form.'), '+44 7700 900123'),
    ),
    status: Type.Optional(
      withExample(
        choiceOf(
          [...messageStatuses, 'delivered', 'read'],
          named(
            'MessageStatusFilter',
            'Only messages with this status. delivered: sent messages that were delivered and not read yet; read: those that were read.',
          ),
        ),
        'sent',
      ),
    ),
    campaign_name: Type.Optional(withExample(text(200, 'Only messages of this campaign.'), 'spring opening')),
    phone_number_id: Type.Optional(withExample(phoneNumberId(), '106540352242922')),
    conversation_id: Type.Optional(
      withExample(uuid('Only messages of this conversation.'), '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f'),
    ),
    possible_duplicate: Type.Optional(
      withExample(
        Type.Boolean({ description: 'true: only messages that may have arrived twice; false: only the others.' }),
        true,
      ),
    ),
    created_after: Type.Optional(withExample(time('Only messages accepted after this time.'), '2030-01-01T00:00:00Z')),
    created_before: Type.Optional(
      withExample(time('Only messages accepted before this time.'), '2030-02-01T00:00:00Z'),
    ),
  },
  { additionalProperties: false },
);

export const listOutboundMessagesRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/outbound',
  operationId: 'listOutboundMessages',
  summary: 'List outbound messages',
  description:
    'Returns the messages that you sent or that are still waiting, newest first, each with its delivery. Use filters to select one recipient, one status, one campaign, or a period of time.',
  tag: 'Messages',
  scope: 'messages:read',
  query: Query,
  answer: pageAnswer('outbound messages', OutboundMessageView, outboundExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const filter = outboundFilter(request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'outbound',
        filter: { ...filter },
        read: (tenantId, window) => listOutbound(db, tenantId, filter, window),
        idOf: (message) => message.messageId,
        present: presentOutbound,
      });
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
    possibleDuplicate: query.possible_duplicate,
    createdAfterMs: optionalTimeMs(query.created_after),
    createdBeforeMs: optionalTimeMs(query.created_before),
  });
}
