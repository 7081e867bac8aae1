import Type from 'typebox';
import { defineOperation } from '#http/operation';

export const getHealthRoute = defineOperation({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'Check that the process is alive',
  description:
    'Returns 200 as long as the process is running. It does not check the database, because a restart would not fix a problem there.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The process is alive.',
    schema: Type.Object({ status: Type.String() }, { description: 'The process is alive.' }),
    example: { status: 'ok' },
  },
  errors: [],
  handle: () => () => ({ status: 'ok' }),
});
