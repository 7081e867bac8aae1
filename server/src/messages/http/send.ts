import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { authorOf } from '#core/caller/author';
import { type ApiErrorCode, ApiProblem } from '#core/errors';
import type { MessageId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { acceptedExample, outboundExample, resendErrorExamples, sendErrorExamples } from '#http/schemas/examples';
import { MessageIdParams, NoBody, NoQuery } from '#http/schemas/parameters';
import { type DryRun, dryRun } from '#messages/actions/dry-run';
import { resendMessage } from '#messages/actions/resend-message';
import { awaitSent } from './await-sent.ts';
import { presentOutbound } from './present/message.ts';
import { readSend } from './read-send.ts';
import { DryRunView, dryRunExample } from './schemas/dry-run.ts';
import { OutboundMessageView } from './schemas/message.ts';
import { sendExamples } from './schemas/send-examples.ts';
import { AcceptedMessage, SendMessageBody } from './schemas/send-request.ts';
import { sendMessageBatchRoute } from './send-batch.ts';

/** What storing a message can be refused with, beyond a body that is not valid. */
export const sendErrors = [
  'no_sending_number',
  'unknown_phone_number',
  'unknown_reply_to',
  'unknown_media',
  'media_not_sendable',
  'recipient_blocked',
  'recipient_opted_out',
  'recipient_country_not_allowed',
  'window_closed',
  'template_unknown',
  'template_paused',
  'template_not_sendable',
  'subscription_inactive',
  'fair_use_exceeded',
  'insufficient_balance',
  'conflict',
  'overloaded',
] as const satisfies readonly ApiErrorCode[];

/** `dry_run` is the older way to ask for what POST /v1/messages/dry-run answers; the description shows that one alone. */
const Query = Type.Object({ dry_run: Type.Optional(Type.Boolean()) }, { additionalProperties: false });

/** Names the warnings of a dry run that the send would have had. */
const WARNING_HEADER = 'Postrider-Warning';

/** The answer to what was stored to be sent. */
const acceptedAnswer = {
  status: 202,
  schema: AcceptedMessage,
  example: acceptedExample,
  headers: [WARNING_HEADER],
} as const;

/** POST /v1/messages: the hot path. It costs one schema, one group commit and one small answer. */
const sendMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages',
  operationId: 'sendMessage',
  summary: 'Send a message',
  description:
    "Stores the message durably and returns 202; it is sent as soon as the network's limits allow. Use the same Idempotency-Key to retry a request safely. With `Prefer: wait=5`, the response waits up to 5 seconds for the message to be sent or to fail, and is then 200 with the whole message. What a person sends who is signed in, to a customer with an unresolved conversation, counts as that person's reply in it.",
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  query: Query,
  documentedQuery: NoQuery,
  body: SendMessageBody,
  bodyExamples: sendExamples,
  takesIdempotencyKey: 'within',
  takesPreference: true,
  answer: { ...acceptedAnswer, description: 'The message is stored and queued.' },
  otherAnswers: [
    {
      status: 200,
      description: 'With Prefer: wait, the message that was sent or failed during the wait.',
      schema: OutboundMessageView,
      example: outboundExample,
      headers: ['Preference-Applied', WARNING_HEADER],
    },
  ],
  errors: sendErrors,
  errorExamples: sendErrorExamples,
  handle: (context) => {
    const { acceptor, checks, rt, sendAsAgent } = context;
    return async (request, reply, once) => {
      const { tenantId, session } = principalOf(request);
      const send = readSend(request.body, request);
      if (request.query.dry_run === true) {
        reply.code(200).type('application/json; charset=utf-8').serializer(JSON.stringify);
        return presentDryRun(await dryRun(checks, tenantId, send), rt.config.walletCurrency);
      }
      const { claim } = once;
      const { agent } = request;
      const isPerson = session !== null && agent !== null;
      const outcome = isPerson
        ? await sendAsAgent({ tenantId, agentId: agent.agentId, request: send, claim })
        : await acceptor.accept(tenantId, send, claim);
      if (outcome.kind === 'replayed') once.replay(outcome.statusCode, outcome.response);
      else warn(reply, outcome.warnings);
      if (request.headers.prefer === undefined) return outcome.response;
      const sent = await awaitSent(context, request, outcome.response.id as MessageId);
      if (sent === null) return outcome.response;
      reply.code(200).header('preference-applied', `wait=${sent.waitS}`);
      return presentOutbound(sent.message);
    };
  },
});

/** What may keep the message from being delivered, beside the answer, whose body is the same for all. */
function warn(reply: FastifyReply, warnings: readonly string[]): void {
  if (warnings.length > 0) reply.header(WARNING_HEADER, warnings.join(', '));
}

/** POST /v1/messages/dry-run: what sending would come to. */
const dryRunMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/dry-run',
  operationId: 'dryRunMessage',
  summary: 'Check a message without sending it',
  description:
    'Takes the body of POST /v1/messages, runs every check of a send and stores nothing. Says whether the message would be accepted, what may prevent delivery, what it would cost and when it could be sent.',
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  body: SendMessageBody,
  bodyExamples: sendExamples,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The result of the check.',
    schema: DryRunView,
    example: dryRunExample,
  },
  errors: [],
  handle: ({ checks, rt }) => {
    return async (request) => {
      const found = await dryRun(checks, principalOf(request).tenantId, readSend(request.body, request));
      return presentDryRun(found, rt.config.walletCurrency);
    };
  },
});

/** What a dry run found. @param currency of the price list */
function presentDryRun({ blockers, warnings, category, costMicros, etaS }: DryRun, currency: string): JsonObject {
  return {
    would_send: blockers.length === 0,
    blockers: blockers.map(({ code, message }) => ({ code, message })),
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    category,
    estimated_cost: costMicros === null ? null : { amount_micros: costMicros, currency },
    eta_s: etaS,
  };
}

/** In the order of the documentation, where the resend comes later. */
export const sendOperations: readonly Operation[] = [sendMessageRoute, dryRunMessageRoute, sendMessageBatchRoute];

export const resendMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/:id/resend',
  operationId: 'resendMessage',
  summary: 'Resend a failed message',
  description:
    'Creates a new message with the same content and validity period. Its resend_of contains the ID of the failed message, which does not change. For any other message, the response is 409.',
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  params: MessageIdParams,
  body: NoBody,
  takesIdempotencyKey: 'within',
  answer: { ...acceptedAnswer, description: 'The new message is stored and queued.' },
  errors: [...sendErrors, 'not_found'],
  errorExamples: resendErrorExamples,
  handle: ({ db, acceptor }) => {
    return async (request, reply, once) => {
      const { tenantId } = principalOf(request);
      const messageId = request.params.id.toLowerCase();
      const author = authorOf(actorOf(request));
      const outcome = await resendMessage({ db, acceptor }, { tenantId, messageId, author, claim: once.claim });
      switch (outcome.kind) {
        case 'not_found':
          throw new ApiProblem('not_found');
        case 'erased':
          throw new ApiProblem('conflict', { sentence: 'The recipient of this message was erased.' });
        case 'from_phone':
          throw new ApiProblem('conflict', {
            sentence: 'This message was written on the phone of the business; send its content as a new message.',
          });
        case 'not_failed':
          throw new ApiProblem('conflict', {
            sentence: `This message is ${outcome.status}; only a failed message can be sent again.`,
          });
        case 'replayed':
          return once.replay(outcome.statusCode, outcome.response);
        default:
          warn(reply, outcome.warnings);
          return outcome.response;
      }
    };
  },
});
