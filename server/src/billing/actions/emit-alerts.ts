import { microsPerMinorUnit } from '#billing/domain/wallet';
import {
  type CrossedThreshold,
  forgetEarlierAlerts,
  forgetFilledWallets,
  type LowWallet,
  takeCrossedThresholds,
  takeLowWallets,
} from '#billing/store/alerts';
import { monthAt, monthName } from '#core/calendar';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { EventDraft } from '#events/domain/event';
import type { Runtime } from '#runtime/runtime';

/** Tenants that one transaction alerts: the rest follow in the next. */
const AT_ONCE = 200;

/**
 * Records an event for tenants that crossed a threshold of their fair use, or whose wallet runs low. Each is alerted
 * once, however many processes do so: an alert is marked in the same transaction.
 * @returns how many events were recorded
 */
export async function emitAlerts(rt: Runtime, db: Database): Promise<number> {
  let emitted = 0;
  for (const step of rt.config.walletEnabled === 'true' ? [emitUsage, emitWallets] : [emitUsage]) {
    for (let last = AT_ONCE; last === AT_ONCE; emitted += last) last = await step(rt, db);
  }
  return emitted;
}

function emitUsage(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  const month = monthAt(nowMs);
  return withEvents(rt, db, async (tx, events) => {
    // Not the month before: the clock of another process may still be in it.
    await forgetEarlierAlerts(tx, monthAt(month.startMs - 1));
    const crossed = await takeCrossedThresholds(tx, { month, nowMs, limit: AT_ONCE });
    for (const one of crossed) events.add(usageEvent(one, month));
    return crossed.length;
  });
}

function usageEvent(crossed: CrossedThreshold, month: ReturnType<typeof monthAt>): EventDraft {
  const { tenantId, ...data } = crossed;
  const [name, resetsAt] = [monthName(month.startMs), new Date(month.endMs).toISOString()];
  return { tenantId, type: 'usage.threshold', data: { ...data, month: name, resets_at: resetsAt } };
}

function emitWallets(rt: Runtime, db: Database): Promise<number> {
  return withEvents(rt, db, async (tx, events) => {
    await forgetFilledWallets(tx);
    const low = await takeLowWallets(tx, { nowMs: rt.clock.now(), limit: AT_ONCE });
    for (const one of low) events.add(walletEvent(rt, one));
    return low.length;
  });
}

/** In whole minor units, as `GET /v1/wallet` gives them: what is less than one is not there. */
function walletEvent(rt: Runtime, { tenantId, availableMicros, thresholdMicros }: LowWallet): EventDraft {
  const { walletCurrency: currency } = rt.config;
  const minor = (micros: number) => Math.floor(micros / microsPerMinorUnit(currency));
  const data = { currency, available: minor(availableMicros), threshold: minor(thresholdMicros) };
  return { tenantId, type: 'wallet.low_balance', data };
}
