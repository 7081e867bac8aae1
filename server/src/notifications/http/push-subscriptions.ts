import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import { isUuid } from '#core/ids';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { deletedAnswer } from '#http/schemas/deleted';
import { conflictExample, faultExample } from '#http/schemas/errors';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339, parseRfc3339 } from '#http/validation/rfc3339';
import {
  type SubscriptionRequest,
  subscribe,
  TOO_MANY_BROWSERS,
  unsubscribe,
} from '#notifications/actions/manage-subscriptions';
import { MAX_SUBSCRIPTIONS, pushKeysFault } from '#notifications/domain/push';
import { countUnread } from '#notifications/store/notifications';
import { dropShownPushes } from '#notifications/store/push-queue';
import { type ListedSubscription, listSubscriptions } from '#notifications/store/push-subscriptions';
import { parseWebhookAllow, webhookAddressFault } from '#webhooks/domain/webhook-address';
import { Unread } from './schemas/notification.ts';
import {
  PushKeyView,
  PushSubscriptionList,
  PushSubscriptionView,
  PutPushSubscription,
  pushKeyExample,
  pushSubscriptionExample,
  pushSubscriptionExampleId,
  putSubscriptionExamples,
  ShownNotifications,
  SubscriptionIdParams,
} from './schemas/push-subscription.ts';

const getPushKeyRoute = defineOperation({
  method: 'GET',
  path: '/v1/me/push-key',
  operationId: 'getPushKey',
  summary: 'Get the key for push notifications',
  description: 'Returns the public key with which a browser subscribes to push notifications. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  answer: { status: 200, description: 'The key.', schema: PushKeyView, example: pushKeyExample },
  handle: ({ pushPublicKey }) => {
    return async () => ({ public_key: pushPublicKey });
  },
});

const listPushSubscriptionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/me/push-subscriptions',
  operationId: 'listPushSubscriptions',
  summary: 'List browsers with push notifications',
  description:
    'Returns the browsers in which the person is notified in this tenant while no page is open. Those whose sessions have ended are gone. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  answer: {
    status: 200,
    description: 'The browsers.',
    schema: PushSubscriptionList,
    example: { data: [pushSubscriptionExample] },
  },
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId, agentId, sessionId } = subscriberOf(request);
      const list = await listSubscriptions(db, tenantId, { agentId, nowMs: rt.clock.now() });
      return { data: list.map((one) => presentSubscription(one, sessionId)) };
    };
  },
});

const putPushSubscriptionRoute = defineOperation({
  method: 'PUT',
  path: '/v1/me/push-subscriptions',
  operationId: 'putPushSubscription',
  summary: 'Turn on push notifications in a browser',
  description: `Notifies the person in the browser of the session, in place of an earlier subscription of it. What pops up by their preferences is pushed, encrypted for the browser, unless a page shows it within 3 seconds; not during quiet hours, and without the text of messages and notes unless \`push_text\` is true in the preferences of notifications. It ends with the session. A person can have ${MAX_SUBSCRIPTIONS} in a tenant. Needs a session.`,
  tag: 'People',
  scope: null,
  session: true,
  body: PutPushSubscription,
  bodyExamples: putSubscriptionExamples,
  answer: { status: 200, description: 'The browser.', schema: PushSubscriptionView, example: pushSubscriptionExample },
  errorExamples: [
    conflictExample('tooManyBrowsers', TOO_MANY_BROWSERS),
    faultExample('notAPushService', 'validation_failed', {
      path: 'body.endpoint',
      message: 'endpoint must point to a public host.',
    }),
  ],
  handle: ({ rt, db }) => {
    const allow = parseWebhookAllow(rt.config.webhookAllow);
    return async (request) => {
      const { endpoint, keys } = request.body;
      const fault = webhookAddressFault(allow, endpoint);
      if (fault !== null) throw problemOf([{ path: 'body.endpoint', message: `endpoint ${fault}.` }]);
      const wrong = pushKeysFault(keys);
      if (wrong !== null) throw problemOf([{ path: `body.keys.${wrong.at}`, message: wrong.message }]);
      const subscriber = subscriberOf(request);
      const one = await subscribe(rt, db, { ...subscriber, endpoint, keys });
      return presentSubscription(one, subscriber.sessionId);
    };
  },
});

const deletePushSubscriptionRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/me/push-subscriptions/:id',
  operationId: 'deletePushSubscription',
  summary: 'Turn off push notifications in a browser',
  description:
    'Notifies the person in a browser no more. `current` names the browser of the session. Signing out does the same. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  params: SubscriptionIdParams,
  answer: deletedAnswer('The person is not notified there any more.', pushSubscriptionExampleId),
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const asked = request.params.id.toLowerCase();
      const subscriptionId = asked === 'current' ? null : asked;
      if (subscriptionId !== null && !isUuid(subscriptionId)) throw new ApiProblem('not_found');
      return { id: await unsubscribe(rt, db, { ...subscriberOf(request), subscriptionId }), status: 'deleted' };
    };
  },
});

const reportShownNotificationsRoute = defineOperation({
  method: 'POST',
  path: '/v1/me/notifications/shown',
  operationId: 'reportShownNotifications',
  summary: 'Report notifications as shown',
  description:
    'Says that a page in front of the person has shown notifications. They stay unread, but are no longer pushed to browsers. Needs a session.',
  tag: 'People',
  scope: null,
  session: true,
  body: ShownNotifications,
  bodyExamples: { newest: { summary: 'Up to the newest one', value: { before: '2030-01-01T09:05:00.000Z' } } },
  answer: { status: 200, description: 'What is still unread.', schema: Unread, example: { unread: 1 } },
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId, agentId } = subscriberOf(request);
      const untilMs = parseRfc3339(request.body.before);
      if (untilMs === null) throw problemOf([{ path: 'body.before', message: 'before is not a time.' }]);
      await dropShownPushes(db, tenantId, { agentId, untilMs });
      return { unread: await countUnread(db, tenantId, agentId) };
    };
  },
});

/** In the order of the documentation. */
export const pushOperations: readonly Operation[] = [
  getPushKeyRoute,
  listPushSubscriptionsRoute,
  putPushSubscriptionRoute,
  deletePushSubscriptionRoute,
  reportShownNotificationsRoute,
];

/** The person who asks, and the browser that they ask from. */
function subscriberOf(request: FastifyRequest): SubscriptionRequest {
  const { session, agentId } = principalOf(request);
  // A session always acts for an agent.
  if (session === null || agentId === null) throw new ApiProblem('not_signed_in');
  return { ...requesterOf(request), userId: session.userId, sessionId: session.sessionId, agentId };
}

function presentSubscription(one: ListedSubscription, sessionId: string): JsonObject {
  return {
    id: one.subscriptionId,
    current: one.sessionId === sessionId,
    service: new URL(one.endpoint).host,
    user_agent: one.userAgent,
    created_at: formatRfc3339(one.createdMs),
    last_pushed_at: one.lastPushedMs === null ? null : formatRfc3339(one.lastPushedMs),
  };
}
