import type { HeldIdentity } from '#contacts/domain/contact-identity';
import { findHeld, holdPeople, lockKnownContacts, type TenantName } from '#contacts/store/contact-identities';
import type { TenantId } from '#core/ids';
import type { Person } from '#core/json-fields';
import { phoneKey } from '#core/phone/phone-key';
import type { Transaction } from '#database/database';
import type { IdentityChange } from '#inbound/domain/callback-identity';
import { namesOf } from './join-contacts.ts';

/** Somebody of whom a callback says something, under all names that it shows. */
export interface Mentioned {
  readonly tenantId: TenantId;
  readonly people: readonly Person[];
  /** Whether a change of the names is reported. */
  readonly isChange: boolean;
}

export function mentionOf(tenantId: TenantId, person: Person, change: IdentityChange | undefined): Mentioned {
  const people = change === undefined ? [person] : [person, change.previous, change.current];
  return { tenantId, people, isChange: change !== undefined };
}

/**
 * Locks everybody of whom callbacks say something, before anything else of their transaction: two that share people wait for each
 * other then, and not in a circle. Where a contact may be made or merged, nobody else does either with contacts of the tenant: no
 * order of rows helps where it is not known yet which they are.
 */
export async function holdSenders(tx: Transaction, mentioned: readonly Mentioned[]): Promise<void> {
  if (mentioned.length === 0) return;
  const names = mentioned.flatMap(ofTenant);
  const held = new Map((await findHeld(tx, names)).map((one) => [keyOf(one), one]));
  const alone = new Set(mentioned.filter((one) => mayJoin(one, held)).map(({ tenantId }) => tenantId));
  for (const tenantId of [...new Set(mentioned.map((one) => one.tenantId))].sort()) {
    await holdPeople(tx, tenantId, alone.has(tenantId) ? 'alone' : 'shared');
  }
  await lockKnownContacts(tx, names);
}

function ofTenant({ tenantId, people }: Mentioned): readonly TenantName[] {
  return namesOf(...people).map((name) => ({ tenantId, ...name }));
}

function keyOf({ tenantId, kind, value }: TenantName): string {
  return `${tenantId}/${kind}/${phoneKey(value)}`;
}

/** Whether its names may not be one contact's, all of them, from the beginning to the end. */
function mayJoin(one: Mentioned, held: ReadonlyMap<string, HeldIdentity>): boolean {
  const found = ofTenant(one).map((name) => held.get(keyOf(name)));
  const owners = new Set(found.map((identity) => identity?.contactId));
  return (
    one.isChange || owners.size !== 1 || owners.has(undefined) || found.some((identity) => identity?.leftMs !== null)
  );
}
