/** What the service answers to a search. */
import type * as Sdk from '@postrider/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import type { Known } from '../../live/known.ts';
import type { Conversation, InboundItem, OutboundItem } from '../../live/model.ts';

export type MessageHit = Known<Pick<Sdk.MessageHit, 'snippet' | 'contact'>> & {
  readonly message: InboundItem | OutboundItem;
};
export type NoteHit = Known<Sdk.NoteHit>;
export type ContactHit = Sdk.ContactHit;
export type ConversationHit = Pick<Sdk.ConversationHit, 'snippet'> & { readonly conversation: Conversation };

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
  readonly page: Sdk.PageInfo;
}

/** A group is absent where the session may not read it. */
export type Results = { readonly [G in Group]?: Hits<HitsOf[G]> } & Pick<Sdk.SearchResults, 'complete'>;

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

/** The conversation of a contact that was active last; null: there is none yet. */
export async function newestConversation(contactId: string): Promise<string | null> {
  const query = { contact_id: contactId, limit: 1 };
  const { data } = await call<Sdk.ConversationList>('/v1/conversations', { query });
  return data[0]?.id ?? null;
}
