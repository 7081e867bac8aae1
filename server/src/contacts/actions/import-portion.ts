import type { Contact } from '#contacts/domain/contact';
import type { AttributeType } from '#contacts/domain/contact-attribute';
import { applyChange, type ContactChange } from '#contacts/domain/contact-change';
import { type FileRow, type ImportCounts, NO_COUNTS, readRow, withoutRelease } from '#contacts/domain/contact-import';
import { newContact } from '#contacts/domain/new-contact';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { claimPhoneKeys, lockByExternalIds, lockByPhoneKeys } from '#contacts/store/import-contacts';
import { advanceImport, type ContactImport, type ImportFault } from '#contacts/store/imports';
import type { ContactId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { type ContactSave, type ContactWork, saveContacts } from './save-contacts.ts';

/** Rows per transaction: its events and locks are held so long. */
export const PORTION_ROWS = 500;
/** A portion takes a fraction of a second; a killed process delays its import by at most this. */
export const IMPORT_LEASE_MS = 30_000;

export interface Portion {
  readonly of: ContactImport;
  /** Rows that were done before. */
  readonly doneBefore: number;
  readonly rows: readonly FileRow[];
  /** What earlier rows of the file were about; this portion adds its own. */
  readonly seen: Set<string>;
}

type Outcome = keyof ImportCounts;

interface Judged {
  readonly outcome: Outcome;
  readonly save?: ContactSave;
  readonly reason?: string;
}

/**
 * Brings in one portion of a file, with its counts, its faults and its place in one transaction: a kill leaves it done or
 * undone as a whole.
 * @returns false when another process did it
 */
export function importPortion(rt: Runtime, db: Database, portion: Portion): Promise<boolean> {
  const { of, doneBefore, rows } = portion;
  return withEvents(rt, db, async (tx, events) => {
    const nowMs = rt.clock.now();
    const attributes = await findAttributeTypes(tx, of.tenantId);
    const judged = await evaluateRows({ rt, tx, events, nowMs }, portion, attributes);
    const saves = judged.flatMap(({ save }) => (save === undefined ? [] : [save]));
    if (!of.dryRun) await saveAll({ rt, tx, events, nowMs }, of, saves);
    const counts = countOutcomes(judged);
    const faults = judged.flatMap((one, index) => faultOf(one, doneBefore + index + 1));
    const step = { of, doneBefore, rows: rows.length, counts, faults, leaseUntilMs: nowMs + IMPORT_LEASE_MS, nowMs };
    if (await advanceImport(tx, step)) return true;
    throw new DoneElsewhere('Another process has done these rows.');
  }).catch((error: unknown) => {
    if (error instanceof DoneElsewhere) return false;
    throw error;
  });
}

/** The lease was over and somebody else was faster; what was done here is undone. */
class DoneElsewhere extends Error {
  override name = 'DoneElsewhere';
}

/** What every row comes to, in the order of the file. */
async function evaluateRows(
  work: ContactWork,
  { of, rows, seen }: Portion,
  attributes: ReadonlyMap<string, AttributeType>,
): Promise<readonly Judged[]> {
  const read = rows.map((row) =>
    'wrong' in row ? wrongRow(row.wrong) : readRow(row.values, { mapping: of.mapping, attributes }),
  );
  const wishes = read.flatMap((row) => (row.ok ? [row.wish] : []));
  const phones = wishes.flatMap(({ phone }) => (phone ? [phoneKey(phone)] : []));
  const externalIds = wishes.flatMap(({ externalId }) => (externalId ? [externalId] : []));
  const known: Known = {
    byPhone: new Map(await lockByPhoneKeys(work.tx, of.tenantId, phones)),
    byExternalId: new Map(await lockByExternalIds(work.tx, of.tenantId, externalIds)),
  };
  return read.map((row): Judged => {
    if (!row.ok) return { outcome: 'invalid', reason: row.reason };
    const key = keyOf(of, row.wish);
    if (key === null) return { outcome: 'invalid', reason: `The row has no ${of.matchOn}.` };
    if (seen.has(key)) return { outcome: 'duplicateInFile', reason: `An earlier row has this ${of.matchOn}.` };
    seen.add(key);
    return evaluateRow(work, of, { wish: row.wish, known });
  });
}

function wrongRow(reason: string) {
  return { ok: false, reason } as const;
}

interface Known {
  readonly byPhone: Map<string, Contact>;
  readonly byExternalId: Map<string, Contact>;
}

/** What a row is recognised by, within its file. */
export function keyOf(
  { matchOn }: Pick<ContactImport, 'matchOn'>,
  { phone, externalId }: ContactChange,
): string | null {
  if (matchOn === 'phone') return phone ? phoneKey(phone) : null;
  return externalId ?? null;
}

interface WishedRow {
  readonly wish: ContactChange;
  readonly known: Known;
}

const IMPORTED = { source: 'import', wording: null, messageId: null } as const;

function evaluateRow({ rt, nowMs }: ContactWork, of: ContactImport, { wish, known }: WishedRow): Judged {
  const byPhone = wish.phone ? known.byPhone.get(phoneKey(wish.phone)) : undefined;
  const byExternalId = wish.externalId ? known.byExternalId.get(wish.externalId) : undefined;
  const before = of.matchOn === 'phone' ? byPhone : byExternalId;
  const other = of.matchOn === 'phone' ? byExternalId : byPhone;
  if (other !== undefined && other.contactId !== before?.contactId) {
    return {
      outcome: 'failed',
      reason: `The contact ${other.contactId} has this phone number or external id already.`,
    };
  }
  if (before === undefined && of.mode === 'update') return { outcome: 'skipped', reason: 'There is no such contact.' };
  if (before !== undefined && of.mode === 'create') {
    return { outcome: 'skipped', reason: `The contact ${before.contactId} is there already.` };
  }
  if (before === undefined && !wish.phone) return { outcome: 'invalid', reason: 'A new contact needs a phone.' };
  // A number is changed by a person, not by a file: the identity of a contact is not moved in bulk.
  const from = before ?? newContact(rt.newId<ContactId>(), nowMs);
  const { phone, ...rest } = { ...withoutRelease(wish, from), consentSource: IMPORTED.source };
  const after = applyChange(from, before === undefined ? { ...rest, phone: phone ?? null } : rest, nowMs);
  const changed = before === undefined ? { ...after, version: 1 } : after;
  if (phone) known.byPhone.set(phoneKey(phone), changed);
  if (changed.externalId !== null) known.byExternalId.set(changed.externalId, changed);
  if (before === undefined) return { outcome: 'created', save: { before: null, after: changed, proof: IMPORTED } };
  return after === before ? { outcome: 'unchanged' } : { outcome: 'updated', save: { before, after, proof: IMPORTED } };
}

async function saveAll(work: ContactWork, { tenantId }: ContactImport, saves: readonly ContactSave[]): Promise<void> {
  const claims = saves.flatMap(({ before, after }) =>
    before === null && after.phone !== null ? [{ key: phoneKey(after.phone), contactId: after.contactId }] : [],
  );
  // Somebody made one of them meanwhile: the portion is rolled back, and finds it the next time.
  if (claims.length > 0 && (await claimPhoneKeys(work.tx, tenantId, claims)) < claims.length) {
    throw new Error('A contact of this portion was made meanwhile.');
  }
  await saveContacts(work, tenantId, saves);
}

function countOutcomes(judged: readonly Judged[]): ImportCounts {
  const counts: Record<Outcome, number> = { ...NO_COUNTS };
  for (const { outcome } of judged) counts[outcome] += 1;
  return counts;
}

function faultOf({ outcome, reason }: Judged, row: number): readonly ImportFault[] {
  if (reason === undefined) return [];
  const named = outcome === 'duplicateInFile' ? 'duplicate_in_file' : outcome;
  if (named === 'created' || named === 'updated' || named === 'unchanged') return [];
  return [{ row, outcome: named, reason }];
}
