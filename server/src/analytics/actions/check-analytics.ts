import { readRetention } from '#access/actions/change-retention';
import { compareSums, type SumCheck } from '#analytics/store/analytics-check';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { DAY_QUARTERS, QUARTER_MS } from '#events/domain/message-sums';
import type { Runtime } from '#runtime/runtime';
import { type ConversationCheck, checkConversationSums } from './check-conversation-sums.ts';
import { rollUpTenant } from './roll-up.ts';

export interface AnalyticsCheck extends SumCheck {
  readonly conversations: ConversationCheck;
}

const DAY_MS = DAY_QUARTERS * QUARTER_MS;
/** Drifts that are reported; more say nothing new. */
const MAX_DRIFTS = 1_000;
/** Events that come in between adding up and comparing are not drift: the check is repeated. */
const MAX_TRIES = 20;

/**
 * Compares the sums that reports read with the messages themselves, and those of conversations with the events, over the
 * last days of UTC until now.
 */
export async function checkAnalytics(
  rt: Runtime,
  db: Database,
  { tenantId, days }: { readonly tenantId: TenantId; readonly days: number },
): Promise<AnalyticsCheck> {
  const endMs = Math.floor(rt.clock.now() / DAY_MS + 1) * DAY_MS;
  const period = { startMs: endMs - (await comparableDays(rt, db, tenantId, days)) * DAY_MS, endMs };
  let check: SumCheck;
  let tries = 0;
  do {
    while ((await rollUpTenant(db, tenantId)) > 0);
    check = await compareSums(db, { tenantId, period, limit: MAX_DRIFTS });
    tries += 1;
  } while (!check.complete && check.drifts.length > 0 && tries < MAX_TRIES);
  const conversations = await checkConversationSums(db, { tenantId, period, limit: MAX_DRIFTS });
  return { ...check, conversations };
}

/** Days of which all messages are there still: the sums stay when messages are removed. */
async function comparableDays(rt: Runtime, db: Database, tenantId: TenantId, days: number): Promise<number> {
  const { messages } = (await readRetention(rt, db, tenantId)).effective;
  return messages === null ? days : Math.min(days, messages);
}
