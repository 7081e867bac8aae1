import Type, { type TSchema } from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { type Begun, beginWithMessage } from '#conversations/actions/begin-with-message';
import { describeConversation } from '#conversations/domain/conversation-events';
import { ApiProblem } from '#core/errors';
import { isJsonList, isJsonObject, type JsonObject } from '#core/json';
import { MAX_RECIPIENT_INPUT } from '#core/phone/recipient';
import { defineOperation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { acceptedExample, sendErrorExamples } from '#http/schemas/examples';
import { named, optional, phoneNumberId, strictObject, text, uuid } from '#http/schemas/fields';
import { bodyValidator } from '#http/validation/ajv';
import { problemOf, validationProblem } from '#http/validation/faults';
import { readSend } from '#messages/http/read-send';
import { AcceptedMessage, type SendMessageBody } from '#messages/http/schemas/send-request';
import { sendErrors } from '#messages/http/send';
import {
  assigneeExampleId,
  ConversationView,
  conversationConflictExample,
  conversationExample,
} from './schemas/conversation.ts';
import { FirstMessage } from './schemas/reply.ts';

function beginOf<M extends TSchema>(message: M) {
  return strictObject('A message to a customer, named by contact_id or by to.', {
    ...optional({
      contact_id: uuid('Contact to write to.'),
      to: text(
        MAX_RECIPIENT_INPUT,
        'Number to write to, in any accepted format, or user ID of the network. It becomes a contact if it is none.',
      ),
      phone_number_id: phoneNumberId(),
    }),
    message,
  });
}

/** What the request must be; its message is checked for itself, by its type. */
const CreateConversation = beginOf(Type.Unsafe<unknown>({}));

const BegunView = Type.Object(
  {
    conversation: ConversationView,
    message: AcceptedMessage,
    is_new: Type.Boolean({
      description: 'false: the customer had an unresolved conversation with this number, which the message joined.',
    }),
  },
  named('BegunConversation', 'The conversation and its message.'),
);

/** POST /v1/conversations: the business writes first. */
export const createConversationRoute = defineOperation({
  method: 'POST',
  path: '/v1/conversations',
  operationId: 'createConversation',
  summary: 'Begin a conversation',
  description:
    'Sends a message to a customer and begins the conversation that it belongs to, assigned to the acting agent. The message is subject to the same rules as one of POST /v1/messages. If the customer has an unresolved conversation with this number, the message joins it, as a reply would.',
  tag: 'Conversations',
  scope: 'conversations:write',
  sends: true,
  body: CreateConversation,
  documentedBody: beginOf(FirstMessage),
  bodyExamples: {
    template: {
      summary: 'A template to a number',
      value: {
        to: '+44 7700 900123',
        message: { type: 'template', template: { name: 'order_ready', language: 'en_US' } },
      },
    },
    contact: {
      summary: 'A text to a contact who has written within 24 hours',
      value: { contact_id: contactExampleId, message: { body: 'One more thing about your order.' } },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The message is stored and queued, and the conversation has begun.',
    schema: BegunView,
    example: {
      conversation: {
        ...conversationExample,
        assignee_id: assigneeExampleId,
        unread_count: 0,
        waiting_since: null,
        version: 1,
        last_message: {
          id: String(acceptedExample.id),
          direction: 'outbound',
          type: 'text',
          preview: 'Your parcel leaves today.',
          at: '2030-01-01T09:00:01.000Z',
        },
      },
      message: acceptedExample,
      is_new: true,
    },
  },
  errors: [...sendErrors, 'not_found'],
  errorExamples: [
    ...sendErrorExamples
      .filter(({ code }) => code !== 'validation_failed' && code !== 'malformed_json')
      .map(({ body, ...example }) => ({ ...example, body: { ...body, ...detailsOf(body) } })),
    conversationConflictExample(
      'anotherWrites',
      'Agent 0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60 is writing in this conversation.',
    ),
  ],
  handle: (context) => {
    const { rt } = context;
    const validate = bodyValidator(FirstMessage);
    return async (request, _reply, once) => {
      const { contact_id: contactId = null, to = null, phone_number_id: phoneNumberId, message } = request.body;
      if ((contactId === null) === (to === null)) {
        throw problemOf([{ path: 'body', message: 'The body must have contact_id or to, not both.' }]);
      }
      if (!validate(message)) throw validationProblem(validate.errors ?? [], 'body.message');
      const send = {
        ...(message as SendMessageBody),
        to: to ?? '',
        ...(phoneNumberId && { phone_number_id: phoneNumberId }),
      };
      const begin = {
        tenantId: principalOf(request).tenantId,
        actor: actorOf(request),
        contactId: contactId?.toLowerCase() ?? null,
        request: readSend(send, request),
      };
      return once.change(
        (db) => beginWithMessage({ ...context, db }, begin).catch(placeInMessage),
        (begun) => presentBegun(begun, rt.clock.now()),
      );
    };
  },
});

/** What is wrong with a message, as an example of the documentation shows it. */
function detailsOf({ details }: JsonObject): JsonObject {
  if (!isJsonList(details)) return {};
  const placed = details.filter(isJsonObject).map((detail) => ({ ...detail, path: placeOf(String(detail.path)) }));
  return { details: placed };
}

/** What is wrong with a message is told by the place in it: here the message is a part of the body. */
function placeInMessage(error: unknown): never {
  if (!(error instanceof ApiProblem) || error.details === undefined) throw error;
  const details = error.details.map(({ path, message }) => ({ path: placeOf(path), message }));
  throw new ApiProblem(error.code, { sentence: error.message, details, headers: error.headers, cause: error });
}

function placeOf(path: string): string {
  return /^body\.(to|phone_number_id)\b/.test(path) ? path : path.replace(/^body\b/, 'body.message');
}

function presentBegun({ conversation, contact, message, isNew }: Begun, nowMs: number): JsonObject {
  const { contactId: id, name, profileName, phone } = contact;
  const shown = { ...describeConversation(conversation, nowMs), contact: { id, name: name ?? profileName, phone } };
  return { conversation: shown, message: { ...message }, is_new: isNew };
}
