import type { Actor } from '#core/conversation';
import { describeNote } from '#core/conversation-news';
import { ApiProblem } from '#core/errors';
import type { AgentId, NoteId, TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import { addNote, type Note } from '#storage/conversation-thread';
import { findConversation } from '#storage/conversations';
import type { SqlRunner } from '#storage/database';
import type { EventSink } from './with-events.ts';

export interface NoteWish {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly actor: Actor;
  readonly body: string;
  readonly mentions: readonly AgentId[];
}

/**
 * Leaves a private note in a conversation, in the caller's transaction. The customer never sees it, and it answers nothing.
 * @throws ApiProblem not_found
 */
export async function writeNote(rt: Runtime, tx: SqlRunner, events: EventSink, wish: NoteWish): Promise<Note> {
  const { tenantId, body } = wish;
  const conversation = await findConversation(tx, tenantId, wish.conversationId);
  if (conversation === null) throw new ApiProblem('not_found');
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
