import { presentPhoneNumber } from '#accounts/http/present/phone-number';
import { numberExample, PhoneNumberParams, PhoneNumberView } from '#accounts/http/schemas/phone-number';
import { findPhoneNumber } from '#accounts/store/phone-numbers';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getPhoneNumberRoute = defineOperation({
  method: 'GET',
  path: '/v1/phone-numbers/:id',
  operationId: 'getPhoneNumber',
  summary: 'Get a sending number',
  description:
    "Returns the number's status here, and what the network last reported about its quality, limit and throughput.",
  tag: 'Numbers',
  scope: 'numbers:read',
  params: PhoneNumberParams,
  answer: {
    status: 200,
    description: 'The number.',
    schema: PhoneNumberView,
    example: numberExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentPhoneNumber(
        requireFound(await findPhoneNumber(db, principalOf(request).tenantId, request.params.id)),
      );
    };
  },
});
