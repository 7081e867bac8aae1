import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from '#compat/domain/network-error';
import { dropNulls } from '#compat/domain/send-body';
import { ApiProblem } from '#core/errors';
import type { MessageId, PhoneNumberId } from '#core/ids';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import type { SendEdge } from '#core/network/marketing-messages';
import { identityKind } from '#core/phone/recipient';
import type { RouteContext } from '#http/deps';
import type { Once } from '#http/once';
import type { Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { parseStorableJson } from '#http/plugins/json-body';
import { inOutsideSlot } from '#http/slots/outside-slot';
import { problemOf } from '#http/validation/faults';
import { type MarkReadOutcome, markRead } from '#messages/actions/mark-read';
import { surrogateId } from '#messages/domain/network-message-id';
import { awaitSent, type SentMessage } from '#messages/http/await-sent';
import { sendErrors } from '#messages/http/send';
import { findMessageId } from '#messages/store/named-messages';
import { AnyBody, networkRoutes } from './network-operation.ts';
import { ownNumber } from './own-number.ts';
import { inNetworkWords, readNetworkSend } from './read-network-send.ts';

/** What both ways to send have in common. */
const sending = {
  method: 'POST',
  scope: 'messages:write',
  sends: true,
  body: AnyBody,
  takesIdempotencyKey: 'within',
  takesPreference: true,
  errors: [...sendErrors, 'not_found'],
} as const;

/** POST /{phone_number_id}/messages: sends a message, or marks one of a customer as read. */
export const networkMessageRoutes: readonly Operation[] = networkRoutes({
  path: '/:id(^\\d+$)/messages',
  operationId: 'networkSendMessage',
  ...sending,
  handle: (context) => {
    return async (request, reply, once) => {
      const phoneNumberId = await ownNumber(context, request);
      const given = readMembers(request.body as JsonObject);
      if (given.status !== undefined) {
        const read = () => readReceipt(context, request, { given, phoneNumberId });
        return once.run(async () => (await inOutsideSlot(context, asksNetwork, read)(request, reply)) as JsonObject);
      }
      return send(context, { request, reply, once, given, phoneNumberId, edge: 'messages' });
    };
  },
});

/** POST /{phone_number_id}/marketing_messages: sends a template over the network's Marketing Messages API. */
export const networkMarketingRoutes: readonly Operation[] = networkRoutes({
  path: '/:id(^\\d+$)/marketing_messages',
  operationId: 'networkSendMarketingMessage',
  ...sending,
  handle: (context) => async (request, reply, once) => {
    const phoneNumberId = await ownNumber(context, request);
    const given = readMembers(request.body as JsonObject);
    return send(context, { request, reply, once, given, phoneNumberId, edge: 'marketing_messages' });
  },
});

/** A receipt waits for the network; a send does not. */
const asksNetwork: Pick<Operation, 'errors'> = { errors: ['network_unreachable'] };

const JSON_START = /^\s*[[{]/;

/** Members of a body as values: some clients write objects as JSON text, and null for what they leave out. */
function readMembers(body: JsonObject): JsonObject {
  const values = Object.entries(body).map(([name, value]) => {
    const isText = typeof value === 'string' && JSON_START.test(value) && name !== 'biz_opaque_callback_data';
    return [name, isText ? parseStorableJson(value, `body.${name}`) : value];
  });
  return dropNulls(Object.fromEntries(values) as JsonObject) as JsonObject;
}

interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly once: Once;
  readonly given: JsonObject;
  readonly phoneNumberId: PhoneNumberId;
  readonly edge: SendEdge;
}

/** Stores the message; its id is answered at once, or the network's after a wait. */
async function send(
  context: RouteContext,
  { request, reply, once, given, phoneNumberId, edge }: Sending,
): Promise<JsonObject> {
  const { send, input } = await readNetworkSend(context.db, request, { given, phoneNumberId, edge });
  const { tenantId } = principalOf(request);
  const outcome = await context.acceptor.accept(tenantId, send, once.claim).catch((error: unknown) => {
    throw error instanceof ApiProblem ? inNetworkWords(error, send.content.type) : error;
  });
  if (outcome.kind === 'replayed') once.replay(200, outcome.response);
  const { id, to } = outcome.response as { readonly id: MessageId; readonly to: string };
  const sent = await awaitSent(context, request, id);
  if (sent) reply.header('preference-applied', `wait=${sent.waitS}`);
  if (sent?.message.status === 'failed') return presentFailure(reply, request, sent);
  return presentAccepted({ input, to, id: sent?.message.delivery.networkMessageId ?? surrogateId(id) });
}

function presentAccepted({ input, to, id }: { readonly input: string; readonly to: string; readonly id: string }) {
  return {
    messaging_product: 'whatsapp',
    contacts: [identityKind(to) === 'user_id' ? { input, user_id: to } : { input, wa_id: to }],
    messages: [{ id, message_status: 'accepted' }],
  };
}

const GENERAL_CODE = 131000;

/** The message failed while the client waited: as if the network had refused it at once. */
function presentFailure(reply: FastifyReply, { id: traceId }: FastifyRequest, { message }: SentMessage): JsonObject {
  const { error } = message.delivery;
  reply.code(400);
  return errorBody({
    code: error?.networkCode ?? GENERAL_CODE,
    details: error?.message ?? 'The message failed.',
    traceId,
  });
}

/** `{"status": "read", "message_id": …}`, maybe with a typing indicator. */
async function readReceipt(
  context: RouteContext,
  request: FastifyRequest,
  { given, phoneNumberId }: Pick<Sending, 'given' | 'phoneNumberId'>,
): Promise<JsonObject> {
  const { status, message_id, typing_indicator } = given;
  if (given.messaging_product !== 'whatsapp') throw fault('messaging_product', 'is required and must be "whatsapp".');
  if (status !== 'read') throw fault('status', 'must be "read".');
  if (typeof message_id !== 'string') throw fault('message_id', 'is required.');
  const { tenantId } = principalOf(request);
  const messageId = (await findMessageId(context.db, tenantId, message_id)) ?? '';
  const typing = isTypingText(typing_indicator);
  const outcome = await markRead(context, { tenantId, messageId, typing, phoneNumberId });
  if (outcome.kind !== 'done') throw readRefusal(outcome);
  return { success: true };
}

/** @throws ApiProblem validation_failed */
function isTypingText(indicator: JsonValue | undefined): boolean {
  if (indicator === undefined) return false;
  if (isJsonObject(indicator) && indicator.type === 'text') return true;
  throw fault('typing_indicator', 'must be {"type": "text"}.');
}

function fault(name: string, message: string): ApiProblem {
  return problemOf([{ path: `body.${name}`, message: `${name} ${message}` }]);
}

function readRefusal(outcome: Exclude<MarkReadOutcome, { kind: 'done' }>): ApiProblem {
  switch (outcome.kind) {
    case 'not_found':
      return new ApiProblem('unknown_reply_to', {
        sentence: 'message_id does not name a message that this number received.',
      });
    case 'outbound':
      return new ApiProblem('unknown_reply_to', { sentence: 'Only messages of customers can be marked as read.' });
    case 'refused':
      return new ApiProblem('refused_by_network', { sentence: `The network rejected this: ${outcome.sentence}` });
    case 'unreachable':
      return new ApiProblem('network_unreachable');
  }
}
