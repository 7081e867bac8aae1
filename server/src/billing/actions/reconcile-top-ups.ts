import { nextAskMs, type PaymentGateway } from '#billing/domain/top-up';
import { askLater, type DueTopUp, endTopUp, findDueTopUps } from '#billing/store/top-ups';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { settleTopUp } from './settle-top-up.ts';

/** Asked one after the other: the gateway counts requests too. */
const BATCH = 20;
/** A page to pay on lives a day, and the slowest ways to pay settle within two weeks. */
const GIVE_UP_MS = 30 * 24 * 60 * 60_000;

/** How many top-ups were asked for, and how many of them ended. */
export interface Reconciled {
  readonly asked: number;
  readonly ended: number;
}

/** Asks the gateway for top-ups that are still pending: an event that got lost delays a credit, and loses none. */
export async function reconcileTopUps(
  rt: Runtime,
  db: Database,
  gateway: Pick<PaymentGateway, 'findCheckout'>,
): Promise<Reconciled> {
  const due = await findDueTopUps(db, rt.clock.now(), BATCH);
  let ended = 0;
  for (const topUp of due) ended += (await reconcileOne(rt, db, { topUp, gateway })) ? 1 : 0;
  return { asked: due.length, ended };
}

interface OneTopUp {
  readonly topUp: DueTopUp;
  readonly gateway: Pick<PaymentGateway, 'findCheckout'>;
}

async function reconcileOne(rt: Runtime, db: Database, { topUp, gateway }: OneTopUp): Promise<boolean> {
  if (topUp.sessionId === null)
    return giveUp(rt, db, topUp, 'The request was aborted before a payment page was opened.');
  const found = await gateway.findCheckout(topUp.sessionId);
  if (found.kind === 'unknown') return giveUp(rt, db, topUp, 'The payment is unknown to the payment gateway.');
  if (found.kind === 'found' && (await settleTopUp(rt, db, found.report)) !== 'nothing') return true;
  const nowMs = rt.clock.now();
  if (found.kind === 'found' && nowMs - topUp.createdMs > GIVE_UP_MS)
    return giveUp(rt, db, topUp, 'It was never paid.');
  if (found.kind === 'unavailable') rt.log.warn({ topup: topUp.topUpId, reason: found.reason }, 'topup.not_asked');
  await askLater(db, topUp, nextAskMs(topUp.asked + 1, nowMs));
  return false;
}

async function giveUp(rt: Runtime, db: Database, topUp: DueTopUp, note: string): Promise<boolean> {
  await endTopUp(db, { ...topUp, status: 'failed', note, nowMs: rt.clock.now() });
  return true;
}
