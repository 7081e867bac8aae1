import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type ChangeRequest, updateConversation } from '#conversations/actions/change-conversation';
import { requireKnownAssignment } from '#conversations/actions/check-assignment';
import type { ConversationChange } from '#conversations/domain/conversation';
import type { AgentId, TeamId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { withEvents } from '#events/actions/with-events';
import type { HttpDeps } from '#http/deps';
import { givenOnly, optionalTimeMs } from '#http/lists/filters';
import { requirePermission } from '#http/plugins/agent';
import { changeOf } from '#http/schemas/fields';
import { presentConversation } from './present/conversation.ts';
import { changeFields } from './schemas/conversation.ts';

export const ChangeConversation = changeOf(changeFields, 'The fields to change. Omitted fields stay unchanged.');

/** What an endpoint makes of its body; marking as read has an endpoint of its own. */
export type ChangeInput = Static<typeof ChangeConversation> & { readonly read?: true };

/**
 * The change that a request wants. Whoever may not assign to others takes a conversation, or hands it back to all.
 * @throws ApiProblem forbidden
 */
export function readChange({ agent }: Pick<FastifyRequest, 'agent'>, input: ChangeInput): ConversationChange {
  const assigneeId = lowerCase<AgentId>(input.assignee_id);
  if (typeof assigneeId === 'string' && assigneeId !== agent?.agentId) {
    requirePermission({ agent }, 'conversations:assign_others');
  }
  return givenOnly({
    status: input.status,
    snoozedUntilMs: input.snoozed_until === null ? null : optionalTimeMs(input.snoozed_until),
    assigneeId,
    teamId: lowerCase<TeamId>(input.team_id),
    priority: input.priority,
    handledBy: input.handled_by,
    addTags: input.add_tags,
    removeTags: input.remove_tags,
    read: input.read,
  });
}

/** Changes a conversation in one transaction on `db`. @returns the conversation as it is shown */
export function makeChange(
  { rt, db }: Pick<HttpDeps, 'rt' | 'db'>,
  request: Omit<ChangeRequest, 'cause'>,
): Promise<JsonObject> {
  const { tenantId, change } = request;
  return withEvents(rt, db, async (tx, events) => {
    await requireKnownAssignment(tx, { tenantId, change, place: 'body' });
    const { after } = await updateConversation(rt, tx, events, { ...request, cause: 'api' });
    return presentConversation(tx, after, rt.clock.now());
  });
}

/** Ids of ours are lower-case. */
function lowerCase<Id extends string>(id: string | null | undefined): Id | null | undefined {
  return typeof id === 'string' ? (id.toLowerCase() as Id) : id;
}
