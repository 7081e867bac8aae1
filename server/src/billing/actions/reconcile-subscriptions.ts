import type { FindSubscription } from '#billing/domain/payment-event';
import { listLinkedSubscriptions } from '#billing/store/subscriptions';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { syncSubscription } from './sync-subscription.ts';

const BATCH = 100;
const SECOND_MS = 1000;
const START = '00000000-0000-0000-0000-000000000000';

/** How many subscriptions the gateway was asked for, and how many of ours moved. */
export interface ReconciledSubscriptions {
  readonly asked: number;
  readonly moved: number;
}

/** Asks the gateway for every subscription that is paid there, in case an event got lost or came before the tie. */
export async function reconcileSubscriptions(
  rt: Runtime,
  db: Database,
  findSubscription: FindSubscription,
): Promise<ReconciledSubscriptions> {
  let counts = { asked: 0, moved: 0 };
  let after = START;
  while (true) {
    const linked = await listLinkedSubscriptions(db, after, BATCH);
    for (const { gatewayId } of linked) {
      const moved = await askOne(rt, db, { gatewayId, findSubscription });
      counts = { asked: counts.asked + 1, moved: counts.moved + (moved ? 1 : 0) };
    }
    const last = linked.at(-1);
    if (last === undefined) return counts;
    after = last.tenantId;
  }
}

interface Question {
  readonly gatewayId: string;
  readonly findSubscription: FindSubscription;
}

async function askOne(rt: Runtime, db: Database, { gatewayId, findSubscription }: Question): Promise<boolean> {
  // Before the question: a change after it is reported by an event that was made later. To the second, as events are.
  const createdMs = Math.floor(rt.clock.now() / SECOND_MS) * SECOND_MS;
  const found = await findSubscription(gatewayId);
  if (found.kind !== 'found') {
    rt.log.warn({ subscription: gatewayId, reason: found.kind }, 'subscription.not_found');
    return false;
  }
  const report = { gatewayId, status: found.status, createdMs };
  return (await syncSubscription(rt, db, report, { asked: true })) === 'moved';
}
