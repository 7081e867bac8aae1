import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { PushKey } from '#notifications/actions/push-key';
import { evaluatePush, PUSH_LIFETIME_MS, type PushAnswer, type PushOutcome } from '#notifications/domain/push-outcome';
import { claimPushes, type DuePush, endPush, postponePush } from '#notifications/store/push-queue';
import { deleteSubscription } from '#notifications/store/push-subscriptions';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import { isQuietAt, readNotificationPreferences } from '#users/domain/notification-preferences';
import { readWebhookRetryAfter } from '#webhooks/domain/webhook-schedule';
import { openWebhookPoster, type Posted, type WebhookPoster } from '#webhooks/workers/post';
import { encryptPush, pushSubject } from './push-request.ts';

/** How late a push can be, beside the time that a page has to show its notification. */
const POLL_MS = 500;
/** Of one attempt. */
const TIMEOUT_MS = 10_000;
/** Longer than an attempt can take. */
const LEASE_MS = 60_000;
/** Under way at once in this process: silent push services of one tenant must not hold up those of others. */
const MAX_AT_ONCE = 64;
const MAX_OF_TENANT = 8;

export interface PushSenderDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly key: PushKey;
  /** Whether a push may be due. */
  readonly isDue: () => Promise<boolean>;
  /** Null: the one that holds to public addresses, as that of webhooks does. */
  readonly poster?: WebhookPoster | null;
}

export interface PushSender {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Posts queued notifications to the push services of browsers. Several processes may do it at the same time: a push is
 * claimed for a minute. One that was under way when its process died is sent again; the browser shows it once, by its id.
 */
export function makePushSender({ rt, db, key, isDue, poster: given = null }: PushSenderDeps): PushSender {
  const poster = given ?? openWebhookPoster(rt);
  const send = makeSend(rt, key, poster);
  const underWay = new Map<Promise<void>, TenantId>();
  const stopping = new AbortController();
  const settle = async (push: DuePush): Promise<void> => {
    const outcome = await send(push, stopping.signal);
    rt.metrics.pushes.inc({ outcome: outcome.kind });
    if (outcome.kind === 'again') await postponePush(db, push, outcome.dueMs);
    else if (outcome.kind === 'gone') await deleteSubscription(db, push.tenantId, push.subscriptionId);
    else await endPush(db, push, outcome.kind === 'sent' ? rt.clock.now() : null);
  };
  const step = async (): Promise<void> => {
    const limit = MAX_AT_ONCE - underWay.size;
    if (limit === 0 || !(await isDue())) return;
    const nowMs = rt.clock.now();
    const busy = tenantsWith(MAX_OF_TENANT, [...underWay.values()]);
    const claim = { nowMs, leaseUntilMs: nowMs + LEASE_MS, busy, perTenant: MAX_OF_TENANT, limit };
    for (const push of await claimPushes(db, claim)) {
      // What cannot be settled now comes back after its lease.
      const work = settle(push)
        .catch((error: Error) => rt.log.warn({ error: error.message }, 'push.not_settled'))
        .finally(() => underWay.delete(work));
      underWay.set(work, push.tenantId);
    }
  };
  const loop = new Loop(rt, POLL_MS, 'pushes', step);
  return {
    start: () => loop.start('later'),
    stop: async () => {
      await loop.stop();
      stopping.abort();
      await Promise.all(underWay.keys());
      await poster.close();
    },
  };
}

/** Unwanted: it was read, or there is nobody any more who may get it, or it is night. */
type Sent = PushOutcome | { readonly kind: 'unwanted' };

function makeSend(rt: Runtime, key: PushKey, poster: WebhookPoster) {
  const subject = pushSubject(rt.config);
  return async (push: DuePush, stopping: AbortSignal): Promise<Sent> => {
    const { target, createdMs, attempts } = push;
    const startMs = rt.clock.now();
    if (target === null) return { kind: 'unwanted' };
    const preferences = readNotificationPreferences(target.preferences);
    if (isQuietAt(preferences, startMs)) return { kind: 'unwanted' };
    if (createdMs + PUSH_LIFETIME_MS <= startMs) return { kind: 'given_up' };
    const shown = preferences.pushText ? push : { ...push, text: null };
    const request = encryptPush(shown, target, { key, subject, nowMs: startMs });
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const posted = await poster.post({ ...request, signal });
    const nowMs = rt.clock.now();
    const outcome = evaluatePush({
      answer: answerOf(posted, nowMs),
      ...{ attempts, createdMs, nowMs, random: rt.random },
    });
    if (outcome.kind === 'given_up') {
      const { tenantId, subscriptionId } = push;
      rt.log.warn({ tenantId, subscriptionId, error: posted.error, status: posted.status }, 'push.given_up');
    }
    return outcome;
  };
}

function answerOf({ status, error, retryAfter }: Posted, nowMs: number): PushAnswer {
  return { status, isRefused: error === 'address_refused', retryAfterMs: readWebhookRetryAfter(retryAfter, nowMs) };
}

/** The tenants that occur at least so often. */
function tenantsWith(count: number, tenants: readonly TenantId[]): readonly TenantId[] {
  return [...new Set(tenants)].filter((one) => tenants.filter((tenant) => tenant === one).length >= count);
}
