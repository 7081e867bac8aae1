import { ApiProblem } from '#core/errors';
import { findPhoneNumber } from '#storage/phone-numbers';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { tagVersion } from '../../plugins/if-match.ts';
import { presentPhoneNumber } from '../../present/phone-number.ts';
import { numberExample, PhoneNumberParams, PhoneNumberView } from '../../schemas/phone-number.ts';

export const getPhoneNumber = defineOperation({
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
    return async (request, reply) => {
      const number = await findPhoneNumber(db, principalOf(request).tenantId, request.params.id);
      if (number === null) throw new ApiProblem('not_found');
      tagVersion(reply, number.version);
      return presentPhoneNumber(number);
    };
  },
});
