import { readSubscription } from '#operations/read-usage';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentSubscription } from '../../present/billing.ts';
import { SubscriptionObject, subscriptionExample } from '../../schemas/billing.ts';

export const getSubscription = defineOperation({
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
