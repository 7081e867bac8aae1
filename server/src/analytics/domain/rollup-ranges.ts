/** Whole spans that follow on each other, in quarters of an hour: added to a sum, or taken away from it. */
export interface SpanRange {
  readonly span: number;
  readonly first: number;
  readonly behind: number;
  readonly sign: 1 | -1;
}

/**
 * The few spans that make up a time together: the longest in the middle, shorter ones at its edges. Where a longer one reaches
 * beyond an edge by less than half of itself it is taken whole, and what is too much is taken away again: sums and
 * histograms are whole numbers, and nothing is lost by that.
 * @param spans lengths, the shortest first: each divides the next, and the first one both ends of the time
 */
export function decomposeRange(
  [first, behind]: readonly [number, number],
  spans: readonly number[],
  sign: 1 | -1 = 1,
): readonly SpanRange[] {
  const span = spans.at(-1);
  if (span === undefined || first >= behind) return [];
  const shorter = spans.slice(0, -1);
  const [from, to] = [nearest(first, span), nearest(behind, span)];
  const atEdges = Math.abs(from - first) + Math.abs(behind - to);
  if (from >= to || (atEdges >= behind - first && shorter.length > 0))
    return decomposeRange([first, behind], shorter, sign);
  return [
    ...difference(first, from, { shorter, sign }),
    { span, first: from, behind: to, sign },
    ...difference(to, behind, { shorter, sign }),
  ];
}

function nearest(quarter: number, span: number): number {
  return Math.round(quarter / span) * span;
}

interface Edge {
  readonly shorter: readonly number[];
  readonly sign: 1 | -1;
}

/** What lies from the one to the other, taken away when the other comes first. */
function difference(from: number, to: number, { shorter, sign }: Edge): readonly SpanRange[] {
  if (from <= to) return decomposeRange([from, to], shorter, sign);
  return decomposeRange([to, from], shorter, sign === 1 ? -1 : 1);
}
