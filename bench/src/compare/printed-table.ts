/** A figure of a run, as the table on the terminal shows it. */
export interface PrintedFigure {
  readonly name: string;
  readonly database: string;
  /** The figure ÷ what it is compared with in its own run. */
  readonly ratio: number;
}

const RATIO_COLUMN = 4;

/** Reads the table out of what a benchmark printed, of this version or an earlier one; everything else is passed over. */
export function readPrintedTable(printed: string): readonly PrintedFigure[] {
  const lines = printed.split('\n');
  const heading = lines.findIndex((line) => /^figure +database +limit +reached +ratio/.test(line));
  if (heading === -1) return [];
  return lines
    .slice(heading + 1)
    .map((line) => line.split(/ {2,}/))
    .filter((cells) => cells.length > RATIO_COLUMN)
    .map((cells) => ({ name: cells[0] ?? '', database: cells[1] ?? '', ratio: Number(cells[RATIO_COLUMN]) }));
}
