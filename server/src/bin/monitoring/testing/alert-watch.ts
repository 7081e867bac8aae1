import type { Metrics } from '#runtime/metrics';
import { evaluate, type Sample } from '#testing/promql/evaluate';
import { Scrapes } from '#testing/promql/scrapes';
import type { Alert } from '../alerts.ts';

const SCRAPE_S = 15;
/** How long a rule may take to begin to hold, and between two looks. */
const PATIENCE_MS = 240_000;
const LOOK_AGAIN_MS = 50;

/** One process as a Prometheus sees it. */
export interface Target {
  /** The text of /metrics; null when nobody responds. */
  readonly scrape: () => Promise<string | null>;
  /** Keeps the thing broken: called before each scrape. */
  readonly again?: () => Promise<unknown>;
}

/** What a scrape of this process would return. */
export function scrapeOf(metrics: Metrics): Promise<string> {
  return metrics.read();
}

/**
 * Scrapes a process, 15 seconds apart by the clock of the rules, until a rule has held for as long as it must.
 * @returns for how many seconds it had held in the end; null when it did not begin to hold, or stopped
 */
export async function holdsFor(alert: Alert, { scrape, again }: Target): Promise<number | null> {
  const scrapes = new Scrapes();
  const endMs = performance.now() + PATIENCE_MS;
  let sinceS: number | null = null;
  for (let atS = 0; sinceS !== null || performance.now() < endMs; atS += SCRAPE_S) {
    await again?.();
    scrapes.add(atS, 'one', await scrape());
    const holds = samplesOf(alert, scrapes, atS).length > 0;
    if (!holds && sinceS !== null) return null;
    if (holds) sinceS ??= atS;
    if (sinceS !== null && atS - sinceS >= alert.minutes * 60) return atS - sinceS;
    // What was broken shows a little later.
    if (!holds) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return null;
}

/** What the expression of a rule says at a time: nothing when it does not hold. */
export function samplesOf(alert: Alert, scrapes: Scrapes, atS: number): readonly Sample[] {
  const value = evaluate(alert.expression, scrapes, atS);
  if (typeof value === 'number') throw new Error(`${alert.name} compares no series.`);
  return value;
}
