import Type, { type Static } from 'typebox';
import { contactResource } from '#contacts/http/contact-resource';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { findContact } from '#contacts/store/contacts';
import { requireFound } from '#core/errors';
import { MAX_RECIPIENT_INPUT } from '#core/phone/recipient';
import { answerList } from '#http/lists/answer-list';
import { givenOnly, periodFilter, recipientFilter, senderFilter } from '#http/lists/filters';
import type { PageQuery } from '#http/lists/page';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem, listOperation } from '#http/resource';
import { inboundExample, outboundExample } from '#http/schemas/examples';
import { choiceOf, named, optional, phoneNumberId, queryOf, text, uuid, withExample } from '#http/schemas/fields';
import { pageQuery, periodQuery } from '#http/schemas/lists';
import { inboundJson } from '#messages/domain/inbound-json';
import { type EitherFilter, listEither, listInbound, listOutbound } from '#messages/store/message-reads';
import { messageResource } from './message-resource.ts';
import { presentMessage, presentOutbound } from './present/message.ts';
import {
  deliveryStates,
  InboundMessageView,
  Message,
  messageStatuses,
  OutboundMessageView,
} from './schemas/message.ts';
import { MAX_CLIENT_REF } from './schemas/send-request.ts';

/** What both directions are narrowed down by. */
const placeQuery = optional({
  phone_number_id: withExample(phoneNumberId(), '106540352242922'),
  conversation_id: withExample(uuid('Only messages in this conversation.'), '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f'),
  contact_id: withExample(
    uuid('Only messages exchanged with this contact, in any conversation or outside of one.'),
    contactExampleId,
  ),
});

/** What only messages of customers are narrowed down by. */
const inboundQuery = optional({
  from: withExample(
    text(
      MAX_RECIPIENT_INPUT,
      "Only messages of this sender: a number in any accepted format, or the network's user ID.",
    ),
    '+44 7700 900123',
  ),
});

/** What only messages of the business are narrowed down by. */
const outboundQuery = optional({
  to: withExample(
    text(
      MAX_RECIPIENT_INPUT,
      "Only messages to this recipient: a number in any accepted format, or the network's user ID.",
    ),
    '+44 7700 900123',
  ),
  status: withExample(
    choiceOf(
      [...messageStatuses, 'delivered', 'read'],
      named('MessageStatusFilter', 'Only messages with this status. delivered excludes messages that were read.'),
    ),
    'sent',
  ),
  delivery_state: withExample(
    choiceOf(deliveryStates, named('DeliveryState', 'Only messages whose delivery is in this state.')),
    'delivered',
  ),
  campaign_name: withExample(text(200, 'Only messages in this campaign.'), 'spring opening'),
  client_ref: withExample(text(MAX_CLIENT_REF, 'Only messages with this reference of yours.'), 'order-42'),
  possible_duplicate: withExample(
    Type.Boolean({ description: 'true: only messages that may have arrived twice; false: only the others.' }),
    true,
  ),
});

const typeQuery = optional({
  type: withExample(text(64, 'Only messages of this type, such as text or image.'), 'text'),
});

const InboundQuery = queryOf({
  ...pageQuery,
  ...inboundQuery,
  ...typeQuery,
  ...placeQuery,
  ...periodQuery('messages received'),
});
const OutboundQuery = queryOf({ ...pageQuery, ...outboundQuery, ...placeQuery, ...periodQuery('messages accepted') });

/** What a list of one direction may ask of a list of both. */
type Asked = Static<typeof InboundQuery> & Static<typeof OutboundQuery>;
type Both = Omit<Asked, keyof typeof pageQuery>;

function placeFilter(query: Both) {
  return {
    phoneNumberId: query.phone_number_id,
    conversationId: query.conversation_id?.toLowerCase(),
    contactId: query.contact_id?.toLowerCase(),
    ...periodFilter(query),
  };
}

function readInbound(query: Both) {
  return givenOnly({ from: senderFilter(query.from), type: query.type, ...placeFilter(query) });
}

function readOutbound(query: Both) {
  return givenOnly({
    to: recipientFilter('to', query.to),
    type: query.type,
    status: query.status,
    deliveryState: query.delivery_state,
    campaignName: query.campaign_name,
    clientRef: query.client_ref,
    possibleDuplicate: query.possible_duplicate,
    ...placeFilter(query),
  });
}

const listInboundMessagesRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/inbound',
  operationId: 'listInboundMessages',
  summary: 'List inbound messages',
  description:
    'Returns what customers wrote to your numbers, newest first. Use filters to select one customer, one number, one type, or a period of time.',
  tag: 'Messages',
  scope: 'messages:read',
  query: InboundQuery,
  answer: pageAnswer('inbound messages', InboundMessageView, inboundExample),
  errors: [],
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const filter = readInbound(request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'inbound',
        filter,
        read: (tenantId, window) => listInbound(db, tenantId, filter, window),
        idOf: ({ messageId }) => messageId,
        present: inboundJson,
      });
    };
  },
});

const listOutboundMessagesRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/outbound',
  operationId: 'listOutboundMessages',
  summary: 'List outbound messages',
  description:
    'Returns the messages that you sent or that are still waiting, newest first, each with its delivery. Use filters to select one recipient, one status, one campaign, or a period of time.',
  tag: 'Messages',
  scope: 'messages:read',
  query: OutboundQuery,
  answer: pageAnswer('outbound messages', OutboundMessageView, outboundExample),
  errors: [],
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const filter = readOutbound(request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'outbound',
        filter,
        read: (tenantId, window) => listOutbound(db, tenantId, filter, window),
        idOf: ({ messageId }) => messageId,
        present: presentOutbound,
      });
    };
  },
});

/** Filters that one direction has alone: with one of them, the other direction is left out. */
const ONLY_INBOUND = Object.keys(inboundQuery) as readonly (keyof typeof inboundQuery)[];
const ONLY_OUTBOUND = Object.keys(outboundQuery) as readonly (keyof typeof outboundQuery)[];

const directionQuery = optional({
  direction: withExample(choiceOf(['inbound', 'outbound'], 'Only messages of this direction.'), 'inbound'),
});
type EitherQuery = Both & Static<ReturnType<typeof queryOf<typeof directionQuery>>>;

function readEither(query: EitherQuery): EitherFilter {
  const { direction } = query;
  const inbound = direction !== 'outbound' && ONLY_OUTBOUND.every((name) => query[name] === undefined);
  const outbound = direction !== 'inbound' && ONLY_INBOUND.every((name) => query[name] === undefined);
  return { inbound: inbound ? readInbound(query) : null, outbound: outbound ? readOutbound(query) : null };
}

/** What a cursor is bound to: everything of the query but the place in the list. */
function filtersOf<Q extends object>(query: Q): Omit<Q, keyof PageQuery> {
  const { limit: _limit, offset: _offset, cursor: _cursor, ...filters } = query as Q & PageQuery;
  return filters;
}

const listMessagesRoute = listOperation(messageResource, {
  description:
    'Returns messages of both directions, newest first. Filters are combined. A filter that only one direction has, such as status or from, leaves out the other.',
  query: {
    ...directionQuery,
    ...inboundQuery,
    ...outboundQuery,
    ...typeQuery,
    ...placeQuery,
    ...periodQuery('messages received or accepted'),
  },
  filter: filtersOf,
  read: ({ db }, { tenantId, window, filter }) => listEither(db, tenantId, readEither(filter), window),
  idOf: ({ messageId }) => messageId,
});

export const listContactMessagesRoute = defineOperation({
  method: 'GET',
  ...belowItem(contactResource, 'messages', 'read'),
  operationId: 'listContactMessages',
  summary: 'List the messages of a contact',
  description:
    'Returns the messages exchanged with a contact in all its conversations, and those sent to it outside of one, newest first.',
  tag: 'Contacts',
  scope: 'messages:read',
  query: queryOf({ ...pageQuery, ...directionQuery, ...typeQuery, ...periodQuery('messages received or accepted') }),
  answer: pageAnswer('messages', Message, outboundExample),
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const query = filtersOf(request.query);
      const { contactId } = requireFound(
        await findContact(db, principalOf(request).tenantId, request.params.id.toLowerCase()),
      );
      return answerList(request, reply, {
        cursorKey,
        name: 'contact_messages',
        filter: { ...query, contactId },
        read: (tenantId, window) => listEither(db, tenantId, readEither({ ...query, contact_id: contactId }), window),
        idOf: ({ messageId }) => messageId,
        present: presentMessage,
      });
    };
  },
});

/** In the order of the documentation. */
export const messageListOperations: readonly Operation[] = [
  listMessagesRoute,
  listInboundMessagesRoute,
  listOutboundMessagesRoute,
];
