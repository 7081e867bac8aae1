import { atLeast, type Figure, type Limit, makeFigure } from '../figure.ts';
import type { DatabaseKind } from '../harness/stage.ts';
import { median } from '../median.ts';
import { type PrintedFigure, readPrintedTable } from './printed-table.ts';

/** What both versions measure, and the share of the other version's figure that this one must keep. */
const KEPT: readonly { readonly name: string; readonly scenario: string; readonly limit: Limit }[] = [
  { name: 'durable accept ÷ the same route without storage', scenario: 'accept', limit: atLeast(0.9) },
  { name: 'end to end, steady', scenario: 'end-to-end', limit: atLeast(0.7) },
];

/** The scenarios that are run, for `--only`. */
export const COMPARED = KEPT.map(({ scenario }) => scenario).join(',');

/** What one run of each version printed. */
export interface PrintedPair {
  readonly here: string;
  readonly other: string;
}

/**
 * Each figure here ÷ the other version's, the median over the pairs. Figures are taken relative to the route without
 * storage of their own run, so that a machine that is slower in one run than in the next counts for neither.
 * @throws Error when a run does not have a figure
 */
export function compareRuns(pairs: readonly PrintedPair[], database: DatabaseKind): readonly Figure[] {
  const tables = pairs.map(({ here, other }) => ({ here: readPrintedTable(here), other: readPrintedTable(other) }));
  return KEPT.map(({ name, limit }) => {
    const both = tables.map(({ here, other }) => ({
      here: ratioOf(here, name, database),
      other: ratioOf(other, name, database),
    }));
    return makeFigure({
      name: `${name}, here ÷ there`,
      database,
      value: median(both.map(({ here, other }) => here / other)),
      unit: '',
      limit,
      yardstick: { name: 'itself a ratio', value: 1 },
      detail: { pairs: both },
    });
  });
}

function ratioOf(table: readonly PrintedFigure[], name: string, database: DatabaseKind): number {
  const found = table.find((figure) => figure.name === name && figure.database === database);
  if (found === undefined || !(found.ratio > 0)) throw new Error(`A run has no figure "${name}" on ${database}.`);
  return found.ratio;
}
