/** The same values, beginning with another one for each seed: a few of them are others each time. */
export function rotated<T>(values: readonly T[], seed: number): readonly T[] {
  const start = values.length === 0 ? 0 : Math.abs(seed * 7) % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}

/** Tries values until so many succeeded. @returns how many did */
export async function untilSuccesses<T>(
  values: readonly T[],
  enough: number,
  attempt: (value: T) => Promise<boolean>,
): Promise<number> {
  let successes = 0;
  for (const value of values) {
    if (successes >= enough) break;
    if (await attempt(value)) successes += 1;
  }
  return successes;
}
