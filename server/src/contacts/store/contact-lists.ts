import { sql } from 'kysely';
import { type Contact, type ContactStatus, type Marketing, searchTerms } from '#contacts/domain/contact';
import type { Condition } from '#core/conditions/condition';
import { type ContactId, idFloor, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { phoneKey } from '#core/phone/phone-key';
import type { IdentityKind } from '#core/phone/recipient';
import { foldWhole } from '#core/text/normalize-text';
import type { Database } from '#database/database';
import { newestFirst, pageOf } from '#database/rows';
import { contactConditionSql } from './contact-conditions.ts';
import { toContact } from './contact-rows.ts';

export interface ContactFilter {
  /** Digits, in any spelling. */
  readonly phone?: string;
  readonly userId?: string;
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

/** Newest first. Search, tag, phone, user id and external id walk an index of their own. */
export async function listContacts(
  db: Pick<Database, 'kysely'>,
  asked: AskedContacts,
  window: ListWindow,
): Promise<Page<Contact>> {
  return pageOf((await pageQuery(db, asked, window).execute()).map(toContact), window.limit);
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
  return newestFirst(matching(db, asked).selectAll('c'), 'c.contactId', window);
}

export async function countContacts(db: Pick<Database, 'kysely'>, asked: AskedContacts): Promise<number> {
  const row = await matching(db, asked)
    .select((build) => build.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function matching(db: Pick<Database, 'kysely'>, { tenantId, filter, nowMs }: AskedContacts) {
  const { createdAfterMs, createdBeforeMs } = filter;
  let query = db.kysely
    .selectFrom('contacts as c')
    .where('c.tenantId', '=', tenantId)
    .where('c.mergedInto', 'is', null)
    .where('c.erasedMs', 'is', null);
  if (filter.status !== undefined) query = query.where('c.status', '=', filter.status);
  if (filter.consent !== undefined) query = query.where('c.marketing', '=', filter.consent);
  if (filter.externalId !== undefined) query = query.where('c.externalId', '=', filter.externalId);
  if (filter.updatedSinceMs !== undefined) query = query.where('c.updatedMs', '>=', filter.updatedSinceMs);
  if (createdAfterMs !== undefined) query = query.where('c.contactId', '>=', idFloor<ContactId>(createdAfterMs));
  if (createdBeforeMs !== undefined) query = query.where('c.contactId', '<', idFloor<ContactId>(createdBeforeMs));
  if (filter.phone !== undefined) query = query.where(owns(tenantId, 'phone', filter.phone));
  if (filter.userId !== undefined) query = query.where(owns(tenantId, 'user_id', filter.userId));
  if (filter.tag !== undefined) query = query.where(hasTerm(tenantId, `t:${foldWhole(filter.tag)}`));
  for (const term of searchTerms(filter.q ?? '').slice(0, MAX_SEARCH_TERMS)) {
    query = query.where(hasTermFrom(tenantId, term));
  }
  return filter.condition === undefined
    ? query
    : query.where(contactConditionSql(filter.condition, { tenantId, nowMs }));
}

function owns(tenantId: TenantId, kind: IdentityKind, value: string) {
  return sql<boolean>`c.contact_id in (
    select i.contact_id from contact_identities i
    where i.tenant_id = ${tenantId} and i.kind = ${kind} and i.value = ${phoneKey(value)})`;
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
