import Type from 'typebox';
import { presentTopUp } from '#billing/http/present/top-up';
import { TopUpView, topUpExample } from '#billing/http/schemas/top-up';
import { findTopUp } from '#billing/store/top-ups';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { uuid, withExample } from '#http/schemas/fields';

export const getTopUpRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet/topups/:id',
  operationId: 'getTopUp',
  summary: 'Get a top-up',
  description: 'Returns the progress of a payment that was started with `POST /v1/wallet/topups`.',
  tag: 'Billing',
  scope: 'billing:read',
  params: Type.Object({ id: withExample(uuid('Id of the top-up.'), topUpExample.id) }),
  answer: { status: 200, description: 'The top-up.', schema: TopUpView, example: topUpExample },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentTopUp(
        requireFound(await findTopUp(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
      );
    };
  },
});
