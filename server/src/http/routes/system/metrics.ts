import Type from 'typebox';
import { defineOperation } from '../../operation.ts';

export const getMetrics = defineOperation({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Read the counters',
  description: 'Counters of this process in the text format of Prometheus. No label carries text of a tenant.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The counters.',
    contentType: 'text/plain',
    schema: Type.String({ description: 'Prometheus text format.' }),
    example: 'postrider_messages_accepted_total 42\n',
  },
  errors: [],
  handle: ({ rt }) => {
    const { registry } = rt.metrics;
    return async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics());
  },
});
