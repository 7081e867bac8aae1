import type { JsonObject } from '#core/json';

/** A cell that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Rows as CSV (RFC 4180), with a line of column names. What is null is empty; objects and lists are JSON.
 * @param columns names of fields, in order
 */
export function toCsv(columns: readonly string[], rows: readonly JsonObject[]): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

export function csvCell(value: JsonObject[string] | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether CSV is accepted, and JSON not before it. */
export function wantsCsv(accept: string | undefined): boolean {
  const types = (accept ?? '').toLowerCase().split(',');
  const csv = types.findIndex((type) => type.trim().startsWith('text/csv'));
  const json = types.findIndex((type) => /^application\/(x-nd)?json/.test(type.trim()));
  return csv >= 0 && (json < 0 || csv < json);
}
