import type { TSchema } from 'typebox';
import { updateConversation } from '#conversations/actions/change-conversation';
import { requireKnownAssignment } from '#conversations/actions/check-assignment';
import type { ConversationChange } from '#conversations/domain/conversation';
import { requireMayAssign } from '#conversations/http/may-assign';
import { presentConversation } from '#conversations/http/present/conversation';
import { ConversationParams, ConversationView, conversationExample } from '#conversations/http/schemas/conversation';
import type { JsonValue } from '#core/json';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { defineOperation, type ErrorExample, type Operation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';

/** One verb on a conversation: what it is called and which change it stands for. */
export interface ChangeVerb<Body> {
  readonly verb: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Absent: it takes no body. */
  readonly body?: TSchema;
  readonly bodyIsOptional?: boolean;
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: JsonValue }>>;
  /** What the state of the conversation can refuse. */
  readonly conflict?: ErrorExample;
  readonly read: (body: Body) => ConversationChange;
}

/** The endpoint of a verb: `POST /v1/conversations/:id/{verb}`, once per Idempotency-Key. */
export function changeOperation<Body>(verb: ChangeVerb<Body>): Operation {
  const { conflict } = verb;
  return defineOperation({
    method: 'POST',
    path: `/v1/conversations/:id/${verb.verb}`,
    operationId: verb.operationId,
    summary: verb.summary,
    description: verb.description,
    tag: 'Conversations',
    scope: 'conversations:write',
    params: ConversationParams,
    body: verb.body ?? NoBody,
    bodyIsOptional: verb.body === undefined || verb.bodyIsOptional === true,
    ...(verb.bodyExamples ? { bodyExamples: verb.bodyExamples } : {}),
    takesIdempotencyKey: 'within',
    answer: {
      status: 200,
      description: 'The updated conversation.',
      schema: ConversationView,
      example: conversationExample,
      headers: ['ETag', 'Idempotent-Replayed'],
    },
    errors: ['not_found', ...(conflict ? (['conversation_conflict'] as const) : [])],
    errorExamples: conflict ? [conflict] : [],
    handle: ({ rt }) => {
      return async (request, _reply, once) => {
        const { tenantId } = principalOf(request);
        const { id } = request.params as { readonly id: string };
        const wish = verb.read(request.body as Body);
        requireMayAssign(request, wish);
        const conversationId = id.toLowerCase();
        const asked = { tenantId, conversationId, actor: actorOf(request), cause: 'api', change: wish };
        const change = (db: Database) =>
          withEvents(rt, db, async (tx, events) => {
            await requireKnownAssignment(tx, { tenantId, change: wish, place: 'body' });
            const { after } = await updateConversation(rt, tx, events, asked);
            return presentConversation(tx, after, rt.clock.now());
          });
        return once.change(change, (conversation) => conversation);
      };
    },
  });
}
