import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { findTopUp } from '#storage/top-ups';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentTopUp } from '../../present/top-up.ts';
import { uuid, withExample } from '../../schemas/fields.ts';
import { TopUpView, topUpExample } from '../../schemas/top-up.ts';

export const getTopUp = defineOperation({
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
      const topUp = await findTopUp(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (topUp === null) throw new ApiProblem('not_found');
      return presentTopUp(topUp);
    };
  },
});
