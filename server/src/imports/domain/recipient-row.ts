import { MAX_VARIABLE, MAX_VARIABLES } from '#campaigns/domain/campaign';
import type { JsonObject } from '#core/json';
import { parseRecipient } from '#core/phone/recipient';
import type { FileRow, ImportMapping } from './import.ts';

/** A recipient as a row of a file has it. */
export interface RecipientRow {
  readonly phone: string;
  readonly variables: Readonly<Record<string, string>> | null;
}

export type ReadRecipient =
  | { readonly ok: true; readonly recipient: RecipientRow }
  | { readonly ok: false; readonly reason: string };

/** The field that holds the recipient, and other names that people give it. */
const RECIPIENT: ReadonlySet<string> = new Set(['to', 'phone', 'user_id']);
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Reads a row. Empty cells are not there.
 * @param mapping column -> `to` or the name of a variable; columns that it lacks are ignored. Null: columns are called so, and
 * those whose name cannot be one of a variable are ignored.
 */
export function readRecipient(row: FileRow, mapping: ImportMapping): ReadRecipient {
  if ('wrong' in row) return wrong(row.wrong);
  if (JSON.stringify(row.values).includes('\uFFFD')) return wrong('The row is not UTF-8.');
  const fields = fieldsOf(row.values, mapping);
  const recipient = fields.get('to') ?? fields.get('phone') ?? fields.get('user_id') ?? '';
  if (recipient === '') return wrong('The row has no number in `to`.');
  const parsed = parseRecipient(recipient);
  if (!parsed.ok) return wrong(`to ${parsed.reason}.`);
  const variables = [...fields].filter(([name]) => !RECIPIENT.has(name));
  if (variables.length > MAX_VARIABLES) return wrong(`The row has more than ${MAX_VARIABLES} variables.`);
  const long = variables.find(([, text]) => text.length > MAX_VARIABLE);
  if (long) return wrong(`${long[0]} is longer than ${MAX_VARIABLE} characters.`);
  const given = variables.length === 0 ? null : Object.fromEntries(variables);
  return { ok: true, recipient: { phone: parsed.recipient, variables: given } };
}

function fieldsOf(values: JsonObject, mapping: ImportMapping): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [column, value] of Object.entries(values)) {
    const field = mapping === null ? column.trim() : mapping[column.trim()];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (field !== undefined && NAME.test(field) && text !== '') fields.set(field, text);
  }
  return fields;
}

function wrong(reason: string): ReadRecipient {
  return { ok: false, reason };
}
