import { sql } from 'kysely';
import type { Conversation } from '#conversations/domain/conversation';
import type { Condition } from '#core/conditions/condition';
import type { ConversationId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { Database } from '#database/database';
import { pageOf } from '#database/rows';
import { conversationConditionSql, type SearchScope } from './conversation-conditions.ts';
import { type ConversationSort, readPosition } from './conversation-lists.ts';
import { toConversation } from './conversation-rows.ts';

export interface ConversationSearch extends SearchScope {
  readonly condition: Condition;
  /** As in lists of conversations: waiting_since leaves out those without a waiting customer. */
  readonly sort: ConversationSort;
}

/** A page of the conversations that match a condition. @param window its `beforeId` is a position of `positionOf` */
export async function searchConversations(
  db: Pick<Database, 'kysely'>,
  search: ConversationSearch,
  window: ListWindow,
): Promise<Page<Conversation>> {
  const rows = await searchPage(db, search, window).execute();
  return pageOf(rows.map(toConversation), window.limit);
}

/** The query of a page, with one row more. */
export function searchPage(
  db: Pick<Database, 'kysely'>,
  search: ConversationSearch,
  { limit, offset, beforeId }: ListWindow,
) {
  const byWaiting = search.sort === 'waiting_since';
  const column = byWaiting ? 'v.waitingSinceMs' : 'v.lastMessageMs';
  const order = byWaiting ? 'asc' : 'desc';
  let query = matching(db, search).selectAll('v').orderBy(column, order).orderBy('v.conversationId', order);
  if (beforeId !== null) {
    const { ms, id } = readPosition(beforeId);
    const after = sql`(${ms}::bigint, ${id}::uuid)`;
    query = query.where(
      byWaiting
        ? sql<boolean>`(v.waiting_since_ms, v.conversation_id) > ${after}`
        : sql<boolean>`(v.last_message_ms, v.conversation_id) < ${after}`,
    );
  }
  return query.limit(limit + 1).offset(offset);
}

/** More are shown as "1000+", and not counted. */
export const MAX_COUNTED = 1_000;

/** How many conversations match each search, in their order; one more than `most` stands for any higher number. */
export async function countSearches(
  db: Pick<Database, 'kysely'>,
  searches: readonly ConversationSearch[],
  most = MAX_COUNTED,
): Promise<readonly number[]> {
  if (searches.length === 0) return [];
  const counts = searches.map((search) => {
    const found = matching(db, search)
      .select(sql<number>`1`.as('one'))
      .limit(most + 1);
    return sql<string>`(select count(*) from (${found}) as found)`;
  });
  const { counted } = await db.kysely
    .selectNoFrom(sql<readonly string[]>`array[${sql.join(counts)}]`.as('counted'))
    .executeTakeFirstOrThrow();
  return counted.map(Number);
}

/** The ids of the conversations that match, newest activity first. */
export async function findMatchingIds(
  db: Pick<Database, 'kysely'>,
  search: ConversationSearch,
  limit: number,
): Promise<readonly ConversationId[]> {
  const rows = await matching(db, search)
    .select('v.conversationId')
    .orderBy('v.lastMessageMs', 'desc')
    .orderBy('v.conversationId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ conversationId }) => conversationId);
}

function matching(db: Pick<Database, 'kysely'>, search: ConversationSearch) {
  const query = db.kysely
    .selectFrom('conversations as v')
    .where('v.tenantId', '=', search.tenantId)
    .where(conversationConditionSql(search.condition, search));
  return search.sort === 'waiting_since' ? query.where('v.waitingSinceMs', 'is not', null) : query;
}
