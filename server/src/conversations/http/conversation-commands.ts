import type { FastifyRequest } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { type LeaseRequest, releaseLease, takeLease } from '#conversations/actions/lease-conversation';
import { type Answer, defineOperation, type ErrorExample, type Operation } from '#http/operation';
import { actorOf, assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { belowItem, itemAnswer } from '#http/resource';
import { changeOf } from '#http/schemas/fields';
import { NoBody } from '#http/schemas/parameters';
import { type ChangeInput, makeChange, readChange } from './conversation-change.ts';
import { conversationResource } from './conversations.ts';
import { presentConversation } from './present/conversation.ts';
import {
  assigneeExampleId,
  assignment,
  ConversationView,
  conversationConflictExample,
  conversationExample,
  snoozedUntil,
  tagChanges,
} from './schemas/conversation.ts';

/** One verb on a conversation: what it is called and which change it stands for. */
interface ChangeVerb<B extends TSchema> extends Pick<Operation, 'summary' | 'description' | 'bodyExamples'> {
  readonly verb: string;
  /** The end of the path; default: the verb. */
  readonly path?: string;
  /** Absent: it takes no body. */
  readonly body?: B;
  readonly bodyIsOptional?: boolean;
  /** What the state of the conversation can refuse. */
  readonly conflict?: ErrorExample;
  readonly change: (body: Static<B>) => ChangeInput;
}

/** The endpoint of a verb: `POST /v1/conversations/:id/{verb}`, once per Idempotency-Key. */
function changeOperation<B extends TSchema>(own: ChangeVerb<B>): Operation {
  const { verb, path = verb, body = NoBody, bodyIsOptional = body === NoBody, conflict, change, ...described } = own;
  return defineOperation({
    ...described,
    method: 'POST',
    ...belowItem(conversationResource, path, 'write'),
    operationId: `${verb}Conversation`,
    body,
    bodyIsOptional,
    takesIdempotencyKey: 'within',
    answer: itemAnswer(conversationResource, 'The updated conversation.'),
    errors: ['not_found'],
    errorExamples: conflict ? [conflict] : [],
    handle: ({ rt }) => {
      return async (request, _reply, once) => {
        const { tenantId } = principalOf(request);
        const asked = {
          tenantId,
          conversationId: request.params.id.toLowerCase(),
          actor: actorOf(request),
          change: readChange(request, change(request.body as Static<B>)),
        };
        return once.change(
          (db) => makeChange({ rt, db }, asked),
          (conversation) => conversation,
        );
      };
    },
  });
}

const assignConversationRoute = changeOperation({
  verb: 'assign',
  summary: 'Assign a conversation to an agent or a team',
  description: 'Assigns the conversation, or unassigns it with null.',
  body: changeOf(assignment, 'Omitted fields stay unchanged.'),
  bodyExamples: {
    agent: { summary: 'Assign to an agent', value: { assignee_id: assigneeExampleId } },
    nobody: { summary: 'Unassign', value: { assignee_id: null, team_id: null } },
  },
  change: (body) => body,
});

const snoozeConversationRoute = changeOperation({
  verb: 'snooze',
  summary: 'Snooze a conversation',
  description:
    'Snoozes the conversation until the given time, or until the customer writes. With a time in the past, it wakes within a second or two.',
  body: Type.Unsafe<null | { readonly until?: string | null }>({
    type: ['object', 'null'],
    properties: { until: snoozedUntil },
    additionalProperties: false,
    description: 'Empty, or when the snooze ends.',
  }),
  bodyIsOptional: true,
  bodyExamples: { until: { summary: 'Until Monday morning', value: { until: '2030-03-04T08:00:00Z' } } },
  conflict: conversationConflictExample('snoozeResolved', 'A conversation that is resolved cannot become snoozed.'),
  change: (body) => ({ status: 'snoozed', snoozed_until: body?.until ?? null }),
});

const resolveConversationRoute = changeOperation({
  verb: 'resolve',
  summary: 'Resolve a conversation',
  description:
    "Resolves the conversation. The number's reopen_policy determines what happens when the customer writes again.",
  change: () => ({ status: 'resolved' }),
});

const reopenConversationRoute = changeOperation({
  verb: 'reopen',
  summary: 'Reopen a conversation',
  description:
    'Reopens a conversation that was resolved, snoozed or pending. A customer has at most one unresolved conversation with a number; while another one exists, the response is 409.',
  conflict: conversationConflictExample(
    'anotherIsOpen',
    'The customer has another unresolved conversation with this number: 0190a6f2-8c20-7a11-8f00-0a1b2c3d4e60.',
  ),
  change: () => ({ status: 'open' }),
});

const readConversationRoute = changeOperation({
  verb: 'read',
  summary: 'Mark a conversation as read',
  description: 'Sets unread_count to 0. The customer is not notified; use POST /v1/messages/{id}/read for that.',
  change: () => ({ read: true }),
});

const tagConversationRoute = changeOperation({
  verb: 'tag',
  path: 'tags',
  summary: 'Tag a conversation',
  description:
    'Adds and removes tags. Adding a tag that is already present, or removing one that is not, has no effect.',
  body: changeOf(tagChanges, 'Tags are removed first, then added.'),
  bodyExamples: { both: { summary: 'Replace a tag', value: { add_tags: ['refund'], remove_tags: ['delivery'] } } },
  conflict: conversationConflictExample('tooManyTags', 'A conversation can have at most 50 tags.'),
  change: (body) => body,
});

const leaseConversationRoute = defineOperation({
  method: 'POST',
  ...belowItem(conversationResource, 'lease', 'write'),
  operationId: 'leaseConversation',
  summary: 'Lock a conversation while composing a reply',
  description:
    'Shows for 30 seconds that this agent is writing; repeat the request while the agent is writing. During that time, no one else can reply without force.',
  body: NoBody,
  bodyIsOptional: true,
  requestHeaders: [requiredAgentHeader],
  takesIdempotencyKey: 'within',
  answer: leaseAnswer('The conversation with its lease.'),
  errors: ['not_found'],
  errorExamples: [
    conversationConflictExample('held', 'Agent 0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60 is writing in this conversation.'),
  ],
  handle: ({ rt, db }) => {
    return async (request, _reply, once) => {
      const lease = leaseRequest(request);
      return once.run(async () => presentConversation(db, await takeLease(rt, db, lease), rt.clock.now()));
    };
  },
});

const releaseConversationRoute = defineOperation({
  method: 'DELETE',
  ...belowItem(conversationResource, 'lease', 'write'),
  operationId: 'releaseConversation',
  summary: 'Release the lock on a conversation',
  description:
    'Ends the lease of this agent. A lease that has expired, or that belongs to another agent, is not changed.',
  requestHeaders: [requiredAgentHeader],
  answer: leaseAnswer('The conversation.'),
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const lease = leaseRequest(request);
      return presentConversation(db, await releaseLease(rt, db, lease), rt.clock.now());
    };
  },
});

/** Without an ETag: a lease is no new version. */
function leaseAnswer(description: string): Answer {
  return { status: 200, description, schema: ConversationView, example: conversationExample };
}

function leaseRequest(request: FastifyRequest<{ Params: { id: string } }>): LeaseRequest {
  const { tenantId } = principalOf(request);
  return { tenantId, conversationId: request.params.id.toLowerCase(), agentId: assertAgent(request) };
}

/** In the order of the documentation. */
export const conversationCommandOperations: readonly Operation[] = [
  assignConversationRoute,
  snoozeConversationRoute,
  resolveConversationRoute,
  reopenConversationRoute,
  readConversationRoute,
  tagConversationRoute,
  leaseConversationRoute,
  releaseConversationRoute,
];
