import type { ConversationChange } from '#conversations/domain/conversation';
import type { Actor } from '#core/caller/actor';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { type ConversationChanged, updateConversation } from './change-conversation.ts';

export interface ManyChanges {
  readonly tenantId: TenantId;
  readonly conversationIds: readonly string[];
  readonly actor: Actor;
  readonly change: ConversationChange;
}

export type ChangeOutcome =
  | { readonly conversationId: string; readonly changed: ConversationChanged }
  | { readonly conversationId: string; readonly problem: ApiProblem };

/**
 * Makes one change to many conversations, each in a separate transaction with a separate outcome. Made twice it changes
 * nothing more.
 */
export async function changeManyConversations(
  rt: Runtime,
  db: Database,
  { tenantId, conversationIds, actor, change }: ManyChanges,
): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  for (const conversationId of new Set(conversationIds)) {
    const request = { tenantId, conversationId, actor, cause: 'bulk', change };
    const outcome = await withEvents(rt, db, (tx, events) => updateConversation(rt, tx, events, request)).then(
      (changed): ChangeOutcome => ({ conversationId, changed }),
      (error: unknown): ChangeOutcome => {
        if (error instanceof ApiProblem && error.status < 500) return { conversationId, problem: error };
        throw error;
      },
    );
    outcomes.push(outcome);
  }
  return outcomes;
}
