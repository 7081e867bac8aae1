import type { Actor } from '#core/caller/actor';
import type { AgentId, ConversationId, SuggestionId, TenantId } from '#core/ids';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';

/** What is offered to an agent at a time; more would be a list to read instead of a help. */
export const MAX_OPEN_SUGGESTIONS = 5;
/** As long as a text message. */
export const MAX_SUGGESTION = 4_096;
/** As long as the window in which free text is allowed. */
export const SUGGESTION_S = 24 * 60 * 60;
export const MAX_SUGGESTION_S = 7 * 24 * 60 * 60;

export const suggestionStatuses = ['open', 'taken', 'discarded', 'expired'] as const;
export type SuggestionStatus = (typeof suggestionStatuses)[number];

/** What an agent may make of one, see docs/state-machines.md. */
export const SUGGESTION_MOVES: Readonly<Record<Suggestion['status'], readonly Suggestion['status'][]>> = {
  open: ['taken', 'discarded'],
  taken: [],
  discarded: [],
};

/** An answer that is proposed to the agents of a conversation. Times are milliseconds since 1970. */
export interface Suggestion {
  readonly tenantId: TenantId;
  readonly suggestionId: SuggestionId;
  readonly conversationId: ConversationId;
  readonly body: string;
  readonly author: Actor;
  /** As it is stored: one that is open may have expired, see `suggestionStatusAt`. */
  readonly status: Exclude<SuggestionStatus, 'expired'>;
  /** The agent who took it over or threw it away; null: nobody has. */
  readonly decidedBy: AgentId | null;
  readonly decidedMs: number | null;
  readonly createdMs: number;
  readonly expiresMs: number;
}

export function suggestionStatusAt({ status, expiresMs }: Suggestion, nowMs: number): SuggestionStatus {
  return status === 'open' && expiresMs <= nowMs ? 'expired' : status;
}

/** A suggestion as events show it: what is said in it is left to whoever reads it. */
export function describeSuggestion(one: Suggestion, nowMs: number): JsonObject {
  return {
    id: one.suggestionId,
    conversation_id: one.conversationId,
    status: suggestionStatusAt(one, nowMs),
    author: { kind: one.author.kind, id: one.author.id },
    decided_by: one.decidedBy,
    decided_at: isoTimeOrNull(one.decidedMs),
    created_at: isoTime(one.createdMs),
    expires_at: isoTime(one.expiresMs),
  };
}
