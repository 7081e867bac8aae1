import { readSubscription } from '#billing/actions/read-usage';
import { presentSubscription } from '#billing/http/present/billing';
import { SubscriptionObject, subscriptionExample } from '#billing/http/schemas/billing';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getSubscriptionRoute = defineOperation({
  method: 'GET',
  path: '/v1/subscription',
  operationId: 'getSubscription',
  summary: 'Get the subscription',
  description: "Returns the tenant's plan, the state of its subscription, and whether messages are accepted.",
  tag: 'Billing',
  scope: 'billing:read',
  answer: {
    status: 200,
    description: 'The subscription.',
    schema: SubscriptionObject,
    example: subscriptionExample,
  },
  errors: [],
  handle: ({ rt, db }) => {
    return async (request) => {
      return presentSubscription(await readSubscription(db, principalOf(request).tenantId, rt.clock.now()));
    };
  },
});
