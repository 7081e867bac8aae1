import { audit } from '#access/actions/audit';
import type { Contact } from '#contacts/domain/contact';
import { type ExportFormat, exportHeader, exportLine, exportRow } from '#contacts/domain/contact-export';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { type ContactFilter, listContacts } from '#contacts/store/contact-lists';
import type { Requester } from '#core/caller/origin';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Contacts in memory at a time. */
const PORTION = 500;

export interface ExportInput {
  readonly tenantId: TenantId;
  /** Null: no contact matches. */
  readonly filter: ContactFilter | null;
  readonly format: ExportFormat;
  /** The moment that conditions are about. */
  readonly nowMs: number;
}

export interface AuditedExport extends ExportInput, Requester {
  /** The filters as the audit log keeps them. */
  readonly filters: JsonObject;
}

/** Starts an export with its entry in the audit log: without one nothing leaves. */
export async function beginExport(rt: Runtime, db: Database, wish: AuditedExport): Promise<AsyncIterable<string>> {
  const { tenantId, origin, filters, format } = wish;
  const details = { format, filters };
  await db.transaction((tx) =>
    audit(rt, tx, { tenantId, origin, action: 'contacts.exported', targetId: tenantId, details }),
  );
  return exportContacts(db, wish);
}

/** Contacts as text, newest first, in portions that are read as fast as they are taken. */
export async function* exportContacts(db: Database, wish: ExportInput): AsyncIterable<string> {
  const { tenantId, format } = wish;
  const attributes = [...(await findAttributeTypes(db, tenantId)).keys()].sort();
  if (format === 'csv') yield exportHeader(attributes);
  const lineOf = format === 'csv' ? (one: Contact) => exportRow(one, attributes) : exportLine;
  for await (const portion of portions(db, wish)) yield portion.map(lineOf).join('');
}

/** A walk of the primary key: the last portion costs what the first does. */
async function* portions(db: Database, { tenantId, filter, nowMs }: ExportInput): AsyncIterable<readonly Contact[]> {
  if (filter === null) return;
  let beforeId: string | null = null;
  for (;;) {
    const window = { limit: PORTION, offset: 0, beforeId };
    const page: Awaited<ReturnType<typeof listContacts>> = await listContacts(db, { tenantId, filter, nowMs }, window);
    if (page.items.length > 0) yield page.items;
    if (!page.hasMore) return;
    beforeId = page.items.at(-1)?.contactId ?? null;
  }
}
