import { sql } from 'kysely';
import { type Contact, type ContactStatus, type Marketing, searchTerms } from '#contacts/domain/contact';
import type { Condition } from '#core/conditions/condition';
import type { TenantId } from '#core/ids';
import { idFloor } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { phoneKey } from '#core/phone/phone-key';
import { foldWhole } from '#core/text/normalize-text';
import type { Database } from '#database/database';
import { contactConditionSql } from './contact-conditions.ts';
import { toContact } from './contact-rows.ts';

export interface ContactFilter {
  /** Digits, in any spelling. */
  readonly phone?: string;
  readonly tag?: string;
  /** Beginnings of words of the name, or of the number. */
  readonly q?: string;
  readonly status?: ContactStatus;
  readonly consent?: Marketing;
  readonly externalId?: string;
  readonly createdAfterMs?: number;
  readonly createdBeforeMs?: number;
  readonly updatedSinceMs?: number;
  readonly condition?: Condition;
}

/** More words of a search narrow nothing down. */
const MAX_SEARCH_TERMS = 6;

interface AskedContacts {
  readonly tenantId: TenantId;
  readonly filter: ContactFilter;
  readonly nowMs: number;
}

/** Newest first. Search, tag, phone and external id walk an index of their own. */
export async function listContacts(
  db: Pick<Database, 'kysely'>,
  asked: AskedContacts,
  window: ListWindow,
): Promise<Page<Contact>> {
  const rows = await pageQuery(db, asked, window).execute();
  return { items: rows.slice(0, window.limit).map(toContact), hasMore: rows.length > window.limit };
}

/** The statement of a page, for whoever wants to see its plan. */
export function contactsPageSql(
  db: Pick<Database, 'kysely'>,
  asked: AskedContacts,
  window: ListWindow,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  return pageQuery(db, asked, window).compile();
}

/** A page, and one row more. */
function pageQuery(db: Pick<Database, 'kysely'>, asked: AskedContacts, window: ListWindow) {
  const query = matching(db, asked)
    .selectAll('c')
    .orderBy('c.contact_id', 'desc')
    .limit(window.limit + 1);
  if (window.beforeId === null) return query.offset(window.offset);
  return query.where('c.contact_id', '<', window.beforeId);
}

export async function countContacts(db: Pick<Database, 'kysely'>, asked: AskedContacts): Promise<number> {
  const row = await matching(db, asked)
    .select((build) => build.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function matching(db: Pick<Database, 'kysely'>, { tenantId, filter, nowMs }: AskedContacts) {
  let query = db.kysely
    .selectFrom('contacts as c')
    .where('c.tenant_id', '=', tenantId)
    .where('c.merged_into', 'is', null)
    .where('c.erased_ms', 'is', null);
  if (filter.status !== undefined) query = query.where('c.status', '=', filter.status);
  if (filter.consent !== undefined) query = query.where('c.marketing', '=', filter.consent);
  if (filter.externalId !== undefined) query = query.where('c.external_id', '=', filter.externalId);
  if (filter.updatedSinceMs !== undefined) query = query.where('c.updated_ms', '>=', filter.updatedSinceMs);
  if (filter.createdAfterMs !== undefined) query = query.where('c.contact_id', '>=', idFloor(filter.createdAfterMs));
  if (filter.createdBeforeMs !== undefined) query = query.where('c.contact_id', '<', idFloor(filter.createdBeforeMs));
  if (filter.phone !== undefined) query = query.where(ownsPhone(tenantId, filter.phone));
  if (filter.tag !== undefined) query = query.where(hasTerm(tenantId, `t:${foldWhole(filter.tag)}`));
  for (const term of searchTerms(filter.q ?? '').slice(0, MAX_SEARCH_TERMS)) {
    query = query.where(hasTermFrom(tenantId, term));
  }
  return filter.condition === undefined
    ? query
    : query.where(contactConditionSql(filter.condition, { tenantId, nowMs }));
}

function ownsPhone(tenantId: TenantId, phone: string) {
  return sql<boolean>`c.contact_id in (
    select i.contact_id from contact_identities i
    where i.tenant_id = ${tenantId} and i.kind = 'phone' and i.value = ${phoneKey(phone)})`;
}

function hasTerm(tenantId: TenantId, term: string) {
  return sql<boolean>`c.contact_id in (
    select t.contact_id from contact_terms t where t.tenant_id = ${tenantId} and t.term = ${term})`;
}

/** Terms are compared by bytes: U+10FFFF follows whatever a term begins with. */
function hasTermFrom(tenantId: TenantId, start: string) {
  return sql<boolean>`c.contact_id in (
    select t.contact_id from contact_terms t
    where t.tenant_id = ${tenantId} and t.term >= ${start} and t.term < ${`${start}\u{10FFFF}`})`;
}
