/**
 * What a spreadsheet takes for a formula: such a cell gets an apostrophe before it, which spreadsheets do not show. So does
 * one that has apostrophes before that already, so that taking one away gives back what it was.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",;\r\n]/;

/** One line of a table (RFC 4180) that no spreadsheet runs as a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a cell was before `csvLine` kept it from being a formula. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
