import { DAY_QUARTERS, QUARTER_MS } from '#core/analytics';
import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import { compareSums, type SumCheck } from '#storage/analytics-check';
import type { Database } from '#storage/database';
import { rollUpTenant } from './roll-up.ts';

export type { SumCheck };

const DAY_MS = DAY_QUARTERS * QUARTER_MS;
/** Drifts that are told; more say nothing new. */
const MAX_DRIFTS = 1_000;
/** Events that come in between adding up and comparing are no drift: it is tried again. */
const MAX_TRIES = 20;

/** Compares the sums that reports read with the messages themselves, over the last days of UTC until now. */
export async function checkAnalytics(
  rt: Runtime,
  db: Database,
  { tenantId, days }: { readonly tenantId: TenantId; readonly days: number },
): Promise<SumCheck> {
  const endMs = Math.floor(rt.clock.now() / DAY_MS + 1) * DAY_MS;
  const period = { startMs: endMs - days * DAY_MS, endMs };
  let check: SumCheck;
  let tries = 0;
  do {
    while ((await rollUpTenant(db, tenantId)) > 0);
    check = await compareSums(db, { tenantId, period, limit: MAX_DRIFTS });
    tries += 1;
  } while (!check.complete && check.drifts.length > 0 && tries < MAX_TRIES);
  return check;
}
