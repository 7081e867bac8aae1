import { findMissingAgents } from '#agents/store/agents';
import { describeNote } from '#conversations/domain/conversation-events';
import { addNote, type Note } from '#conversations/store/conversation-thread';
import { findConversation } from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { AgentId, NoteId, TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

export interface NoteInput {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly actor: Actor;
  readonly body: string;
  readonly mentions: readonly AgentId[];
}

/**
 * Leaves a private note in a conversation, in the caller's transaction. The customer never sees it, and it answers nothing.
 * @throws ApiProblem not_found, validation_failed when somebody is mentioned who is no agent of the tenant
 */
export async function writeNote(rt: Runtime, tx: Transaction, events: EventSink, wish: NoteInput): Promise<Note> {
  const { tenantId, body } = wish;
  const conversation = await findConversation(tx, tenantId, wish.conversationId);
  if (conversation === null) throw new ApiProblem('not_found');
  await requireAgents(tx, tenantId, wish.mentions);
  const note: Note = {
    tenantId,
    conversationId: conversation.conversationId,
    noteId: rt.newId<NoteId>(),
    body,
    mentions: [...new Set(wish.mentions)],
    author: wish.actor,
    createdMs: rt.clock.now(),
  };
  await addNote(tx, note);
  events.add({ tenantId, type: 'note.created', data: describeNote(note) });
  return note;
}

/** In the same words whether nobody has the agent or another tenant does. */
async function requireAgents(tx: Transaction, tenantId: TenantId, mentions: readonly AgentId[]): Promise<void> {
  if (mentions.length === 0) return;
  const missing = await findMissingAgents(tx, tenantId, mentions);
  const details = mentions.flatMap((id, index): readonly FaultDetail[] => {
    const message = `mentions[${index}] is not an agent of this tenant.`;
    return missing.includes(id) ? [{ path: `body.mentions[${index}]`, message }] : [];
  });
  const [first] = details;
  if (first) throw new ApiProblem('validation_failed', { sentence: first.message, details });
}
