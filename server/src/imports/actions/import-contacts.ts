import { type ContactSave, type ContactWork, saveContacts } from '#contacts/actions/save-contacts';
import type { Contact } from '#contacts/domain/contact';
import type { AttributeType } from '#contacts/domain/contact-attribute';
import { applyContactChange, type ContactChange } from '#contacts/domain/contact-change';
import { newContact } from '#contacts/domain/new-contact';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { claimKeys } from '#contacts/store/contact-identities';
import type { ContactId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { SqlRunner } from '#database/database';
import { readRow, withoutRelease } from '#imports/domain/contact-row';
import type { ContactImport, FilePortion, FileRow } from '#imports/domain/import';
import { lockByExternalIds, lockByKeys } from '#imports/store/import-contacts';
import type { RowOutcome } from '#imports/store/imports';

interface ContactOutcome extends RowOutcome {
  readonly save?: ContactSave;
}

/** Makes and changes contacts as rows of a file say, unless the import only tries. @returns what became of each row */
export async function importContacts(
  work: ContactWork,
  of: ContactImport,
  portion: FilePortion,
): Promise<readonly RowOutcome[]> {
  const attributes = await findAttributeTypes(work.tx, of.tenantId);
  const outcomes = await evaluateRows(work, of, { ...portion, attributes });
  const saves = outcomes.flatMap(({ save }) => (save === undefined ? [] : [save]));
  if (!of.dryRun) await saveAll(work, of, saves);
  return outcomes;
}

/** @returns what rows of an import are recognised by within their file; null: nothing recognises a row */
export async function readContactKeys(db: SqlRunner, of: ContactImport): Promise<(row: FileRow) => string | null> {
  const attributes = await findAttributeTypes(db, of.tenantId);
  return (row) => {
    const read = readRow(row, { mapping: of.mapping, attributes });
    return read.ok ? keyOf(of, read.change) : null;
  };
}

/** What every row comes to, in the order of the file. */
async function evaluateRows(
  work: ContactWork,
  of: ContactImport,
  { rows, seen, attributes }: FilePortion & { readonly attributes: ReadonlyMap<string, AttributeType> },
): Promise<readonly ContactOutcome[]> {
  const read = rows.map((row) => readRow(row, { mapping: of.mapping, attributes }));
  const wishes = read.flatMap((row) => (row.ok ? [row.change] : []));
  const keys = wishes.flatMap(identityKeys);
  const externalIds = wishes.flatMap(({ externalId }) => (externalId ? [externalId] : []));
  const known: Known = {
    byIdentity: new Map(await lockByKeys(work.tx, of.tenantId, keys)),
    byExternalId: new Map(await lockByExternalIds(work.tx, of.tenantId, externalIds)),
  };
  return read.map((row): ContactOutcome => {
    if (!row.ok) return { outcome: 'invalid', reason: row.reason };
    const key = keyOf(of, row.change);
    if (key === null)
      return {
        outcome: 'invalid',
        reason: `The row has no ${of.matchOn === 'phone' ? 'phone and no user_id' : of.matchOn}.`,
      };
    if (seen.has(key)) return { outcome: 'duplicate_in_file', reason: `An earlier row has this ${of.matchOn}.` };
    seen.add(key);
    return evaluateRow(work, of, { change: row.change, known });
  });
}

interface Known {
  /** By the keys of numbers, and by user ids. */
  readonly byIdentity: Map<string, Contact>;
  readonly byExternalId: Map<string, Contact>;
}

/** What a row is recognised by, within its file. */
function keyOf({ matchOn }: ContactImport, change: ContactChange): string | null {
  return (matchOn === 'phone' ? identityKeys(change)[0] : change.externalId) ?? null;
}

/** The key of the number first, since it recognises a person whose user id may change. */
function identityKeys({ phone, userId }: Pick<ContactChange, 'phone' | 'userId'>): readonly string[] {
  return [phone, userId].flatMap((value) => (value ? [phoneKey(value)] : []));
}

const IMPORTED = { source: 'import', wording: null, messageId: null } as const;

function evaluateRow(
  { rt, nowMs }: ContactWork,
  of: ContactImport,
  { change, known }: { readonly change: ContactChange; readonly known: Known },
): ContactOutcome {
  const keys = identityKeys(change);
  const byIdentity = keys.flatMap((key) => known.byIdentity.get(key) ?? []);
  const byExternalId = change.externalId ? known.byExternalId.get(change.externalId) : undefined;
  const before = of.matchOn === 'phone' ? byIdentity[0] : byExternalId;
  const other = [...byIdentity, byExternalId].find((one) => one !== undefined && one.contactId !== before?.contactId);
  if (other !== undefined) {
    return {
      outcome: 'failed',
      reason: `The contact ${other.contactId} already has this phone number, user ID or external ID.`,
    };
  }
  if (before === undefined && of.mode === 'update')
    return { outcome: 'skipped', reason: 'The contact does not exist.' };
  if (before !== undefined && of.mode === 'create') {
    return { outcome: 'skipped', reason: `The contact ${before.contactId} already exists.` };
  }
  if (before === undefined && keys.length === 0) {
    return { outcome: 'invalid', reason: 'A new contact needs a phone or a user_id.' };
  }
  // A number or user id is changed by a person, not by a file: the identity of a contact is not moved in bulk.
  const from = before ?? newContact(rt.newId<ContactId>(), nowMs);
  const { phone = null, userId = null, ...rest } = { ...withoutRelease(change, from), consentSource: IMPORTED.source };
  const after = applyContactChange(from, before === undefined ? { ...rest, phone, userId } : rest, nowMs);
  const changed = before === undefined ? { ...after, version: 1 } : after;
  for (const key of before === undefined ? keys : keys.slice(0, 1)) known.byIdentity.set(key, changed);
  if (changed.externalId !== null) known.byExternalId.set(changed.externalId, changed);
  if (before === undefined) return { outcome: 'created', save: { before: null, after: changed, proof: IMPORTED } };
  return after === before ? { outcome: 'unchanged' } : { outcome: 'updated', save: { before, after, proof: IMPORTED } };
}

async function saveAll(work: ContactWork, { tenantId }: ContactImport, saves: readonly ContactSave[]): Promise<void> {
  const claims = saves.flatMap(({ before, after }) =>
    before === null ? identityKeys(after).map((key) => ({ key, contactId: after.contactId })) : [],
  );
  // Somebody made one of them meanwhile: the portion is rolled back, and finds it the next time.
  if (claims.length > 0 && (await claimKeys(work.tx, tenantId, claims)) < claims.length) {
    throw new Error('A contact of this portion was made meanwhile.');
  }
  await saveContacts(work, tenantId, saves);
}
