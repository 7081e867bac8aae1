import { sql } from 'kysely';
import type { Conversation, ConversationPriority, ConversationStatus } from '#conversations/domain/conversation';
import type { AgentId, ContactId, PhoneNumberId, TeamId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { plainArray } from '#database/arrays';
import { type Database, type SqlRunner, statement } from '#database/database';
import { pageOf } from '#database/rows';
import { toConversation } from './conversation-rows.ts';

export interface ConversationFilter {
  readonly status?: ConversationStatus;
  /** Null: nobody has it. */
  readonly assigneeId?: string | null;
  readonly teamId?: string;
  readonly phoneNumberId?: string;
  readonly tag?: string;
  readonly priority?: ConversationPriority;
  readonly isWaiting?: boolean;
  readonly isUnread?: boolean;
  readonly contactId?: string;
  /** Beginning of the contact's name or number. */
  readonly search?: string;
  readonly updatedSinceMs?: number;
}

export const conversationSorts = ['last_activity', 'waiting_since'] as const;
export type ConversationSort = (typeof conversationSorts)[number];

export interface ConversationList {
  readonly filter: ConversationFilter;
  /** last_activity: newest first; waiting_since: those who wait, longest first. */
  readonly sort: ConversationSort;
  /** `beforeId` is a position of `positionOf`. */
  readonly window: ListWindow;
}

const TIME_DIGITS = 16;

/** Where a conversation stood in a list: it may move while somebody walks the pages, its place in the walk does not. */
export function positionOf(one: Conversation, sort: ConversationSort): string {
  const ms = sort === 'waiting_since' ? (one.waitingSinceMs ?? 0) : one.lastMessageMs;
  return ms.toString(16).padStart(TIME_DIGITS, '0') + one.conversationId.replaceAll('-', '');
}

/** Reads a position of `positionOf`. */
export function readPosition(position: string): { readonly ms: number; readonly id: string } {
  const id = position.slice(TIME_DIGITS).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { ms: Number.parseInt(position.slice(0, TIME_DIGITS), 16), id };
}

/** A page of the conversations of a tenant. Costs the same on every page when a cursor is used. */
export async function listConversations(
  db: Database,
  tenantId: TenantId,
  { filter, sort, window }: ConversationList,
): Promise<Page<Conversation>> {
  const rows = await conversationPage(db, tenantId, { filter, sort, window }).execute();
  return pageOf(rows.map(toConversation), window.limit);
}

/** The query of a page and of one row more, for whoever wants to know how it is done. */
export function conversationPage(db: Database, tenantId: TenantId, { filter, sort, window }: ConversationList): Query {
  const query = filtered(db, tenantId, filter);
  const after = window.beforeId === null ? null : readPosition(window.beforeId);
  const sorted = sort === 'waiting_since' ? byWaiting(query, after) : byActivity(query, after);
  return sorted.limit(window.limit + 1).offset(window.offset);
}

type Query = ReturnType<typeof start>;
type Position = ReturnType<typeof readPosition> | null;

function start(db: Database, tenantId: TenantId) {
  return db.kysely.selectFrom('conversations as c').selectAll('c').where('c.tenantId', '=', tenantId);
}

function byActivity(query: Query, after: Position): Query {
  const from = after
    ? query.where(sql<boolean>`(c.last_message_ms, c.conversation_id) < (${after.ms}::bigint, ${after.id}::uuid)`)
    : query;
  return from.orderBy('c.lastMessageMs', 'desc').orderBy('c.conversationId', 'desc');
}

function byWaiting(query: Query, after: Position): Query {
  const waiting = query.where('c.waitingSinceMs', 'is not', null);
  const from = after
    ? waiting.where(sql<boolean>`(c.waiting_since_ms, c.conversation_id) > (${after.ms}::bigint, ${after.id}::uuid)`)
    : waiting;
  return from.orderBy('c.waitingSinceMs').orderBy('c.conversationId');
}

function filtered(db: Database, tenantId: TenantId, filter: ConversationFilter): Query {
  let query = start(db, tenantId);
  if (filter.status !== undefined) query = query.where('c.status', '=', filter.status);
  if (filter.assigneeId === null) query = query.where('c.assigneeId', 'is', null);
  else if (filter.assigneeId !== undefined) query = query.where('c.assigneeId', '=', filter.assigneeId as AgentId);
  if (filter.teamId !== undefined) query = query.where('c.teamId', '=', filter.teamId as TeamId);
  if (filter.phoneNumberId !== undefined)
    query = query.where('c.phoneNumberId', '=', filter.phoneNumberId as PhoneNumberId);
  if (filter.priority !== undefined) query = query.where('c.priority', '=', filter.priority);
  // Makes the partial index of priorities usable.
  if (filter.priority !== undefined && filter.priority !== 'normal') query = query.where('c.priority', '<>', 'normal');
  if (filter.contactId !== undefined) query = query.where('c.contactId', '=', filter.contactId as ContactId);
  if (filter.isWaiting !== undefined) {
    query = query.where('c.waitingSinceMs', filter.isWaiting ? 'is not' : 'is', null);
  }
  if (filter.isUnread !== undefined) query = query.where('c.unreadCount', filter.isUnread ? '>' : '=', 0);
  if (filter.updatedSinceMs !== undefined) query = query.where('c.updatedMs', '>=', filter.updatedSinceMs);
  // The second half makes the partial index of tags usable.
  if (filter.tag !== undefined)
    query = query.where(sql<boolean>`c.tags @> array[${filter.tag}::text] and c.tags <> '{}'`);
  return filter.search === undefined ? query : query.where(contactBegins(tenantId, filter.search));
}

/** More contacts than this of one name or number are too many to mean anyone. */
const MAX_FOUND_CONTACTS = 1_000;

/**
 * An array, not a join: found once, the contacts lead into the index of conversations by contact. As a join, a walk of an inbox of
 * 50,000 conversations looked cheaper and took ten times the time. In the order of their indexes the contacts are the
 * same on each page, and nobody looks for 1,000 of a tenant by walking the contacts of all.
 */
function contactBegins(tenantId: TenantId, search: string) {
  const text = likePattern(search.toLowerCase());
  const digits = search.replace(/[^0-9]/g, '');
  const phone = likePattern(digits === '' ? search : digits);
  return sql<boolean>`c.contact_id = any(array(
    (select contact_id from contacts where tenant_id = ${tenantId}::uuid and lower(coalesce(name, profile_name)) like ${text}
      order by lower(coalesce(name, profile_name)) using ~<~ limit ${MAX_FOUND_CONTACTS})
    union all
    (select contact_id from contacts where tenant_id = ${tenantId}::uuid and phone like ${phone}
      order by phone using ~<~ limit ${MAX_FOUND_CONTACTS})))`;
}

function likePattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Who a conversation is with, as people recognise them. */
export interface ContactBrief {
  readonly name: string | null;
  readonly phone: string | null;
  /** The network's id of a person who may show no number. */
  readonly userId: string | null;
}

const CONTACT_BRIEFS = statement('conversation_contact_briefs')`
select contact_id, coalesce(name, profile_name) as name, phone, user_id from contacts
where tenant_id = $1 and contact_id = any($2::uuid[])`;

/** The contacts of conversations, by id. */
export async function findContactBriefs(
  db: SqlRunner,
  tenantId: TenantId,
  contactIds: readonly ContactId[],
): Promise<ReadonlyMap<ContactId, ContactBrief>> {
  if (contactIds.length === 0) return new Map();
  const { rows } = await db.run<ContactBrief & { readonly contactId: ContactId }>(CONTACT_BRIEFS, [
    tenantId,
    plainArray(contactIds),
  ]);
  return new Map(rows.map(({ contactId, ...brief }) => [contactId, brief]));
}
