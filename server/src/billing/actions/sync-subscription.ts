import { SERVICE } from '#access/domain/audit';
import { isNewer, type SubscriptionReport } from '#billing/domain/payment-event';
import { statusAt, subscriptionTransitions } from '#billing/domain/subscription';
import { findSubscription, findSubscriptionOfGateway, lockHeard, noteHeard } from '#billing/store/subscriptions';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { moveSubscriptionIn } from './subscription-step.ts';

/** moved: our subscription changed. heard: it is recorded, and changes nothing. nothing: it is old, or not about us. */
export type FollowOutcome = 'moved' | 'heard' | 'nothing';

/**
 * Takes over the state of a subscription that is paid at the gateway, through the transitions of billing/domain/subscription.ts.
 * Older events than the last one that counted change nothing. Only a change of the gateway's state moves ours, so that
 * what the operator did in between is not undone by an event that says nothing new; and the gateway takes nobody back
 * who was canceled here. An answer to a question (`asked`) that says nothing new leaves no mark: our clock and the
 * gateway's may differ, and events that come soon must not look older than it.
 */
export async function syncSubscription(
  rt: Runtime,
  db: Database,
  report: SubscriptionReport,
  { asked }: { readonly asked: boolean } = { asked: false },
): Promise<FollowOutcome> {
  const { gatewayId, status, createdMs } = report;
  if (status === null) return 'nothing';
  const tenantId = await findSubscriptionOfGateway(db, gatewayId);
  if (tenantId === null) return 'nothing';
  const outcome = await withEvents(rt, db, async (tx, events): Promise<FollowOutcome> => {
    const heard = await lockHeard(tx, tenantId, gatewayId);
    if (heard === null || !isNewer({ status, createdMs }, heard)) return 'nothing';
    if (asked && status === heard.status) return 'nothing';
    await noteHeard(tx, tenantId, { status, createdMs });
    const from = statusAt(await findSubscription(tx, tenantId), rt.clock.now());
    const allowed = from !== 'canceled' && subscriptionTransitions[from].includes(status);
    if (status === heard.status || !allowed) return 'heard';
    await moveSubscriptionIn(rt, tx, { tenantId, move: { status }, origin: SERVICE, events });
    return 'moved';
  });
  rt.log.info({ tenant: tenantId, status, outcome }, 'subscription.told');
  return outcome;
}
