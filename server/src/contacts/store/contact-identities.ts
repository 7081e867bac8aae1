import type { Contact } from '#contacts/domain/contact';
import type { HeldIdentity } from '#contacts/domain/contact-identity';
import type { ContactId, TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { IdentityKind } from '#core/phone/recipient';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { identityKindSql } from '#database/phone-key-sql';
import { type ContactRow, toContact } from './contact-rows.ts';

/** A number or user id, as it is spelled. */
export interface IdentityName {
  readonly kind: IdentityKind;
  readonly value: string;
}

/** A contact, and one of the identities by which it was found. */
export interface RecognisedContact {
  readonly identity: HeldIdentity;
  readonly contact: Contact;
}

/** Merges that may happen between two looks at the same contacts. */
const MAX_LOOKS = 10;

const RECOGNISE_ALL = statement('contact_recognise_all')`
select c.*, i.kind as identity_kind, i.value as identity_value, i.since_ms as identity_since_ms, i.left_ms as identity_left_ms
from contact_identities i
join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
where i.tenant_id = $1
  and ((i.kind = 'phone' and i.value = any($2::text[])) or (i.kind = 'user_id' and i.value = any($3::text[])))
order by c.contact_id for update of c`;

interface RecognisedRow extends ContactRow {
  readonly identityKind: IdentityKind;
  readonly identityValue: string;
  readonly identitySinceMs: number | null;
  readonly identityLeftMs: number | null;
}

/** Locks the contacts with these numbers, in any spelling, and user ids, in the order of their ids: one entry for each identity. */
export async function recognizeAll(
  tx: Transaction,
  tenantId: TenantId,
  names: readonly IdentityName[],
): Promise<readonly RecognisedContact[]> {
  const of = (kind: IdentityKind) => names.flatMap((one) => (one.kind === kind ? [phoneKey(one.value)] : []));
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { rows } = await tx.run<RecognisedRow>(RECOGNISE_ALL, [tenantId, of('phone'), of('user_id')]);
    // Whoever waited for a merge holds a contact that is no more: its identities have moved, and are looked up anew.
    if (rows.every((row) => row.mergedInto === null && row.erasedMs === null)) return rows.map(toRecognised);
  }
  throw new Error('Contacts kept being merged while they were recognised.');
}

function toRecognised(row: RecognisedRow): RecognisedContact {
  const identity = {
    kind: row.identityKind,
    value: row.identityValue,
    contactId: row.contactId,
    sinceMs: row.identitySinceMs,
    leftMs: row.identityLeftMs,
  };
  return { identity, contact: toContact(row) };
}

/** A name of whom a tenant knows, or does not. */
export interface TenantName extends IdentityName {
  readonly tenantId: TenantId;
}

const FIND_HELD = statement('contact_identities_find')`
select i.tenant_id, i.kind, i.value, i.contact_id, i.since_ms, i.left_ms
from unnest($1::uuid[], $2::text[], $3::text[]) as n (tenant_id, kind, value)
join contact_identities i on i.tenant_id = n.tenant_id and i.kind = n.kind and i.value = n.value`;

/** Whose these names are; nothing is locked. */
export async function findHeld(
  tx: Transaction,
  names: readonly TenantName[],
): Promise<readonly (HeldIdentity & { readonly tenantId: TenantId })[]> {
  return (await tx.run<HeldIdentity & { tenantId: TenantId }>(FIND_HELD, keysOf(names))).rows;
}

const HOLD_PEOPLE = statement('contact_hold_people')`
select pg_advisory_xact_lock(hashtextextended('people/' || $1::text, 0))`;
const SHARE_PEOPLE = statement('contact_share_people')`
select pg_advisory_xact_lock_shared(hashtextextended('people/' || $1::text, 0))`;

/** Keeps from others, until the end of the transaction, that contacts of a tenant are made or merged; or waits until nobody does that. */
export async function holdPeople(tx: Transaction, tenantId: TenantId, how: 'alone' | 'shared'): Promise<void> {
  await tx.run(how === 'alone' ? HOLD_PEOPLE : SHARE_PEOPLE, [tenantId]);
}

const LOCK_KNOWN = statement('contact_lock_known')`
select c.contact_id from unnest($1::uuid[], $2::text[], $3::text[]) as n (tenant_id, kind, value)
join contact_identities i on i.tenant_id = n.tenant_id and i.kind = n.kind and i.value = n.value
join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
order by c.tenant_id, c.contact_id for update of c`;

/** Locks all contacts with these names, in the order of their ids. */
export async function lockKnownContacts(tx: Transaction, names: readonly TenantName[]): Promise<void> {
  await tx.run(LOCK_KNOWN, keysOf(names));
}

function keysOf(names: readonly TenantName[]): readonly unknown[] {
  const tenants = plainArray(names.map((one) => one.tenantId));
  return [tenants, names.map((one) => one.kind), names.map((one) => phoneKey(one.value))];
}

const IDENTITIES_OF = statement('contact_identities_of')`
select kind, value, contact_id, since_ms, left_ms from contact_identities where tenant_id = $1 and contact_id = $2`;

/** Everything that a contact is recognised by. */
export async function findIdentitiesOf(
  tx: Transaction,
  tenantId: TenantId,
  contactId: ContactId,
): Promise<readonly HeldIdentity[]> {
  return (await tx.run<HeldIdentity>(IDENTITIES_OF, [tenantId, contactId])).rows;
}

const IDENTITY_TIMES = statement('contact_identity_times')`
update contact_identities set since_ms = greatest(since_ms, $5::bigint), left_ms = greatest(left_ms, $6::bigint)
where tenant_id = $1 and contact_id = $2 and kind = $3 and value = $4`;

/** Notes when a contact took an identity, or gave it up. Of several such times the latest counts, in whichever order they come. */
export async function noteIdentityTime(
  tx: Transaction,
  { tenantId, contactId }: { readonly tenantId: TenantId; readonly contactId: ContactId },
  { kind, value }: IdentityName,
  at: { readonly sinceMs: number } | { readonly leftMs: number },
): Promise<void> {
  const times = 'sinceMs' in at ? [at.sinceMs, null] : [null, at.leftMs];
  await tx.run(IDENTITY_TIMES, [tenantId, contactId, kind, phoneKey(value), ...times]);
}

const IDENTITY_RETURNS = statement('contact_identity_returns')`
update contact_identities set since_ms = greatest(since_ms, $5::bigint)
where tenant_id = $1 and contact_id = $2 and kind = $3 and value = $4 and left_ms is not null`;

/** Lets a contact have an identity again that it gave up; one that it did not give up stays as it is. */
export async function takeIdentityBack(
  tx: Transaction,
  { tenantId, contactId }: { readonly tenantId: TenantId; readonly contactId: ContactId },
  { kind, value }: IdentityName,
  nowMs: number,
): Promise<void> {
  await tx.run(IDENTITY_RETURNS, [tenantId, contactId, kind, phoneKey(value), nowMs]);
}

const CLAIM_KEYS = statement('contact_claim_keys')`
insert into contact_identities (tenant_id, kind, value, contact_id)
select $1, ${identityKindSql('c.value')}, c.value, c.contact_id from unnest($2::text[], $3::uuid[]) as c(value, contact_id) order by c.value
on conflict do nothing
returning value`;

/** Takes keys of numbers and user ids for new contacts. @returns how many of them were free */
export async function claimKeys(
  tx: SqlRunner,
  tenantId: TenantId,
  claims: readonly { readonly key: string; readonly contactId: ContactId }[],
): Promise<number> {
  const values = [claims.map(({ key }) => key), claims.map(({ contactId }) => contactId)];
  return (await tx.run(CLAIM_KEYS, [tenantId, ...values])).rows.length;
}

const LOCK_ALL = statement('contact_lock_all')`
select * from contacts where tenant_id = $1 and contact_id = any($2::uuid[]) order by contact_id for update`;

/** Locks contacts in the order of their ids. */
export async function lockContacts(
  tx: Transaction,
  tenantId: TenantId,
  contactIds: readonly ContactId[],
): Promise<readonly Contact[]> {
  if (contactIds.length === 0) return [];
  return (await tx.run<ContactRow>(LOCK_ALL, [tenantId, plainArray(contactIds)])).rows.map(toContact);
}
