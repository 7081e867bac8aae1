import { createHash } from 'node:crypto';
import { audit } from '#access/actions/audit';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { AgentId, PushSubscriptionId, SessionId, UserId } from '#core/ids';
import type { Database } from '#database/database';
import { MAX_SUBSCRIPTIONS, type PushKeys, type PushSubscription } from '#notifications/domain/push';
import {
  deleteOwnSubscription,
  type ListedSubscription,
  listSubscriptions,
  putSubscription,
  releaseEndpoint,
} from '#notifications/store/push-subscriptions';
import type { Runtime } from '#runtime/runtime';
import { lockUser } from '#users/store/users';

export const TOO_MANY_BROWSERS = `You are notified in ${MAX_SUBSCRIPTIONS} browsers already. Remove one that you no longer use.`;

/** A person who changes where they are notified, in which session. */
export interface SubscriptionRequest extends Requester {
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly sessionId: SessionId;
}

/**
 * Notifies the agent in the browser of their session from now on. To repeat it with the same address changes nothing.
 * @throws ApiProblem conflict when there are as many browsers as there may be
 */
export function subscribe(
  rt: Runtime,
  db: Database,
  request: SubscriptionRequest & { readonly endpoint: string; readonly keys: PushKeys },
): Promise<ListedSubscription> {
  const { tenantId, userId, agentId, sessionId, origin, endpoint, keys } = request;
  const endpointHash = createHash('sha256').update(endpoint).digest('hex');
  return db.transaction(async (tx) => {
    // One at a time, so that the limit holds.
    await lockUser(tx, userId);
    await releaseEndpoint(tx, { endpointHash, tenantId, sessionId });
    const known = await listSubscriptions(tx, tenantId, { agentId, nowMs: rt.clock.now() });
    const before = known.find((one) => one.sessionId === sessionId);
    if (before !== undefined && isSame(before, { endpoint, keys })) return before;
    if (before === undefined && known.length >= MAX_SUBSCRIPTIONS)
      throw new ApiProblem('conflict', { sentence: TOO_MANY_BROWSERS });
    await putSubscription(tx, {
      ...{ tenantId, sessionId, agentId, userId, endpoint, endpointHash, keys, lastPushedMs: null },
      subscriptionId: before?.subscriptionId ?? rt.newId<PushSubscriptionId>(),
      createdMs: rt.clock.now(),
    });
    const details = { service: new URL(endpoint).host };
    await audit(rt, tx, { tenantId, origin, action: 'push.subscribed', targetId: agentId, details });
    const after = await listSubscriptions(tx, tenantId, { agentId, nowMs: rt.clock.now() });
    const own = after.find((one) => one.sessionId === sessionId);
    // The session ended meanwhile.
    if (own === undefined) throw new ApiProblem('not_signed_in');
    return own;
  });
}

function isSame(before: PushSubscription, { endpoint, keys }: Pick<PushSubscription, 'endpoint' | 'keys'>): boolean {
  return before.endpoint === endpoint && before.keys.p256dh === keys.p256dh && before.keys.auth === keys.auth;
}

/**
 * Notifies the agent no more in a browser.
 * @param request.subscriptionId null: the browser of the session
 * @returns the ID of what is gone
 * @throws ApiProblem not_found when the agent is not notified there
 */
export function unsubscribe(
  rt: Runtime,
  db: Database,
  request: SubscriptionRequest & { readonly subscriptionId: string | null },
): Promise<PushSubscriptionId> {
  const { tenantId, agentId, origin } = request;
  return db.transaction(async (tx) => {
    const { subscriptionId, endpoint } = requireFound(await deleteOwnSubscription(tx, tenantId, request));
    const details = { service: new URL(endpoint).host };
    await audit(rt, tx, { tenantId, origin, action: 'push.unsubscribed', targetId: agentId, details });
    return subscriptionId;
  });
}
