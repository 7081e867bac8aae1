import type { DeliveryId, EndpointId, TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { insertDeliveries } from '#webhooks/store/webhook-deliveries';

/** One change of a callback, as an endpoint is to get it. */
export interface NetworkPost {
  /** Identifies the change: the same whenever its callback is applied. */
  readonly eventId: string;
  readonly field: string;
  readonly body: string;
}

/** Enqueues changes for an endpoint that wants the network's form, in the transaction that applies them. What is enqueued already stays as it is. */
export async function enqueueCallbacks(
  rt: Runtime,
  tx: Transaction,
  endpoint: { readonly tenantId: TenantId; readonly endpointId: EndpointId },
  posts: readonly NetworkPost[],
): Promise<void> {
  const deliveries = posts.map(({ eventId, field, body }) => {
    return { deliveryId: rt.newId<DeliveryId>(), eventId, sequence: null, type: field, body, orderKey: null };
  });
  await insertDeliveries(tx, endpoint, deliveries, rt.clock.now());
}
