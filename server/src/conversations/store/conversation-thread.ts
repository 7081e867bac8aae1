import type { Conversation, LastMessage } from '#conversations/domain/conversation';
import type { Actor } from '#core/caller/actor';
import type { AgentId, ConversationId, MessageId, NoteId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { plainArray } from '#database/arrays';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { pageOf } from '#database/rows';
import type { InboundMessage, OutboundMessage } from '#messages/domain/message';
import { listInbound, listOutbound } from '#messages/store/message-reads';
import type { ConversationEvent } from './conversations.ts';

/** What agents write to each other. */
export interface Note {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  readonly noteId: NoteId;
  readonly body: string;
  readonly mentions: readonly AgentId[];
  readonly author: Actor;
  readonly createdMs: number;
}

const ADD_NOTE = statement('conversation_add_note', { insertsOnly: true })`
insert into conversation_notes (tenant_id, conversation_id, note_id, body, mentions, author_kind, author_id, created_ms)
values ($1, $2, $3, $4, $5::uuid[], $6, $7, $8)`;

export async function addNote(tx: Transaction, note: Note): Promise<void> {
  const { tenantId, conversationId, noteId, body, mentions, author, createdMs } = note;
  const parameters = [tenantId, conversationId, noteId, body, plainArray(mentions), author.kind, author.id, createdMs];
  await tx.run(ADD_NOTE, parameters);
}

/** One entry of a conversation: a message of either direction, or a note. */
export type ThreadEntry =
  | { readonly kind: 'message'; readonly id: string; readonly message: OutboundMessage | InboundMessage }
  | { readonly kind: 'note'; readonly id: string; readonly note: Note };

interface ThreadInput {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  /** Only what came after this entry; null: everything. */
  readonly afterId: string | null;
  readonly window: ListWindow;
}

/** A page of a conversation, newest first: what came in and went out, with the notes between. */
export async function listThread(
  db: Database,
  { tenantId, conversationId, afterId, window }: ThreadInput,
): Promise<Page<ThreadEntry>> {
  // Each kind has at most this many entries of the page.
  const all: ListWindow = { limit: window.offset + window.limit, offset: 0, beforeId: window.beforeId };
  const filter = { conversationId, ...(afterId === null ? {} : { afterId }) };
  const [inbound, outbound, notes] = await Promise.all([
    listInbound(db, tenantId, filter, all),
    listOutbound(db, tenantId, filter, all),
    listNotes(db, { tenantId, conversationId, afterId, window: all }),
  ]);
  const messages = [...inbound.items, ...outbound.items].map(
    (message): ThreadEntry => ({ kind: 'message', id: message.messageId, message }),
  );
  const merged = [...messages, ...notes.items.map((note): ThreadEntry => ({ kind: 'note', id: note.noteId, note }))];
  merged.sort((left, right) => (left.id < right.id ? 1 : -1));
  const end = window.offset + window.limit;
  const hasMore = merged.length > end || [inbound, outbound, notes].some((page) => page.hasMore);
  return { items: merged.slice(window.offset, end), hasMore };
}

const BEHIND_NEWER = statement('conversation_thread_behind_newer')`
select e.id from (
  (select message_id as id from inbound_messages
    where tenant_id = $1 and conversation_id = $2 and message_id > $3 order by message_id limit $4)
  union all
  (select message_id from outbound_messages
    where tenant_id = $1 and conversation_id = $2 and message_id > $3 order by message_id limit $4)
  union all
  (select note_id from conversation_notes
    where tenant_id = $1 and conversation_id = $2 and note_id > $3 order by note_id limit $4)
) e
order by e.id limit 1 offset $4::integer - 1`;

/** The entry that follows so many entries after a place; null: there are not so many. */
export async function findBehindNewer(
  db: SqlRunner,
  of: Pick<ThreadInput, 'tenantId' | 'conversationId'>,
  placeId: string,
  newer: number,
): Promise<string | null> {
  const parameters = [of.tenantId, of.conversationId, placeId, newer + 1];
  return (await db.run<{ id: string }>(BEHIND_NEWER, parameters)).rows[0]?.id ?? null;
}

const LIST_NOTES = statement('conversation_notes_page')`
select tenant_id, conversation_id, note_id, body, mentions, json_build_object('kind', author_kind, 'id', author_id) as author, created_ms
from conversation_notes
where tenant_id = $1 and conversation_id = $2 and ($3::uuid is null or note_id < $3::uuid)
  and ($4::uuid is null or note_id > $4::uuid)
order by note_id desc limit $5`;

async function listNotes(
  db: SqlRunner,
  { tenantId, conversationId, afterId, window }: ThreadInput,
): Promise<Page<Note>> {
  const parameters = [tenantId, conversationId, window.beforeId, afterId, window.limit + 1];
  return pageOf((await db.run<Note>(LIST_NOTES, parameters)).rows, window.limit);
}

const LIST_HISTORY = statement('conversation_history_page')`
select tenant_id, conversation_id, event_id, at_ms, json_build_object('kind', actor_kind, 'id', actor_id) as actor, cause, changes
from conversation_events
where tenant_id = $1 and conversation_id = $2 and ($3::uuid is null or event_id < $3::uuid)
order by event_id desc limit $4 offset $5`;

/** What was changed about a conversation, newest first. */
export async function listHistory(
  db: SqlRunner,
  tenantId: TenantId,
  conversationId: ConversationId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<ConversationEvent>> {
  const parameters = [tenantId, conversationId, beforeId, limit + 1, offset];
  return pageOf((await db.run<ConversationEvent>(LIST_HISTORY, parameters)).rows, limit);
}

/**
 * Links what was sent to a conversation: of the messages that have none yet. The conversation of a pair is the one that
 * is not resolved.
 */
const LINK_REPLY = statement('conversation_link_reply')`
update outbound_messages set conversation_id = $3, contact_id = $4
where tenant_id = $1 and message_id = $2`;

/** Makes a reply part of its conversation, in the transaction that stores it. */
export async function linkReply(
  tx: Transaction,
  { tenantId, conversationId, contactId }: Pick<Conversation, 'tenantId' | 'conversationId' | 'contactId'>,
  messageId: MessageId,
): Promise<void> {
  await tx.run(LINK_REPLY, [tenantId, messageId, conversationId, contactId]);
}

const NOTE_REPLY = statement('conversation_note_reply')`
update conversations set
  last_message_ms = greatest(last_message_ms, $3), last_outbound_ms = greatest(last_outbound_ms, $3),
  last_message_id = $4, last_message_inbound = false, last_message_type = $5, last_message_preview = $6
where tenant_id = $1 and conversation_id = $2`;

/** Shows a reply as the newest message of its conversation; the caller holds the lock. */
export async function showReply(
  tx: Transaction,
  reply: Pick<Conversation, 'tenantId' | 'conversationId'> & Omit<LastMessage, 'inbound'> & { readonly atMs: number },
): Promise<void> {
  const { tenantId, conversationId, atMs, messageId, type, preview } = reply;
  await tx.run(NOTE_REPLY, [tenantId, conversationId, atMs, messageId, type, preview]);
}
