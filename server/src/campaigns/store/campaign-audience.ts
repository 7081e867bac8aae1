import type { Campaign } from '#campaigns/domain/campaign';
import { recipientOfContact } from '#contacts/domain/contact';
import { contactConditionSql } from '#contacts/store/contact-conditions';
import type { Condition } from '#core/conditions/condition';
import type { ContactId, TenantId } from '#core/ids';
import { idFloor } from '#core/ids';
import type { JsonObject } from '#core/json';
import { phoneKey } from '#core/phone/phone-key';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import type { CampaignKey } from './campaign-recipients.ts';

/** A contact that a condition holds for. */
export interface Member {
  readonly contactId: ContactId;
  /** The number, else the user id; null: there is neither. */
  readonly recipient: string | null;
}

export interface MemberQuery {
  readonly tenantId: TenantId;
  readonly condition: Condition;
  /** Contacts made until this moment are judged, and times of the condition count from it. */
  readonly asOfMs: number;
  /** Contacts behind this one, in the order of their ids; null: from the first. */
  readonly after: ContactId | null;
  readonly limit: number;
}

/** The next contacts that a condition holds for, in the order in which they were made. */
export async function findMembers(
  db: Pick<Database, 'kysely'>,
  { tenantId, condition, asOfMs, after, limit }: MemberQuery,
): Promise<readonly Member[]> {
  let query = db.kysely
    .selectFrom('contacts as c')
    .select(['c.contactId', 'c.phone', 'c.userId'])
    .where('c.tenantId', '=', tenantId)
    .where('c.mergedInto', 'is', null)
    .where('c.erasedMs', 'is', null)
    .where('c.contactId', '<', idFloor<ContactId>(asOfMs + 1))
    .where(contactConditionSql(condition, { tenantId, nowMs: asOfMs }));
  if (after !== null) query = query.where('c.contactId', '>', after);
  const rows = await query.orderBy('c.contactId').limit(limit).execute();
  return rows.map((row) => ({ contactId: row.contactId as ContactId, recipient: recipientOfContact(row) }));
}

const CAMPAIGN_AUDIENCE_ADVANCE = statement('campaign_audience_advance')`
update campaigns set audience_cursor = coalesce($3::uuid, audience_cursor), left_out = left_out + $4, audience_pending = $5,
  due_ms = $6, updated_ms = $7
where tenant_id = $1 and campaign_id = $2`;

export interface AudienceStep {
  readonly cursor: ContactId | null;
  readonly leftOut: number;
  readonly pending: boolean;
  /** The campaign is this process's until then. */
  readonly dueMs: number;
  readonly nowMs: number;
}

/** Notes how far the members of an audience were taken in. The campaign is locked. */
export async function advanceAudience(
  tx: Transaction,
  { tenantId, campaignId }: CampaignKey,
  { cursor, leftOut, pending, dueMs, nowMs }: AudienceStep,
): Promise<void> {
  await tx.run(CAMPAIGN_AUDIENCE_ADVANCE, [tenantId, campaignId, cursor, leftOut, pending, dueMs, nowMs]);
}

const VALUES = statement('campaign_contact_values')`
select i.value as phone, coalesce(c.name, c.profile_name) as name, c.phone as contact_phone, c.external_id, c.language, c.country,
  c.attributes
from contact_identities i
join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
where i.tenant_id = $1 and i.kind = any('{phone,user_id}') and i.value = any($2::text[]) and c.erased_ms is null`;

interface ValueRow {
  readonly phone: string;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly language: string | null;
  readonly country: string | null;
  readonly attributes: JsonObject;
}

export type ContactValues = Readonly<Record<string, string>>;

/** What placeholders can say of the contacts with these numbers: `contact.name`, `contact.attributes.city` and the like. */
export async function findContactValues(
  db: SqlRunner,
  tenantId: Campaign['tenantId'],
  phones: readonly string[],
): Promise<ReadonlyMap<string, ContactValues>> {
  const keys = new Map(phones.map((phone) => [phone, phoneKey(phone)]));
  const { rows } = await db.run<ValueRow>(VALUES, [tenantId, [...keys.values()]]);
  const byKey = new Map(rows.map((row) => [row.phone, valuesOf(row)]));
  return new Map([...keys].flatMap(([phone, key]) => [[phone, byKey.get(key) ?? {}] as const]));
}

function valuesOf({ name, externalId, language, country, attributes }: ValueRow): ContactValues {
  const fields = { name, external_id: externalId, language, country };
  return Object.fromEntries([
    ...Object.entries(fields).map(([field, value]) => [`contact.${field}`, value ?? '']),
    ...Object.entries(attributes).map(([key, value]) => [`contact.attributes.${key}`, textOf(value)]),
  ]);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return value === null || value === undefined ? '' : String(value);
}

const SUPPRESSED = statement('campaign_suppressed')`
select phone_key, blocked from suppressions
where tenant_id = $1 and phone_key = any($2::text[]) and (blocked or opted_out or $3::text = any(stopped_numbers))`;

/** Which of these numbers are not written to right now: of a campaign, always read from the database. */
export async function findSuppressed(
  db: SqlRunner,
  { tenantId, phoneNumberId }: Pick<Campaign, 'tenantId' | 'phoneNumberId'>,
  phones: readonly string[],
): Promise<ReadonlyMap<string, 'blocked' | 'opted_out'>> {
  const keys = phones.map(phoneKey);
  const { rows } = await db.run<{ phoneKey: string; blocked: boolean }>(SUPPRESSED, [tenantId, keys, phoneNumberId]);
  const byKey = new Map(rows.map((row) => [row.phoneKey, row.blocked ? ('blocked' as const) : ('opted_out' as const)]));
  return new Map(
    phones.flatMap((phone) => {
      const why = byKey.get(phoneKey(phone));
      return why === undefined ? [] : [[phone, why] as const];
    }),
  );
}
