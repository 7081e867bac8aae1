import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { ApiErrorCode } from '#core/errors';
import type { MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { RouteContext } from '#http/deps';
import { defineOperation } from '#http/operation';
import { principalOf, requireStillAllowed } from '#http/plugins/auth';
import { waitPreference } from '#http/plugins/prefer';
import { acceptedExample, outboundExample, sendErrorExamples } from '#http/schemas/examples';
import { NoQuery } from '#http/schemas/parameters';
import { inSlot } from '#http/slots/wait-slot';
import { dryRun } from '#messages/actions/dry-run';
import { awaitOutcome } from '#messages/actions/outcome-waiters';
import { presentDryRun } from '#messages/http/present/dry-run';
import { presentOutbound } from '#messages/http/present/message';
import { OutboundMessageView } from '#messages/http/schemas/message';
import { sendExamples } from '#messages/http/schemas/send-examples';
import { AcceptedMessage, SendMessageBody } from '#messages/http/schemas/send-request';
import { readSend } from './read-send.ts';

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

/** POST /v1/messages: the hot path. It costs one schema, one group commit and one small answer. */
export const sendMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages',
  operationId: 'sendMessage',
  summary: 'Send a message',
  description:
    "Stores the message durably and returns 202; it is sent as soon as the network's limits allow. Use the same Idempotency-Key to retry a request safely. With `Prefer: wait=5`, the response waits up to 5 seconds for the message to be sent or to fail, and is then 200 with the whole message.",
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  query: Query,
  documentedQuery: NoQuery,
  body: SendMessageBody,
  bodyExamples: sendExamples,
  takesIdempotencyKey: 'within',
  takesPreference: true,
  answer: {
    status: 202,
    description: 'The message is stored and queued.',
    schema: AcceptedMessage,
    example: acceptedExample,
    headers: ['Idempotent-Replayed'],
  },
  otherAnswers: [
    {
      status: 200,
      description: 'With Prefer: wait, the message that was sent or failed during the wait.',
      schema: OutboundMessageView,
      example: outboundExample,
      headers: ['Idempotent-Replayed', 'Preference-Applied'],
    },
  ],
  errors: [...sendErrors],
  errorExamples: sendErrorExamples,
  handle: (context) => {
    const { acceptor, checks, rt } = context;
    return async (request, reply, once) => {
      const principal = principalOf(request);
      const { tenantId } = principal;
      const send = readSend(request.body, principal);
      if (request.query.dry_run === true) {
        reply.code(200).type('application/json; charset=utf-8').serializer(JSON.stringify);
        return presentDryRun(await dryRun(checks, tenantId, send), rt.config.walletCurrency);
      }
      const outcome = await acceptor.accept(tenantId, send, once.claim);
      if (outcome.kind === 'replayed') once.replay(outcome.statusCode, outcome.response);
      if (request.headers.prefer === undefined) return outcome.response;
      return waited(context, { request, reply, tenantId, response: { ...outcome.response } });
    };
  },
});

interface Waiting {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly tenantId: TenantId;
  /** What is answered when the wait brings nothing. */
  readonly response: JsonObject;
}

/** "Prefer: wait=5 waits up to 5 s for sent or failed." */
async function waited(
  context: Pick<RouteContext, 'rt' | 'db' | 'watch' | 'waits' | 'gate'>,
  { request, reply, tenantId, response }: Waiting,
): Promise<JsonObject> {
  const waitS = waitPreference(request);
  if (waitS === null) return response;
  const messageId = response.id as MessageId;
  const requireAllowed = () => requireStillAllowed(context.gate, request);
  const wait = () => awaitOutcome(context, { tenantId, messageId, waitMs: waitS * 1000, requireAllowed });
  // The message is stored: neither a look at it that fails nor a wait too many takes anything of that back.
  const message = await inSlot(context, request, wait).catch(() => null);
  if (message === null) return response;
  reply.code(200).header('preference-applied', `wait=${waitS}`);
  return presentOutbound(message);
}
