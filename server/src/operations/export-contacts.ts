import type { Contact } from '#core/contact';
import { type ExportFormat, exportHeader, exportLine, exportRow } from '#core/contact-export';
import type { TenantId } from '#core/ids';
import { findAttributeTypes } from '#storage/contact-attributes';
import { type ContactFilter, listContacts } from '#storage/contact-lists';
import type { Database } from '#storage/database';

/** Contacts in memory at a time. */
const PORTION = 500;

export interface ExportWish {
  readonly tenantId: TenantId;
  /** Null: nobody matches. */
  readonly filter: ContactFilter | null;
  readonly format: ExportFormat;
  /** The moment that conditions are about. */
  readonly nowMs: number;
}

/** Contacts as text, newest first, in portions that are read as fast as they are taken. */
export async function* exportContacts(db: Database, wish: ExportWish): AsyncIterable<string> {
  const { tenantId, format } = wish;
  const attributes = [...(await findAttributeTypes(db, tenantId)).keys()].sort();
  if (format === 'csv') yield exportHeader(attributes);
  const lineOf = format === 'csv' ? (one: Contact) => exportRow(one, attributes) : exportLine;
  for await (const portion of portions(db, wish)) yield portion.map(lineOf).join('');
}

/** A walk of the primary key: the last portion costs what the first does. */
async function* portions(db: Database, { tenantId, filter, nowMs }: ExportWish): AsyncIterable<readonly Contact[]> {
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
