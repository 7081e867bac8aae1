import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { checkHealth } from '#storage/health';
import { defineOperation } from '../../operation.ts';

export const getReadiness = defineOperation({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Can the process take requests',
  description:
    'Answers 200 when the database can be used and 503 when not, so that a balancer sends requests elsewhere.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'Requests are welcome.',
    schema: Type.Object({ status: Type.String() }, { description: 'Requests are welcome.' }),
    example: { status: 'ready' },
  },
  errors: ['storage_unavailable'],
  handle: ({ db }) => {
    return async () => {
      const health = await checkHealth(db);
      // The reason may name hosts and tables: it is logged with the cause, and not answered.
      if (!health.ok) throw new ApiProblem('storage_unavailable', { cause: health.reason });
      return { status: 'ready' };
    };
  },
});
