import { readPaymentEvent } from '#billing/domain/payment-event';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { refundTopUp } from './refund-top-up.ts';
import { settleTopUp } from './settle-top-up.ts';
import { syncSubscription } from './sync-subscription.ts';

/**
 * Applies an event of the payment gateway whose signature was verified. Events come twice, late and in any order; what
 * is not about us changes nothing.
 * @throws StorageUnavailable, and then the gateway posts it again
 */
export async function applyPaymentEvent(rt: Runtime, db: Database, event: JsonObject): Promise<void> {
  const read = readPaymentEvent(event);
  if (read.kind === 'checkout') await settleTopUp(rt, db, read.report);
  if (read.kind === 'refund') await refundTopUp(rt, db, read.report);
  if (read.kind === 'subscription') await syncSubscription(rt, db, read.report);
}
