import { type Figure, type Limit, missedBy, round } from '../figure.ts';

/** Of the columns that `cells` fills. */
export const HEADINGS = ['figure', 'database', 'limit', 'reached', 'ratio', 'compared with', 'outcome'];

/** The table as text, columns aligned. */
export function terminalTable(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A figure as a row, its outcome last. */
export function cells(figure: Figure): readonly string[] {
  const { name, database, value, unit, limit, ratio, yardstick } = figure;
  return [
    name,
    database,
    limitText(limit, unit),
    `${round(value)} ${unit}`.trim(),
    round(ratio),
    yardstick,
    outcome(figure),
  ];
}

function limitText(limit: Limit, unit: string): string {
  switch (limit.kind) {
    case 'at_least':
      return `≥ ${limit.value} ${unit}`.trim();
    case 'at_most':
      return `≤ ${limit.value} ${unit}`.trim();
    case 'between':
      return `${round(limit.value)}–${round(limit.upper ?? limit.value)} ${unit}`.trim();
    case 'none':
      return '–';
  }
}

function outcome(figure: Figure): string {
  if (figure.pass === null) return '–';
  if (figure.pass) return 'reached';
  return missedBy(figure) || 'missed: see detail';
}
