import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { changeOnce } from '#access/actions/change-once';
import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import { updateConversation } from '#conversations/actions/change-conversation';
import { requireKnownAssignment } from '#conversations/actions/check-assignment';
import type { ConversationChange } from '#conversations/domain/conversation';
import { requireMayAssign } from '#conversations/http/may-assign';
import { presentConversation, requireConversation } from '#conversations/http/present/conversation';
import { ConversationParams, ConversationView, conversationExample } from '#conversations/http/schemas/conversation';
import type { JsonObject, JsonValue } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { defineOperation, type ErrorExample, type Operation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { tagVersion } from '#http/plugins/if-match';
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
    takesIdempotencyKey: true,
    answer: {
      status: 200,
      description: 'The updated conversation.',
      schema: ConversationView,
      example: conversationExample,
      headers: ['ETag', 'Idempotent-Replayed'],
    },
    errors: ['not_found', ...(conflict ? (['conversation_conflict'] as const) : [])],
    errorExamples: conflict ? [conflict] : [],
    handle: (context) => (request, reply) => {
      const { id } = request.params as { readonly id: string };
      return change(context, { request, reply }, id.toLowerCase(), verb.read(request.body as Body));
    },
  });
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function change(
  { rt, db }: Pick<HttpDeps, 'rt' | 'db'>,
  { request, reply }: Asked,
  conversationId: string,
  wish: ConversationChange,
): Promise<JsonObject> {
  const { tenantId } = principalOf(request);
  requireMayAssign(request, wish);
  const asked = { tenantId, conversationId, actor: actorOf(request), cause: 'api', change: wish };
  const claim = idempotencyClaim(request);
  // A repetition shows the conversation as it is by then: what is kept is that the change was made.
  const keep = () => ({ statusCode: 200, body: {} });
  const once = await changeOnce(rt, db, { tenantId, claim, keep }, async (tx, events) => {
    await requireKnownAssignment(tx, { tenantId, change: wish, place: 'body' });
    return (await updateConversation(rt, tx, events, asked)).after;
  });
  if (once.replayed) markReplayed(rt.metrics, reply);
  const after = once.replayed ? await requireConversation(db, tenantId, conversationId) : once.result;
  tagVersion(reply, after.version);
  return presentConversation(db, after, rt.clock.now());
}
