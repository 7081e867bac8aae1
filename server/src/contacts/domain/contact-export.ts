import { isJsonList, type JsonObject, type JsonValue } from '#core/json';
import { csvLine } from '#core/text/csv';
import type { Contact } from './contact.ts';
import { contactJson } from './contact-json.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What an import reads comes first; the rest is for people, and an import passes over it. */
const READ_AGAIN = ['phone', 'user_id', 'name', 'external_id', 'language', 'status', 'marketing', 'tags'] as const;
const FOR_PEOPLE = ['id', 'profile_name', 'username', 'country', 'last_inbound_at', 'created_at'] as const;

/** The first line of a table of contacts. @param attributes keys of the attributes that the tenant has defined */
export function exportHeader(attributes: readonly string[]): string {
  return csvLine([...READ_AGAIN, ...attributes.map((key) => `attributes.${key}`), ...FOR_PEOPLE]);
}

/** A contact as a line of that table. An import reads back what it was. */
export function exportRow(contact: Contact, attributes: readonly string[]): string {
  const fields: JsonObject = { ...contactJson(contact), marketing: contact.consent.marketing };
  const named = (names: readonly string[]) => names.map((name) => cellOf(fields[name]));
  const values = attributes.map((key) => cellOf(contact.attributes[key]));
  return csvLine([...named(READ_AGAIN), ...values, ...named(FOR_PEOPLE)]);
}

/** A contact as a line of NDJSON: as the API has it. */
export function exportLine(contact: Contact): string {
  return `${JSON.stringify(contactJson(contact))}\n`;
}

function cellOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (isJsonList(value)) return listCell(value.map(String));
  return String(value);
}

/** Items are separated by semicolons; as JSON when that would be read as something else. */
function listCell(items: readonly string[]): string {
  const plain = items.join(';');
  const isAmbiguous = items.some((item) => /[;|]/.test(item) || item !== item.trim() || item === '');
  return isAmbiguous || plain.startsWith('[') ? JSON.stringify(items) : plain;
}
