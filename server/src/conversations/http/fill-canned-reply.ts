import Type from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { fillCannedReply } from '#conversations/actions/fill-canned-reply';
import type { FilledReply } from '#conversations/domain/fill-reply';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { NO_NUL, named, optional, strictObject, uuid } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { cannedReply } from './canned-replies.ts';

const MAX_VALUE = 1_000;

const FillBody = strictObject('For whom, and with which values.', {
  ...optional({
    contact_id: uuid('The contact whose fields are put in.'),
    conversation_id: uuid('Instead of contact_id: a conversation with the contact.'),
    values: Type.Record(Type.String(), Type.String({ ...NO_NUL, maxLength: MAX_VALUE }), {
      description: 'What the text asks for, by its name, as in asks_for.',
    }),
  }),
});

const FilledView = Type.Object(
  {
    content: Type.Object(
      {
        type: Type.Literal('text', { description: 'text.' }),
        body: Type.String({ description: 'The text. What is missing is left out.' }),
      },
      { description: 'The message, as a reply in a conversation takes it.' },
    ),
    missing: Type.Array(Type.String(), {
      description: 'What has no value and no text to stand in: a field of the contact, or ? and what is asked for.',
    }),
  },
  named('FilledReply', 'A canned reply with its values.'),
);

const fillCannedReplyRoute = defineOperation({
  method: 'POST',
  ...belowItem(cannedReply, 'fill', 'read'),
  operationId: 'fillCannedReply',
  summary: 'Fill a canned reply for a contact',
  description:
    'Returns the message of a canned reply with the values of a contact and those that it asks for. It is not sent. If nothing is missing, it counts as a use.',
  body: FillBody,
  bodyExamples: {
    contact: { summary: 'For a contact', value: { contact_id: contactExampleId, values: { 'order number': 'A-17' } } },
    nobody: { summary: 'Without a contact', value: {} },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The filled reply.',
    schema: FilledView,
    example: { content: { type: 'text', body: 'Hello Ada, your order A-17 leaves today.' }, missing: [] },
  },
  errors: ['not_found'],
  handle: ({ rt }) => {
    return (request, _reply, once) => {
      const { contact_id: contactId, conversation_id: conversationId, values = {} } = request.body;
      if (contactId !== undefined && conversationId !== undefined) {
        throw problemOf([{ path: 'body.conversation_id', message: 'Give contact_id or conversation_id, not both.' }]);
      }
      const asked = {
        tenantId: principalOf(request).tenantId,
        replyId: request.params.id.toLowerCase(),
        contactId: contactId?.toLowerCase() ?? null,
        conversationId: conversationId?.toLowerCase() ?? null,
        values,
        nowMs: rt.clock.now(),
      };
      return once.change((db) => fillCannedReply(db, asked), presentFilled);
    };
  },
});

/** In the order of the documentation. */
export const cannedReplyFillOperations: readonly Operation[] = [fillCannedReplyRoute];

function presentFilled({ text: body, missing }: FilledReply): JsonObject {
  return { content: { type: 'text', body }, missing: [...missing] };
}
