import { Option } from 'commander';
import type { JsonObject, JsonValue } from '#core/json';
import type { CliContext } from './context.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => JsonValue | undefined;
  /** Whether it may be cut when the line is too long; ids never are, they are there to be copied. */
  readonly flexible?: boolean;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
/** A flexible column is not cut below this. */
const MIN_WIDTH = 10;

/** The option `-o table|json` of every command that prints data. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to print').choices(['table', 'json']).default('table');
}

export function printJson(ctx: CliContext, value: JsonValue): void {
  ctx.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** How an answer is shown when nobody asked for JSON. */
export type Show = (ctx: CliContext, answer: JsonObject) => void;

/**
 * Shows the items of a list as an aligned table, cut to the width of the terminal.
 * @param empty said instead of an empty table
 */
export function table(empty: string | ((answer: JsonObject) => string), columns: readonly Column<JsonObject>[]): Show {
  return (ctx, answer) => {
    const rows = itemsOf(answer);
    if (rows.length > 0) ctx.stdout.write(tableText(columns, rows, ctx.stdout.columns));
    else ctx.stdout.write(`${typeof empty === 'string' ? empty : empty(answer)}\n`);
  };
}

/** Shows an answer as one line. */
export function line(say: (answer: JsonObject, input: JsonObject) => string) {
  return (ctx: CliContext, answer: JsonObject, input: JsonObject) => ctx.stdout.write(`${say(answer, input)}\n`);
}

/** Shows every field of an answer on a line of its own. */
export const allFields: Show = (ctx, answer) => printFields(ctx, Object.entries(answer));

export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number | null): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => cellText(column.value(row)))),
  ];
  const natural = columns.map((_, index) => Math.max(...cells.map((line) => lengthOf(line[index] ?? ''))));
  const widths = width === null ? natural : fit(natural, columns, width);
  return cells.map((line) => `${lineText(line, columns, widths).trimEnd()}\n`).join('');
}

/** Label and value, one pair per line: a single thing instead of a list. */
export function printFields(ctx: CliContext, fields: readonly (readonly [string, JsonValue | undefined])[]): void {
  const shown = fields.filter(([, value]) => value !== undefined && value !== null);
  const widest = Math.max(0, ...shown.map(([label]) => label.length));
  for (const [label, value] of shown) ctx.stdout.write(`${label.padEnd(widest)}${GAP}${cellText(value)}\n`);
}

/** What a table shows of a value: nothing for null, and nothing that could steer the terminal. */
export function cellText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Texts come from strangers: control characters and marks of direction could forge lines or hide some.
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** A time of the API as a person reads it: UTC without fractions. */
export function shortTime(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.replace('T', ' ').replace(/(\.\d+)?Z$/, '') : '';
}

/** `1 message`, `2 messages`. */
export function countOf(count: JsonValue | undefined, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The items of a list answer. */
export function itemsOf(answer: JsonObject): readonly JsonObject[] {
  return Array.isArray(answer.data) ? (answer.data as readonly JsonObject[]) : [];
}

function lineText<Row>(line: readonly string[], columns: readonly Column<Row>[], widths: readonly number[]): string {
  return line
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      const short = cut(cell, width);
      const fill = ' '.repeat(Math.max(0, width - lengthOf(short)));
      return columns[index]?.align === 'right' ? fill + short : short + fill;
    })
    .join(GAP);
}

/** Takes from the widest flexible column until the line fits or nothing can be taken any more. */
function fit<Row>(natural: readonly number[], columns: readonly Column<Row>[], width: number): readonly number[] {
  const widths = [...natural];
  const gaps = GAP.length * (columns.length - 1);
  let surplus = widths.reduce((sum, each) => sum + each, gaps) - width;
  while (surplus > 0) {
    const candidates = widths.map((each, index) => (columns[index]?.flexible && each > MIN_WIDTH ? each : 0));
    const widest = Math.max(...candidates);
    if (widest === 0) break;
    const index = candidates.indexOf(widest);
    widths[index] = widest - 1;
    surplus -= 1;
  }
  return widths;
}

function cut(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
