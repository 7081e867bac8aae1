import type { Runtime } from '#runtime/runtime';
import { faultKind } from './pg-errors.ts';

export type Settled = 'send' | 'webhook' | 'reply' | 'timer' | 'file' | 'hold';

/** One outcome to store. */
export interface StoreAttempt {
  readonly rt: Runtime;
  /** What is settled, for the metric. */
  readonly what: Settled;
  /** Ids for the log. */
  readonly ids: Readonly<Record<string, string>>;
  /** Ways to store it, from all that is known to the least that ends it. Each may be taken again and again. */
  readonly ways: readonly (() => Promise<unknown>)[];
  /** Whether the process goes without it: it is found again. */
  readonly isLeaving?: () => boolean;
}

/** How long the database rests after it failed. */
const RETRY_MS = 250;
/** After a failure that repeating hardly mends. */
const DEFECT_RETRY_MS = 5_000;

/**
 * Stores an outcome, whatever it takes. While the database is away it repeats; a row that the database refuses for what
 * it holds is stored in the next way, which needs less of it, so that no outcome can stand for ever.
 */
export async function untilStored(storing: StoreAttempt): Promise<void> {
  const { rt, ways, isLeaving = () => false } = storing;
  let way = 0;
  while (true) {
    try {
      await ways[way]?.();
      return;
    } catch (error) {
      const kind = faultKind(error);
      if (kind === 'row' || kind === 'defect') reportRefused(rt, storing, error);
      if (kind === 'row' && way + 1 < ways.length) {
        way += 1;
        continue;
      }
      if (isLeaving()) return;
      const pauseMs = kind === 'row' || kind === 'defect' ? DEFECT_RETRY_MS : RETRY_MS;
      await new Promise<void>((resolve) => rt.clock.after(pauseMs, resolve));
    }
  }
}

/** Tells of a row that the database refuses, without the sentence of the database, which may quote what somebody wrote. */
export function reportRefused(rt: Runtime, { what, ids }: Pick<StoreAttempt, 'what' | 'ids'>, error: unknown): void {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  rt.metrics.strippedSettlements.inc({ what });
  rt.log.error({ what, ...ids, error: code ?? name }, 'settle.refused');
}
