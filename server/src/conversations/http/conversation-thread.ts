import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { replyInConversation } from '#conversations/actions/reply-in-conversation';
import { writeNote } from '#conversations/actions/write-note';
import { describeNote } from '#conversations/domain/conversation-events';
import { findBehindNewer, listHistory, listThread, type ThreadEntry } from '#conversations/store/conversation-thread';
import type { ConversationEvent } from '#conversations/store/conversations';
import type { AgentId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { withEvents } from '#events/actions/with-events';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { acceptedExample, inboundExample, outboundExample, sendErrorExamples } from '#http/schemas/examples';
import { named, optional, queryOf, time, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { presentMessage } from '#messages/http/present/message';
import { readSend } from '#messages/http/read-send';
import { InboundMessageView, OutboundMessageView } from '#messages/http/schemas/message';
import { AcceptedMessage } from '#messages/http/schemas/send-request';
import { sendErrors } from '#messages/http/send';
import { conversationResource } from './conversations.ts';
import { requireConversation } from './present/conversation.ts';
import {
  assigneeExampleId,
  changesField,
  conversationConflictExample,
  NoteView,
  noteExample,
} from './schemas/conversation.ts';
import { isNote, ReplyBody, type ReplyMessageBody, replyExamples, type WriteNoteBody } from './schemas/reply.ts';

const ThreadItem = Type.Unsafe({
  oneOf: [OutboundMessageView, InboundMessageView, NoteView],
  ...named('ThreadItem', 'An inbound or outbound message, as direction says, or a note, whose type is note.'),
});
const threadExamples = [outboundExample, noteExample, inboundExample];

const ThreadQuery = queryOf({
  ...pageQuery,
  ...optional({
    after: withExample(uuid('Only items after this message or note.'), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'),
    around: withExample(
      uuid('A page with this message or note in its middle. Cannot be combined with after, offset or cursor.'),
      '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
    ),
  }),
});
type ThreadQuery = Static<typeof ThreadQuery>;

/** The place that the page is to be around; null: it begins with the newest. @throws ApiProblem validation_failed */
function placeOf({ around, after, offset, cursor }: ThreadQuery): string | null {
  if (around === undefined) return null;
  if (after === undefined && offset === undefined && cursor === undefined) return around.toLowerCase();
  const message = 'around excludes after, offset and cursor: send it alone, then the cursor of the page.';
  throw problemOf([{ path: 'query.around', message }]);
}

const listConversationMessagesRoute = defineOperation({
  method: 'GET',
  ...belowItem(conversationResource, 'messages', 'read'),
  operationId: 'listConversationMessages',
  summary: 'List the messages of a conversation',
  description:
    'Returns what the customer wrote, what was sent, and the private notes in between, newest first. Use cursor to get older items, after to get newer ones, and around to open the conversation at a message.',
  query: ThreadQuery,
  answer: {
    ...pageAnswer('messages and notes', ThreadItem, noteExample),
    example: { data: threadExamples, page: { limit: 50, offset: 0, has_more: false, next_cursor: null } },
  },
  errors: ['not_found'],
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { conversationId } = await requireConversation(db, principalOf(request).tenantId, request.params.id);
      const afterId = request.query.after?.toLowerCase() ?? null;
      const placeId = placeOf(request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'thread',
        filter: { conversationId, after: afterId ?? undefined },
        read: async (tenantId, window) => {
          const of = { tenantId, conversationId, afterId };
          if (placeId === null) return listThread(db, { ...of, window });
          const beforeId = await findBehindNewer(db, of, placeId, Math.floor((window.limit - 1) / 2));
          return listThread(db, { ...of, window: { ...window, beforeId } });
        },
        idOf: ({ id }) => id,
        present: presentThreadEntry,
      });
    };
  },
});

const replyInConversationRoute = defineOperation({
  method: 'POST',
  ...belowItem(conversationResource, 'messages', 'write'),
  operationId: 'replyInConversation',
  summary: 'Reply in a conversation, or add a note',
  description:
    "Sends a reply to the customer. Accepts every message of POST /v1/messages, without its recipient. The message is sent from the conversation's number, in the same way, and ends the customer's wait. While another agent holds the lease, the reply is refused unless force is sent; with if_last_message_id, it is also refused if a message or a reply has been added since. Outside the 24-hour window, only a template is accepted. With type note, a note is created that only agents see.",
  sends: true,
  body: ReplyBody,
  bodyExamples: replyExamples,
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The message is stored and queued.',
    schema: AcceptedMessage,
    example: acceptedExample,
  },
  otherAnswers: [{ status: 201, description: 'The note.', schema: NoteView, example: noteExample }],
  errors: [...sendErrors, 'not_found'],
  errorExamples: [
    ...sendErrorExamples.filter(({ code }) => code !== 'validation_failed' && code !== 'malformed_json'),
    conversationConflictExample(
      'anotherWrites',
      'Agent 0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60 is writing in this conversation. Send force to reply anyway.',
    ),
  ],
  handle: (context) => async (request, reply, once) => {
    const { body } = request;
    const { tenantId } = principalOf(request);
    const target = { tenantId, conversationId: request.params.id.toLowerCase(), actor: actorOf(request) };
    if (isNote(body)) {
      const { rt } = context;
      const note = { ...target, ...readNote(body) };
      reply.code(201);
      return once.change((db) => withEvents(rt, db, (tx, events) => writeNote(rt, tx, events, note)), describeNote);
    }
    const answer = { ...target, ...readReply(body, request), claim: once.claim };
    const outcome = await replyInConversation(context, answer);
    return outcome.kind === 'replayed' ? once.replay(outcome.statusCode, outcome.response) : { ...outcome.response };
  },
});

export const ConversationChangeView = Type.Object(
  { id: uuid('ID of the entry.'), at: time(named('CreatedAt', 'When it was created.')), ...changesField },
  named('ConversationChange', 'A change to a conversation.'),
);
const historyExample: JsonObject = {
  id: '0190a6f5-1111-7222-8333-444455556666',
  at: '2030-01-01T09:05:00.000Z',
  changes: { assignee_id: [null, assigneeExampleId] },
  actor: { kind: 'agent', id: assigneeExampleId },
  cause: 'api',
};

const listConversationEventsRoute = defineOperation({
  method: 'GET',
  ...belowItem(conversationResource, 'events', 'read'),
  operationId: 'listConversationEvents',
  summary: 'List the history of a conversation',
  description:
    'Returns every change to the conversation, with who made it and why, newest first. The history is never altered.',
  query: queryOf(pageQuery),
  answer: pageAnswer('changes', ConversationChangeView, historyExample),
  errors: ['not_found'],
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { conversationId } = await requireConversation(db, principalOf(request).tenantId, request.params.id);
      return answerList(request, reply, {
        cursorKey,
        name: 'conversation_events',
        filter: { conversationId },
        read: (tenantId, window) => listHistory(db, tenantId, conversationId, window),
        idOf: ({ eventId }) => eventId,
        present: conversationChangeJson,
      });
    };
  },
});

/** In the order of the documentation. */
export const conversationThreadOperations: readonly Operation[] = [
  listConversationMessagesRoute,
  replyInConversationRoute,
  listConversationEventsRoute,
];

function readReply(body: Omit<ReplyMessageBody, 'to'>, asked: Pick<FastifyRequest, 'agent' | 'principal' | 'step'>) {
  const ifLastMessageId = body.if_last_message_id?.toLowerCase() ?? null;
  const request = readSend({ ...body, to: '' } as ReplyMessageBody, asked);
  const cannedReplyId = body.canned_reply_id?.toLowerCase() ?? null;
  return { request, force: body.force === true, ifLastMessageId, cannedReplyId };
}

function readNote({ body, mentions = [] }: WriteNoteBody) {
  return { body, mentions: mentions.map((mention) => mention.toLowerCase() as AgentId) };
}

function presentThreadEntry(entry: ThreadEntry): JsonObject {
  return entry.kind === 'note' ? describeNote(entry.note) : presentMessage(entry.message);
}

/** A change to a conversation as the API shows it. */
export function conversationChangeJson(event: ConversationEvent): JsonObject {
  return {
    id: event.eventId,
    at: formatRfc3339(event.atMs),
    changes: event.changes,
    actor: { kind: event.actor.kind, id: event.actor.id },
    cause: event.cause,
  };
}
