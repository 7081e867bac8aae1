import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { isLocal } from '#http/plugins/caller-address';

export const getMetricsRoute = defineOperation({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Get metrics',
  description:
    "Returns the counters of this process in the Prometheus text format. Labels never contain a tenant's text. On the API port, only programs on the same machine are served, unless the operator opens the endpoint.",
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The counters.',
    contentType: 'text/plain',
    schema: Type.String({ description: 'Prometheus text format.' }),
    example: 'postrider_messages_accepted_total 42\n',
  },
  errors: ['not_found'],
  handle: ({ rt, metricsAccess }) => {
    const { registry } = rt.metrics;
    return async (request, reply) => {
      if (metricsAccess === 'loopback' && !isLocal(request)) throw new ApiProblem('not_found');
      return reply.type(registry.contentType).send(await registry.metrics());
    };
  },
});
