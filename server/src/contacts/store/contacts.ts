import type { Contact } from '#contacts/domain/contact';
import { type ContactId, isUuid, type TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { IdentityKind } from '#core/phone/recipient';
import { columnsOf, plainArray } from '#database/arrays';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock } from '#database/rows';
import { type ContactRow, fromContact, toContact } from './contact-rows.ts';

/** What a contact can be recognised by. */
export interface Recognisable {
  /** As it is spelled. */
  readonly phone: string | null;
  readonly userId: string | null;
}

const CONTACT_FIND = statement('contact_find')`
select * from contacts where tenant_id = $1 and contact_id = $2 and merged_into is null and erased_ms is null`;
const CONTACT_LOCK = statement('contact_lock')`${CONTACT_FIND.text} for update`;

/** The contact that one is part of, over any number of merges. */
const SURVIVOR = statement('contact_survivor')`
with recursive way as (
  select contact_id, merged_into from contacts where tenant_id = $1 and contact_id = $2 and merged_into is not null
  union
  select c.contact_id, c.merged_into from way w join contacts c on c.tenant_id = $1 and c.contact_id = w.merged_into
)
select contact_id from way where merged_into is null`;

/** Merges that may happen between two looks at one contact. */
const MAX_ROUNDS = 10;

/** By the id of one that was merged away: its survivor. */
export const findContact: Find<Contact> = (db, ...key) => one(db, CONTACT_FIND, ...key);
export const lockContact: Lock<Contact> = (tx, ...key) => one(tx, CONTACT_LOCK, ...key);

async function one(
  db: SqlRunner,
  statement: Statement,
  tenantId: TenantId,
  contactId: string,
): Promise<Contact | null> {
  if (!isUuid(contactId)) return null;
  let id = contactId;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await firstRow(db.run<ContactRow>(statement, [tenantId, id]), toContact);
    if (found !== null) return found;
    const survivor = await firstRow(db.run<{ contactId: string }>(SURVIVOR, [tenantId, id]));
    if (survivor === null) return null;
    id = survivor.contactId;
  }
  return null;
}

const RECOGNISE = statement('contact_recognise')`
select c.* from contact_identities i
join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
where i.tenant_id = $1 and ((i.kind = 'phone' and i.value = $2) or (i.kind = 'user_id' and i.value = $3))
order by i.kind limit 1 for update of c`;

/**
 * Locks the contact with this number in any spelling, else the one with this user id. When both are known and mean
 * different contacts, the number's wins: a merge is a person's decision.
 */
export async function recognizeContact(tx: Transaction, tenantId: TenantId, by: Recognisable): Promise<Contact | null> {
  const key = by.phone === null ? null : phoneKey(by.phone);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await firstRow(tx.run<ContactRow>(RECOGNISE, [tenantId, key, by.userId]));
    if (found === null) return null;
    // Whoever waited for a merge holds the contact that is no more: its identities have moved, and are looked up anew.
    if (found.mergedInto === null && found.erasedMs === null) return toContact(found);
  }
  throw new Error('A contact kept being merged while it was recognised.');
}

const BY_EXTERNAL_ID = statement('contact_by_external_id')`
select * from contacts where tenant_id = $1 and external_id = $2 and merged_into is null and erased_ms is null for update`;

export const lockByExternalId: Lock<Contact> = (tx, ...key) =>
  firstRow(tx.run<ContactRow>(BY_EXTERNAL_ID, key), toContact);

const CONTACT_CLAIM_IDENTITY = statement('contact_claim_identity')`
insert into contact_identities (tenant_id, kind, value, contact_id, since_ms) values ($1, $2, $3, $4, $5)
on conflict do nothing returning contact_id`;
const OWNER = statement('contact_identity_owner')`
select contact_id from contact_identities where tenant_id = $1 and kind = $2 and value = $3`;

export interface IdentityClaim {
  readonly tenantId: TenantId;
  readonly kind: IdentityKind;
  /** As it is spelled. */
  readonly value: string;
  readonly contactId: ContactId;
  /** Since when it is the contact's, by the network's clock; left out when nobody said so. */
  readonly sinceMs?: number;
}

/**
 * Takes an identity for a contact. Two that want the same one at once meet on its key: the second waits for the first.
 * One that is there already is not locked: whoever holds it could be waited for by the one who holds its contact.
 * @returns whose it is now
 */
export async function claimIdentity(tx: Transaction, claim: IdentityClaim): Promise<ContactId> {
  const key = [claim.tenantId, claim.kind, phoneKey(claim.value)];
  const row = [...key, claim.contactId, claim.sinceMs ?? null];
  const taken = await tx.run<{ contactId: ContactId }>(CONTACT_CLAIM_IDENTITY, row);
  if (taken.rowCount > 0) return claim.contactId;
  const { rows } = await tx.run<{ contactId: ContactId }>(OWNER, key);
  return rows[0]?.contactId ?? claim.contactId;
}

const CONTACT_RELEASE_IDENTITY = statement('contact_release_identity')`
delete from contact_identities where tenant_id = $1 and contact_id = $2 and kind = $3 and value = $4`;

/** Frees an identity of a contact, as far as it is the contact's. */
export async function releaseIdentity(
  tx: Transaction,
  { tenantId, kind, value, contactId }: Omit<IdentityClaim, 'sinceMs'>,
): Promise<void> {
  await tx.run(CONTACT_RELEASE_IDENTITY, [tenantId, contactId, kind, phoneKey(value)]);
}

const CONTACTS_WRITE = statement('contacts_write')`
insert into contacts (
  tenant_id, contact_id, phone, user_id, name, book_name, book_ms, profile_name, username, external_id, language, country, status, attributes,
  tags, marketing, marketing_source, marketing_ms, number_consents, folded, last_inbound_ms, created_ms, updated_ms, version)
select $1, r.contact_id, r.phone, r.user_id, r.name, r.book_name, r.book_ms, r.profile_name, r.username, r.external_id, r.language, r.country,
  r.status, r.attributes, r.tags, r.marketing, r.marketing_source, r.marketing_ms, r.number_consents, r.folded, r.last_inbound_ms,
  r.created_ms, r.updated_ms, r.version
from jsonb_to_recordset($2::jsonb) as r(
  contact_id uuid, phone text, user_id text, name text, book_name text, book_ms bigint, profile_name text, username text, external_id text,
  language text, country text, status text, attributes jsonb, tags text[], marketing text, marketing_source text,
  marketing_ms bigint, number_consents jsonb, folded jsonb, last_inbound_ms bigint, created_ms bigint, updated_ms bigint, version integer)
on conflict (tenant_id, contact_id) do update set
  phone = excluded.phone, user_id = excluded.user_id, name = excluded.name, book_name = excluded.book_name, book_ms = excluded.book_ms, profile_name = excluded.profile_name,
  username = excluded.username, external_id = excluded.external_id, language = excluded.language,
  country = excluded.country, status = excluded.status, attributes = excluded.attributes, tags = excluded.tags,
  marketing = excluded.marketing, marketing_source = excluded.marketing_source, marketing_ms = excluded.marketing_ms,
  number_consents = excluded.number_consents,
  folded = excluded.folded, last_inbound_ms = greatest(contacts.last_inbound_ms, excluded.last_inbound_ms),
  updated_ms = excluded.updated_ms, version = excluded.version`;

const DROP_TERMS = statement('contact_terms_drop')`
delete from contact_terms t using jsonb_to_recordset($2::jsonb) as r(contact_id uuid, terms text[])
where t.tenant_id = $1 and t.contact_id = r.contact_id and t.term <> all (r.terms)`;
const ADD_TERMS = statement('contact_terms_add')`
insert into contact_terms (tenant_id, term, contact_id)
select $1, unnest(r.terms), r.contact_id from jsonb_to_recordset($2::jsonb) as r(contact_id uuid, terms text[])
on conflict do nothing`;

/** Stores new and changed contacts, with the terms that they are found by. Changed ones are locked by the caller. */
export async function writeContacts(tx: Transaction, tenantId: TenantId, contacts: readonly Contact[]): Promise<void> {
  const rows = JSON.stringify(contacts.map(fromContact));
  await tx.run(CONTACTS_WRITE, [tenantId, rows]);
  await tx.run(DROP_TERMS, [tenantId, rows]);
  await tx.run(ADD_TERMS, [tenantId, rows]);
}

const CONTACTS_TOUCH = statement('contacts_touch')`
update contacts c set last_inbound_ms = greatest(c.last_inbound_ms, t.last_inbound_ms)
from unnest($2::uuid[], $3::bigint[]) as t (contact_id, last_inbound_ms)
where c.tenant_id = $1 and c.contact_id = t.contact_id`;

/** The same of many contacts, each once, which the caller has locked. */
export async function touchContacts(
  tx: Transaction,
  tenantId: TenantId,
  wrote: readonly { readonly contactId: ContactId; readonly inboundMs: number }[],
): Promise<void> {
  if (wrote.length === 0) return;
  await tx.run(CONTACTS_TOUCH, [tenantId, ...columnsOf(wrote, 'contactId', 'inboundMs').map(plainArray)]);
}

const CONTACT_TOUCH = statement('contact_touch')`
update contacts set last_inbound_ms = greatest(last_inbound_ms, $3) where tenant_id = $1 and contact_id = $2`;

/** Notes that a contact wrote, which changes nothing that people edit. */
export async function touchContact(
  tx: Transaction,
  tenantId: TenantId,
  contactId: ContactId,
  inboundMs: number,
): Promise<void> {
  await tx.run(CONTACT_TOUCH, [tenantId, contactId, inboundMs]);
}
