import Type from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { fillCannedReply, type ReadyReply } from '#conversations/actions/fill-canned-reply';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { choiceOf, NO_NUL, named, optional, strictObject, uuid } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { mediaTypes } from '#media/domain/media-content';
import { mediaExampleId } from '#media/http/schemas/media';
import { cannedReply, replyExampleId, viewerOf } from './canned-replies.ts';

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

const FilledMessage = Type.Object(
  {
    type: choiceOf(['text', ...mediaTypes], 'Kind of message.'),
    body: Type.Optional(Type.String({ description: 'Of a text: the text. What is missing is left out.' })),
    media: Type.Optional(
      Type.Object(
        {
          media_id: uuid('The file.'),
          filename: Type.Optional(Type.String({ description: 'Of a document: the filename that the customer sees.' })),
        },
        { description: 'Of a file: which one.' },
      ),
    ),
    canned_reply_id: Type.Optional(uuid('Of the first message: the canned reply, so that the reply counts as a use.')),
  },
  named('FilledReplyMessage', 'A message, as a reply in a conversation takes it.'),
);

const FilledView = Type.Object(
  {
    messages: Type.Array(FilledMessage, { description: 'What to send, in order: the text, then each file.' }),
    missing: Type.Array(Type.String(), {
      description: 'What has no value and no text to stand in: a field of the contact, or ? and what is asked for.',
    }),
    missing_media_ids: Type.Array(uuid('A file.'), { description: 'Files that were deleted. No message sends them.' }),
  },
  named('FilledReply', 'A canned reply with its values.'),
);

const fillCannedReplyRoute = defineOperation({
  method: 'POST',
  ...belowItem(cannedReply, 'fill', 'read'),
  operationId: 'fillCannedReply',
  summary: 'Fill a canned reply for a contact',
  description:
    'Returns the messages of a canned reply with the values of a contact and those that it asks for. They are not sent: pass each to POST /v1/conversations/{id}/messages.',
  body: FillBody,
  bodyExamples: {
    contact: { summary: 'For a contact', value: { contact_id: contactExampleId, values: { 'order number': 'A-17' } } },
    nobody: { summary: 'Without a contact', value: {} },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The filled reply.',
    schema: FilledView,
    example: {
      messages: [
        { type: 'text', body: 'Hello Ada, your order A-17 leaves today.', canned_reply_id: replyExampleId },
        { type: 'document', media: { media_id: mediaExampleId, filename: 'delivery.pdf' } },
      ],
      missing: [],
      missing_media_ids: [],
    },
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { contact_id: contactId, conversation_id: conversationId, values = {} } = request.body;
      if (contactId !== undefined && conversationId !== undefined) {
        throw problemOf([{ path: 'body.conversation_id', message: 'Give contact_id or conversation_id, not both.' }]);
      }
      const asked = {
        tenantId: principalOf(request).tenantId,
        replyId: request.params.id.toLowerCase(),
        viewerId: viewerOf(request),
        contactId: contactId?.toLowerCase() ?? null,
        conversationId: conversationId?.toLowerCase() ?? null,
        values,
        nowMs: rt.clock.now(),
      };
      return presentFilled(await fillCannedReply(db, asked));
    };
  },
});

/** In the order of the documentation. */
export const cannedReplyFillOperations: readonly Operation[] = [fillCannedReplyRoute];

function presentFilled({ replyId, text: body, files, missing, missingMediaIds }: ReadyReply): JsonObject {
  const messages = [{ type: 'text', body }, ...files.map(({ type, media }) => ({ type, media: { ...media } }))];
  return {
    messages: messages.map((message, index) => (index === 0 ? { ...message, canned_reply_id: replyId } : message)),
    missing: [...missing],
    missing_media_ids: [...missingMediaIds],
  };
}
