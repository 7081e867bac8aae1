import {
  describeSuggestion,
  MAX_OPEN_SUGGESTIONS,
  type Suggestion,
  type SuggestionStatus,
  suggestionStatusAt,
} from '#conversations/domain/suggestion';
import { lockConversation } from '#conversations/store/conversations';
import { saveDraft } from '#conversations/store/drafts';
import {
  addSuggestion,
  countOpenSuggestions,
  decideSuggestion,
  lockSuggestion,
} from '#conversations/store/suggestions';
import type { Actor } from '#core/caller/actor';
import { ApiProblem, requireFound } from '#core/errors';
import type { AgentId, SuggestionId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

/** What is proposed, by whom, and for how long. */
export interface Proposal {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly body: string;
  readonly author: Actor;
  readonly lastsS: number;
}

/**
 * Proposes an answer to the agents of a conversation, in the caller's transaction.
 * @throws ApiProblem not_found, conflict when the conversation has as many as it can have
 */
export async function proposeSuggestion(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  { tenantId, conversationId, body, author, lastsS }: Proposal,
): Promise<Suggestion> {
  // Locked: two at once would both find the last place free.
  const conversation = requireFound(await lockConversation(tx, tenantId, conversationId));
  const nowMs = rt.clock.now();
  const open = await countOpenSuggestions(tx, { tenantId, conversationId: conversation.conversationId, nowMs });
  if (open >= MAX_OPEN_SUGGESTIONS) {
    const sentence = `The conversation has ${MAX_OPEN_SUGGESTIONS} open suggestions. Agents must take over or discard one first.`;
    throw new ApiProblem('conflict', { sentence });
  }
  const suggestion: Suggestion = {
    tenantId,
    suggestionId: rt.newId<SuggestionId>(),
    conversationId: conversation.conversationId,
    body,
    author,
    status: 'open',
    decidedBy: null,
    decidedMs: null,
    createdMs: nowMs,
    expiresMs: nowMs + lastsS * 1000,
  };
  await addSuggestion(tx, suggestion);
  events.add({ tenantId, type: 'suggestion.created', data: describeSuggestion(suggestion, nowMs) });
  return suggestion;
}

/** What an agent decides about a suggestion. */
export interface SuggestionDecision {
  readonly tenantId: TenantId;
  readonly suggestionId: string;
  readonly agentId: AgentId;
  readonly status: 'taken' | 'discarded';
}

/**
 * Takes a suggestion over, which makes it the draft of the agent in place of the one before, or throws it away.
 * @throws ApiProblem not_found, conflict when somebody has decided before or it has expired
 */
export function settleSuggestion(rt: Runtime, db: Database, decision: SuggestionDecision): Promise<Suggestion> {
  const { tenantId, agentId, status } = decision;
  return withEvents(rt, db, async (tx, events) => {
    const before = requireFound(await lockSuggestion(tx, tenantId, decision.suggestionId));
    const nowMs = rt.clock.now();
    const now = suggestionStatusAt(before, nowMs);
    if (now !== 'open') throw new ApiProblem('conflict', { sentence: WHY_NOT[now] });
    const after: Suggestion = { ...before, status, decidedBy: agentId, decidedMs: nowMs };
    await decideSuggestion(tx, after);
    if (status === 'taken') {
      const { conversationId, body } = after;
      await saveDraft(tx, { tenantId, conversationId, agentId }, { body, mediaIds: [], nowMs });
    }
    events.add({ tenantId, type: `suggestion.${status}`, data: describeSuggestion(after, nowMs) });
    return after;
  });
}

const WHY_NOT: Readonly<Record<Exclude<SuggestionStatus, 'open'>, string>> = {
  taken: 'An agent has taken this suggestion over before.',
  discarded: 'An agent has discarded this suggestion before.',
  expired: 'The suggestion has expired.',
};
