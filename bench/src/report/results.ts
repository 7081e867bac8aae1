import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, type Limit, missedBy, round } from '../figure.ts';
import type { Machine } from './machine.ts';
import { whyMissed } from './missed.ts';

/** A whole run. */
export interface Results {
  readonly startedAt: string;
  readonly seed: number;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly figures: readonly Figure[];
  /** Scenarios that ended with an error, and what could not be measured here. */
  readonly notMeasured: readonly { readonly name: string; readonly why: string }[];
}

const HEADINGS = ['figure', 'database', 'limit', 'reached', 'ratio', 'compared with', 'outcome'];

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

/** Times and rates are those of a machine; ratios, shares and sizes are much the same on all of them. */
function isOfMachine({ unit }: Figure): boolean {
  return ['s', 'ms'].includes(unit) || unit.endsWith('/s');
}

/** The same for people who read it later: first what means something on their machines too, and with what limits a figure that missed. */
export function markdownReport({ startedAt, seed, quick, machine, figures, notMeasured }: Results): string {
  const lines = [
    '# Benchmark results',
    '',
    ...(quick ? ['A smoke run with tiny sizes: it shows that everything runs, its figures mean nothing.', ''] : []),
    `${startedAt} · commit ${machine.commit} · seed ${seed}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB · Node ${machine.node} · ${machine.postgres}`,
    '',
    ...section(
      'Ratios, shares and sizes: much the same on every machine',
      figures.filter((figure) => !isOfMachine(figure)),
    ),
    ...section('Times and rates: of this machine', figures.filter(isOfMachine)),
    ...notMeasured.map(({ name, why }) => `- not measured: ${name} (${why})`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function section(heading: string, figures: readonly Figure[]): readonly string[] {
  if (figures.length === 0) return [];
  const rows = figures.map((figure) => {
    const why = whyMissed(figure);
    return row([...cells(figure).slice(0, -1), `${outcome(figure)}${why && `. ${why}`}`]);
  });
  return [`## ${heading}`, '', row(HEADINGS), row(HEADINGS.map(() => '---')), ...rows, ''];
}

function row(cellsOfRow: readonly string[]): string {
  return `| ${cellsOfRow.join(' | ')} |`;
}

function cells(figure: Figure): readonly string[] {
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

/** Writes `<date>-<database>.json` and `latest.md`. @returns the files */
export function writeResults(folder: string, results: Results, label: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const json = join(folder, `${results.startedAt.slice(0, 10)}-${label}.json`);
  const markdown = join(folder, 'latest.md');
  writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(markdown, markdownReport(results));
  return [json, markdown];
}
