import type { Contact } from '#contacts/domain/contact';
import type { Conversation } from '#conversations/domain/conversation';
import { type ContactBrief, findContactBriefs } from '#conversations/store/conversation-lists';
import type { ContactId, MessageId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { storedContent } from '#messages/domain/content';
import type { InboundMessage, OutboundMessage } from '#messages/domain/message';
import { findMessages } from '#messages/store/messages-by-id';
import type { SearchKind } from '#search/domain/search-kind';
import type { Term } from '#search/domain/search-query';
import { textOfContact, textOfConversation, textOfMessage } from '#search/domain/search-texts';
import { type Snippet, snippetOf } from '#search/domain/snippet';
import { type FoundNote, findContacts, findConversations, findNotes } from '#search/store/search-hits';

/** What was found, as it is now. */
export type Found =
  | { readonly kind: 'messages'; readonly message: OutboundMessage | InboundMessage }
  | { readonly kind: 'notes'; readonly note: FoundNote }
  | { readonly kind: 'contacts'; readonly contact: Contact }
  | { readonly kind: 'conversations'; readonly conversation: Conversation };

export interface Hit {
  readonly found: Found;
  /** Who a message, a note or a conversation is with; null: nobody that is known. */
  readonly contact: (ContactBrief & { readonly contactId: ContactId }) | null;
  readonly snippet: Snippet;
}

interface Reading {
  readonly tenantId: TenantId;
  readonly kind: SearchKind;
  /** Newest first. */
  readonly ids: readonly string[];
  readonly terms: readonly Term[];
}

/** A thing before it is known who it is with. */
interface Candidate {
  readonly id: string;
  readonly found: Found;
  readonly contactId: ContactId | null;
  /** What it is found by; null: that is the name of its contact as well. */
  readonly text: string | null;
}

/**
 * Reads what was found. The index may be a second behind: what has been changed since so that it does not match any more is left out.
 */
export async function readHits(db: Database, { tenantId, kind, ids, terms }: Reading): Promise<readonly Hit[]> {
  if (ids.length === 0) return [];
  const candidates = await READ[kind](db, tenantId, ids);
  const contactIds = candidates.flatMap(({ contactId }) => contactId ?? []);
  const briefs = await findContactBriefs(db, tenantId, [...new Set(contactIds)]);
  const hits = new Map<string, Hit>();
  for (const { id, found, contactId, text } of candidates) {
    const brief = contactId === null ? undefined : briefs.get(contactId);
    const contact = contactId === null || brief === undefined ? null : { contactId, ...brief };
    const snippet = snippetOf(text ?? nameOf(found, contact), terms);
    if (snippet !== null) hits.set(id, { found, contact, snippet });
  }
  return ids.flatMap((id) => hits.get(id) ?? []);
}

function nameOf(found: Found, contact: Hit['contact']): string {
  if (found.kind !== 'conversations') return '';
  const { number, tags } = found.conversation;
  return textOfConversation({
    number,
    tags,
    contact: { name: contact?.name ?? null, profileName: null, phone: contact?.phone ?? null },
  });
}

type ReadCandidates = (db: Database, tenantId: TenantId, ids: readonly string[]) => Promise<readonly Candidate[]>;

const READ: Readonly<Record<SearchKind, ReadCandidates>> = {
  messages: async (db, tenantId, ids) =>
    (await findMessages(db, tenantId, ids as readonly MessageId[])).map((message) => {
      const { messageId: id, contactId } = message;
      return { id, found: { kind: 'messages', message }, contactId, text: textOf(message) };
    }),
  notes: async (db, tenantId, ids) =>
    (await findNotes(db, tenantId, ids)).map((note) => {
      return { id: note.noteId, found: { kind: 'notes', note }, contactId: note.contactId, text: note.body };
    }),
  contacts: async (db, tenantId, ids) =>
    (await findContacts(db, tenantId, ids)).map((contact) => {
      const { contactId: id } = contact;
      return { id, found: { kind: 'contacts', contact }, contactId: null, text: textOfContact(contact) };
    }),
  conversations: async (db, tenantId, ids) =>
    (await findConversations(db, tenantId, ids)).map((conversation) => {
      const { conversationId: id, contactId } = conversation;
      return { id, found: { kind: 'conversations', conversation }, contactId, text: null };
    }),
};

function textOf(message: OutboundMessage | InboundMessage): string {
  if (!('networkMs' in message)) {
    return textOfMessage({ body: null, content: storedContent(message.content), filename: null });
  }
  const { body, content, media } = message;
  return textOfMessage({ body, content, filename: media?.filename ?? null });
}
