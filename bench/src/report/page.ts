import type { Figure } from '../figure.ts';
import { whyMissed } from './missed.ts';
import type { Measurement } from './saved.ts';
import { cells, HEADINGS } from './table.ts';

interface Shown {
  readonly figure: Figure;
  readonly run: string;
}

/**
 * What was measured, for people who read it later: first what means something on their machines too, and with what limits a figure that missed.
 * @param measurements in the order in which they are shown
 */
export function resultsPage(measurements: readonly Measurement[]): string {
  const shown = measurements.flatMap((measurement) =>
    measurement.figures.map((figure) => ({ figure, run: runOf(measurement) })),
  );
  const lines = [
    '# Benchmark results',
    '',
    'Each scenario has the figures of the last time when it was measured in full size and saved, with what they are compared with in the same run.',
    '',
    ...runs(measurements),
    '',
    ...section(
      'Ratios, shares and sizes: much the same on every machine',
      shown.filter(({ figure }) => !isOfMachine(figure)),
    ),
    ...section(
      'Times and rates: of their machine',
      shown.filter(({ figure }) => isOfMachine(figure)),
    ),
    ...measurements.flatMap(({ notMeasured }) =>
      notMeasured.map(({ name, why }) => `- not measured: ${name} (${why})`),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Times and rates are those of a machine; ratios, shares and sizes are much the same on all of them. */
function isOfMachine({ unit }: Figure): boolean {
  return ['s', 'ms'].includes(unit) || unit.endsWith('/s');
}

function runOf({ startedAt, machine }: Measurement): string {
  return `${startedAt.slice(0, 10)}, ${machine.commit}`;
}

/** A line for each day, commit and machine, the latest first. */
function runs(measurements: readonly Measurement[]): readonly string[] {
  const latestFirst = measurements.toSorted((one, other) => other.startedAt.localeCompare(one.startedAt));
  const lines = latestFirst.map((measurement) => {
    const { machine, seed } = measurement;
    return `- ${runOf(measurement)}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB · Node ${machine.node} · ${machine.postgres} · seed ${seed}`;
  });
  return [...new Set(lines)];
}

function section(heading: string, all: readonly Shown[]): readonly string[] {
  if (all.length === 0) return [];
  const headings = [...HEADINGS, 'measured'];
  const rows = all.map(({ figure, run }) => {
    const why = whyMissed(figure);
    const [outcome, ...rest] = cells(figure).toReversed();
    return row([...rest.toReversed(), `${outcome}${why && `. ${why}`}`, run]);
  });
  return [`## ${heading}`, '', row(headings), row(headings.map(() => '---')), ...rows, ''];
}

function row(cellsOfRow: readonly string[]): string {
  return `| ${cellsOfRow.join(' | ')} |`;
}
