import Type from 'typebox';
import { presentWaiting } from '#accounts/http/present/waiting';
import { ApiProblem, requireFound } from '#core/errors';
import type { RouteContext } from '#http/deps';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { getOperation } from '#http/resource';
import { cancelErrorExamples, canceledExample, markReadErrorExamples, traceExample } from '#http/schemas/examples';
import { named, uuid } from '#http/schemas/fields';
import { MessageIdParams, NoBody } from '#http/schemas/parameters';
import { cancelMessage } from '#messages/actions/cancel-message';
import { type MarkReadOutcome, markRead } from '#messages/actions/mark-read';
import type { OutboundMessage } from '#messages/domain/message';
import type { MessageWaiting } from '#messages/domain/message-wait';
import { findMessage, traceMessage } from '#messages/store/message-reads';
import { findMessageWaiting } from '#messages/store/message-wait';
import { messageListOperations } from './message-lists.ts';
import { messageResource } from './message-resource.ts';
import { presentMessage, presentTraceEntry } from './present/message.ts';
import { OutboundMessageView, Trace } from './schemas/message.ts';

const getMessageRoute = getOperation(messageResource, {
  summary: 'Get a message and its delivery',
  description:
    'Returns an outbound message with its status and delivery, or an inbound one with its content. `waiting` says why an outbound message waits, and for how long.',
  find: async ({ rt, db }, tenantId, id) => {
    const message = await findMessage(db, tenantId, id);
    if (message === null || 'networkMs' in message) return message;
    return { ...message, waiting: await waitingOf({ rt, db }, message) };
  },
});

/** Asked only of messages that are queued: nothing else can wait. */
function waitingOf(
  { rt, db }: Pick<RouteContext, 'rt' | 'db'>,
  { tenantId, messageId, status }: OutboundMessage,
): Promise<MessageWaiting | null> | null {
  if (status !== 'queued' && status !== 'sending') return null;
  return findMessageWaiting(db, tenantId, messageId, { nowMs: rt.clock.now(), numberRate: rt.config.numberRate });
}

const getMessageTraceRoute = defineOperation({
  method: 'GET',
  path: '/v1/messages/:id/trace',
  operationId: 'getMessageTrace',
  summary: 'Get the trace of a message',
  description:
    'Returns everything that happened to a message, oldest first, with the reason for each wait, and what it waits for now. Use it to find out why a message is late or failed.',
  tag: 'Messages',
  scope: 'messages:read',
  params: MessageIdParams,
  answer: { status: 200, description: 'The steps of the message.', schema: Trace, example: traceExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const id = request.params.id.toLowerCase();
      const moment = { nowMs: rt.clock.now(), waitMs: rt.config.unknownWaitS * 1000 };
      const trace = requireFound(await traceMessage(db, tenantId, id, moment));
      const waiting = await findMessageWaiting(db, tenantId, id, { ...moment, numberRate: rt.config.numberRate });
      return { data: trace.map(presentTraceEntry), waiting: presentWaiting(waiting) };
    };
  },
});

const cancelMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/:id/cancel',
  operationId: 'cancelMessage',
  summary: 'Cancel a queued message',
  description:
    'Cancels a message that is still queued. For a message that is being sent or was sent, the response is 409.',
  tag: 'Messages',
  scope: 'messages:write',
  params: MessageIdParams,
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The message, now failed with the code canceled.',
    schema: OutboundMessageView,
    example: canceledExample,
  },
  errors: ['not_found', 'conflict'],
  errorExamples: cancelErrorExamples,
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const id = request.params.id.toLowerCase();
      const outcome = await cancelMessage(rt, db, tenantId, id);
      if (outcome.kind === 'too_late') {
        throw new ApiProblem('conflict', {
          sentence: `This message is already ${outcome.status}; only a queued message can be canceled.`,
        });
      }
      return presentMessage(requireFound(outcome.kind === 'canceled' ? await findMessage(db, tenantId, id) : null));
    };
  },
});

/** In the order of the documentation, where the receipt comes later. */
export const messageOperations: readonly Operation[] = [
  getMessageRoute,
  ...messageListOperations,
  getMessageTraceRoute,
  cancelMessageRoute,
];

export const markMessageReadRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/:id/read',
  operationId: 'markMessageRead',
  summary: 'Mark an inbound message as read',
  description:
    'Marks an inbound message as read at the network. The customer sees this message and all earlier ones as read. The network accepts this for 30 days.',
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  params: MessageIdParams,
  body: Type.Unsafe<null | { readonly typing?: boolean }>({
    type: ['object', 'null'],
    properties: {
      typing: {
        type: 'boolean',
        description: 'Also shows a typing indicator, until a reply arrives or for 25 seconds.',
      },
    },
    additionalProperties: false,
    description: 'Empty, or further settings.',
  }),
  bodyIsOptional: true,
  bodyExamples: { typing: { summary: 'Mark as read and show the typing indicator', value: { typing: true } } },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The network has marked the message as read.',
    schema: Type.Object(
      {
        id: uuid(named('MessageId', 'ID of the message.')),
        read: Type.Boolean({ description: 'Always true.' }),
        typing: Type.Boolean({ description: 'Whether the customer sees a typing indicator.' }),
      },
      { description: 'The network has marked the message as read.' },
    ),
    example: { id: '0190a6f3-1111-7222-8333-444455556666', read: true, typing: false },
  },
  errors: ['not_found', 'conflict', 'refused_by_network', 'network_unreachable'],
  errorExamples: markReadErrorExamples,
  handle: (context) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const receipt = { tenantId, messageId: request.params.id.toLowerCase(), typing: request.body?.typing === true };
      const outcome = await markRead(context, receipt);
      if (outcome.kind !== 'done') throw readRefusal(outcome);
      return { id: receipt.messageId, read: true, typing: receipt.typing };
    };
  },
});

function readRefusal(outcome: Exclude<MarkReadOutcome, { kind: 'done' }>): ApiProblem {
  switch (outcome.kind) {
    case 'not_found':
      return new ApiProblem('not_found');
    case 'outbound':
      return new ApiProblem('conflict', { sentence: 'Only inbound messages can be marked as read.' });
    case 'refused':
      return new ApiProblem('refused_by_network', { sentence: `The network rejected this: ${outcome.sentence}` });
    case 'unreachable':
      return new ApiProblem('network_unreachable');
  }
}
