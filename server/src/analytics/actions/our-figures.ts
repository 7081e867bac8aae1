import { readPeriods } from '#analytics/store/analytics-reads';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import {
  MESSAGE_MEASURES,
  type MessageCounts,
  type MessageDimension,
  NO_COUNTS,
  QUARTER_MS,
} from '#events/domain/message-sums';

/** What our sums are asked for. */
export interface KeyedPeriod extends Period {
  readonly key: string;
}

/**
 * Our sums of each of these keys and times, in their order. One key is read after the other: a report of many takes no connections
 * from others.
 */
export async function readOurFigures(
  db: Database,
  { tenantId, dimension }: { readonly tenantId: TenantId; readonly dimension: MessageDimension },
  wanted: readonly KeyedPeriod[],
): Promise<readonly MessageCounts[]> {
  const found = new Map<KeyedPeriod, MessageCounts>();
  for (const key of new Set(wanted.map((one) => one.key))) {
    const own = wanted.filter((one) => one.key === key);
    const sums = await readPeriods(db, { tenantId, scope: { dimension, key } }, own.map(wholeQuarters));
    for (const [place, one] of own.entries()) found.set(one, sums[place] ?? NO_COUNTS);
  }
  return wanted.map((one) => found.get(one) ?? NO_COUNTS);
}

/** Our sums of all these numbers together, in each of these times. */
export async function readOurNumbers(
  db: Database,
  { tenantId, phoneNumberIds }: { readonly tenantId: TenantId; readonly phoneNumberIds: readonly string[] },
  periods: readonly Period[],
): Promise<readonly MessageCounts[]> {
  const wanted = phoneNumberIds.flatMap((key) => periods.map((period) => ({ ...period, key })));
  const sums = await readOurFigures(db, { tenantId, dimension: 'number' }, wanted);
  return periods.map((_, place) => addedUp(sums.filter((_sum, index) => index % periods.length === place)));
}

function addedUp(counts: readonly MessageCounts[]): MessageCounts {
  const total = (measure: keyof MessageCounts) => counts.reduce((sum, one) => sum + one[measure], 0);
  return Object.fromEntries(MESSAGE_MEASURES.map((measure) => [measure, total(measure)])) as MessageCounts;
}

/** Sums are kept by quarters of an hour. */
function wholeQuarters({ startMs, endMs }: Period): Period {
  return {
    startMs: Math.floor(startMs / QUARTER_MS) * QUARTER_MS,
    endMs: Math.ceil(endMs / QUARTER_MS) * QUARTER_MS,
  };
}
