import type { Contact } from '#contacts/domain/contact';
import { type AttributeType, attributeFault } from '#contacts/domain/contact-attribute';
import type { ContactChange } from '#contacts/domain/contact-change';
import { isJsonList, type JsonValue } from '#core/json';
import { parsePhone } from '#core/phone/phone';
import { isUserId } from '#core/phone/recipient';
import type { FileRow, ImportMapping } from './import.ts';

export type ReadRow =
  | { readonly ok: true; readonly change: ContactChange }
  | { readonly ok: false; readonly reason: string };

/** How a row is read. */
export interface RowReading {
  /** Columns that it lacks are ignored. */
  readonly mapping: ImportMapping;
  readonly attributes: ReadonlyMap<string, AttributeType>;
}

export const IMPORT_FIELDS = [
  'phone',
  'user_id',
  'name',
  'external_id',
  'language',
  'tags',
  'status',
  'marketing',
] as const;
const ATTRIBUTES = 'attributes.';
const MAX_TEXT = 200;
const MAX_TAGS_IN_ROW = 100;

/** What a row changes about a contact. Empty values are not there: an import takes nothing away. */
export function readRow(row: FileRow, { mapping, attributes }: RowReading): ReadRow {
  if ('wrong' in row) return wrong(row.wrong);
  const { values } = row;
  const fields = new Map<string, JsonValue>();
  for (const [column, value] of Object.entries(values)) {
    const field = mapping === null ? column.trim() : mapping[column.trim()];
    if (field !== undefined && value !== null && value !== '') fields.set(field, value);
  }
  if (JSON.stringify(values).includes('\uFFFD')) return wrong('The row is not UTF-8.');
  const read = readFields(fields);
  if (!read.ok) return read;
  const own = [...fields].filter(([field]) => field.startsWith(ATTRIBUTES));
  const known: Record<string, JsonValue> = {};
  for (const [field, value] of own) {
    const key = field.slice(ATTRIBUTES.length);
    const type = attributes.get(key);
    const typed = type === undefined ? value : typedValue(type, value);
    const fault = attributeFault(type, typed);
    if (fault !== null) return wrong(`${field} ${fault}.`);
    known[key] = typed;
  }
  return { ok: true, change: own.length === 0 ? read.change : { ...read.change, attributes: known } };
}

function readFields(fields: ReadonlyMap<string, JsonValue>): ReadRow {
  const change: MutableChange = {};
  for (const [field, value] of fields) {
    if (field === 'tags') {
      const tags = tagsOf(value);
      if (tags === null) return wrong(`tags must be at most ${MAX_TAGS_IN_ROW} texts.`);
      change.addTags = tags;
      continue;
    }
    if (field === 'status' || field === 'marketing') {
      const fault = takeState(change, field, value);
      if (fault !== null) return wrong(fault);
      continue;
    }
    if (!isTextField(field)) continue;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || text.length > MAX_TEXT)
      return wrong(`${field} must be a string of at most ${MAX_TEXT} characters.`);
    if (field === 'name') change.name = text.trim();
    else if (field === 'external_id') change.externalId = text.trim();
    else if (field === 'language') change.language = text.trim();
    else if (field === 'user_id') {
      if (!isUserId(text.trim())) return wrong('user_id is not a user ID of the network.');
      change.userId = text.trim();
    } else {
      const parsed = parsePhone(text.trim());
      if (!parsed.ok) return wrong(`phone ${parsed.reason}.`);
      change.phone = parsed.phone;
    }
  }
  return { ok: true, change };
}

type MutableChange = { -readonly [K in keyof ContactChange]: ContactChange[K] };

/** @returns what is wrong with it; null when it is taken */
function takeState(change: MutableChange, field: 'status' | 'marketing', value: JsonValue): string | null {
  if (field === 'status') {
    if (value !== 'active' && value !== 'blocked') return 'status must be active or blocked.';
    change.status = value;
    return null;
  }
  if (value !== 'granted' && value !== 'denied' && value !== 'unknown') {
    return 'marketing must be granted, denied or unknown.';
  }
  change.marketing = value;
  return null;
}

/** What is left of the change: a file takes back neither a refusal nor a block, and makes no consent unknown. */
export function withoutRelease(change: ContactChange, contact: Contact): ContactChange {
  const { status, marketing, ...rest } = change;
  const mayGrant = marketing === 'denied' || (marketing === 'granted' && contact.consent.marketing === 'unknown');
  return {
    ...rest,
    ...(status === 'blocked' ? { status } : {}),
    ...(marketing !== undefined && mayGrant ? { marketing } : {}),
  };
}

function isTextField(field: string): boolean {
  return ['phone', 'user_id', 'name', 'external_id', 'language'].includes(field);
}

/** Items of a cell are separated by semicolons or bars, or are a list of JSON. */
function itemsOf(cell: string): readonly JsonValue[] {
  const list = cell.startsWith('[') ? parsedList(cell) : null;
  return list ?? cell.split(/[;|]/).map((item) => item.trim());
}

function parsedList(cell: string): readonly JsonValue[] | null {
  try {
    const list = JSON.parse(cell) as JsonValue;
    return isJsonList(list) ? list : null;
  } catch {
    return null;
  }
}

function tagsOf(value: JsonValue): readonly string[] | null {
  const parts = typeof value === 'string' ? itemsOf(value) : value;
  if (!Array.isArray(parts) || parts.length > MAX_TAGS_IN_ROW) return null;
  const texts = parts.filter((part) => typeof part === 'string').map((part) => part.trim());
  return texts.length === parts.length ? texts.filter((part) => part !== '') : null;
}

/** A cell of a table is text: it is read as what the attribute holds. Values of JSON are what they are. */
function typedValue(type: AttributeType, value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  switch (type) {
    case 'number':
      return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
    case 'boolean':
      return /^(true|yes|1)$/i.test(value) ? true : /^(false|no|0)$/i.test(value) ? false : value;
    case 'list':
      return itemsOf(value);
    default:
      return value.trim();
  }
}

function wrong(reason: string): ReadRow {
  return { ok: false, reason };
}
