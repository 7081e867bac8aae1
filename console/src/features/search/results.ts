/** What the service answers to a search. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import type { Contact } from '../../app/resources.ts';
import type { Conversation, ConversationContact, InboundItem, NoteItem, OutboundItem } from '../../live/model.ts';

interface Snippet {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

export interface MessageHit {
  readonly snippet: Snippet;
  readonly contact: ConversationContact | null;
  readonly message: InboundItem | OutboundItem;
}

export interface NoteHit {
  readonly snippet: Snippet;
  readonly contact: ConversationContact | null;
  readonly note: NoteItem;
}

export interface ContactHit {
  readonly snippet: Snippet;
  readonly contact: Contact;
}

export interface ConversationHit {
  readonly snippet: Snippet;
  readonly conversation: Conversation;
}

export interface HitsOf {
  readonly messages: MessageHit;
  readonly notes: NoteHit;
  readonly contacts: ContactHit;
  readonly conversations: ConversationHit;
}
export type Group = keyof HitsOf;
export const GROUPS: readonly Group[] = ['contacts', 'conversations', 'messages', 'notes'];

export interface Hits<Hit> {
  readonly data: readonly Hit[];
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** A group is absent where the session may not read it. */
export type Results = { readonly [G in Group]?: Hits<HitsOf[G]> } & { readonly complete: boolean };

const FEW = 8;
const MANY = 30;
const FRESH_MS = 10_000;

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => call<Results>('/v1/search', { query: { q, limit: FEW }, signal }),
    enabled: q !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** What follows the first hits of a group. */
export const moreQuery = <G extends Group>(q: string, group: G, first: string) =>
  infiniteQueryOptions({
    queryKey: ['search', q, group, first],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { q, group, cursor, limit: MANY };
      const results = await call<Results>('/v1/search', { query, signal });
      return results[group] as Hits<HitsOf[G]>;
    },
    initialPageParam: first,
    getNextPageParam: ({ page }) => page.next_cursor,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface List<T> {
  readonly data: readonly T[];
}

/** The conversation of a contact that was active last; null: there is none yet. */
export async function newestConversation(contactId: string): Promise<string | null> {
  const query = { contact_id: contactId, limit: 1 };
  const { data } = await call<List<Conversation>>('/v1/conversations', { query });
  return data[0]?.id ?? null;
}
