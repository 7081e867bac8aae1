import Type from 'typebox';
import { defineOperation } from '../../operation.ts';

export const getHealth = defineOperation({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'Check that the process is alive',
  description: 'Answers as long as the process runs. It asks nothing of the database: a restart would not heal that.',
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
