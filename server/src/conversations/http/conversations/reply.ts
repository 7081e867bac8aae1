import type { FastifyRequest } from 'fastify';
import { replyInConversation } from '#conversations/actions/reply-in-conversation';
import { writeNote } from '#conversations/actions/write-note';
import { describeNote } from '#conversations/domain/conversation-events';
import {
  ConversationParams,
  conversationConflictExample,
  NoteView,
  noteExample,
} from '#conversations/http/schemas/conversation';
import {
  isNote,
  ReplyBody,
  type ReplyMessageBody,
  replyExamples,
  type WriteNoteBody,
} from '#conversations/http/schemas/reply';
import type { AgentId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { withEvents } from '#events/actions/with-events';
import type { HttpDeps } from '#http/deps';
import type { Once } from '#http/once';
import { defineOperation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { acceptedExample, sendErrorExamples } from '#http/schemas/examples';
import { readSend } from '#messages/http/messages/read-send';
import { sendErrors } from '#messages/http/messages/send';
import { AcceptedMessage } from '#messages/http/schemas/send-request';

export const replyInConversationRoute = defineOperation({
  method: 'POST',
  path: '/v1/conversations/:id/messages',
  operationId: 'replyInConversation',
  summary: 'Reply in a conversation, or add a note',
  description:
    "Sends a reply to the customer. Accepts every message of POST /v1/messages, without its recipient. The message is sent from the conversation's number, in the same way, and ends the customer's wait. While another agent holds the lease, the reply is refused unless force is sent; with if_last_message_id, it is also refused if a message or a reply has been added since. Outside the 24-hour window, only a template is accepted. With type note, a note is created that only agents see.",
  tag: 'Conversations',
  scope: 'conversations:write',
  sends: true,
  params: ConversationParams,
  body: ReplyBody,
  bodyExamples: replyExamples,
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The message is stored and queued.',
    schema: AcceptedMessage,
    example: acceptedExample,
    headers: ['Idempotent-Replayed'],
  },
  otherAnswers: [
    { status: 201, description: 'The note.', schema: NoteView, example: noteExample, headers: ['Idempotent-Replayed'] },
  ],
  errors: [...sendErrors, 'not_found', 'conversation_conflict'],
  errorExamples: [
    ...sendErrorExamples.filter(({ code }) => code !== 'validation_failed' && code !== 'malformed_json'),
    conversationConflictExample(
      'anotherWrites',
      'Agent 0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60 is writing in this conversation. Send force to answer all the same.',
    ),
  ],
  handle: (context) => {
    return (request, reply, once) => {
      const { body, params } = request;
      if (!isNote(body)) return answer(context, { request, once }, params.id, { ...body, to: '' } as ReplyMessageBody);
      reply.code(201);
      return note(context, { request, once }, params.id, body);
    };
  },
});

interface Asked {
  readonly request: FastifyRequest;
  readonly once: Once;
}

async function answer(
  context: HttpDeps,
  { request, once }: Asked,
  id: string,
  body: ReplyMessageBody,
): Promise<JsonObject> {
  const principal = principalOf(request);
  const { tenantId } = principal;
  const outcome = await replyInConversation(context, {
    tenantId,
    conversationId: id.toLowerCase(),
    actor: actorOf(request),
    request: readSend(body, principal),
    force: body.force === true,
    ifLastMessageId: body.if_last_message_id?.toLowerCase() ?? null,
    claim: once.claim,
  });
  return outcome.kind === 'replayed' ? once.replay(outcome.statusCode, outcome.response) : { ...outcome.response };
}

async function note({ rt }: HttpDeps, { request, once }: Asked, id: string, body: WriteNoteBody): Promise<JsonObject> {
  const { tenantId } = principalOf(request);
  const mentions = (body.mentions ?? []).map((mention) => mention.toLowerCase() as AgentId);
  const wish = { tenantId, conversationId: id.toLowerCase(), actor: actorOf(request), body: body.body, mentions };
  return once.change((db) => withEvents(rt, db, (tx, events) => writeNote(rt, tx, events, wish)), describeNote);
}
