import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { findUnready, type Unready } from '#database/readiness';
import { defineOperation, type ErrorExample, type Operation } from '#http/operation';
import { isLocal } from '#http/plugins/caller-address';
import { METRICS_TYPE } from '#runtime/metrics';
import type { Siblings } from '#runtime/siblings';
import { sumMetrics } from '#runtime/summed-metrics';

const getHealthRoute = defineOperation({
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
  handle: () => () => ({ status: 'ok' }),
});

const getReadinessRoute = defineOperation({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Check that the process can do its work',
  description:
    'Returns 200 if this process can do the work of its roles, and otherwise 503, so that a load balancer sends requests elsewhere. It returns 503 if the database does not respond (`database`), or if nothing that the process tried to store in the last seconds was stored: messages (`accept`), callbacks from the network (`callbacks`), messages claimed for sending (`claim`), or their outcomes (`settle`). `details` names each affected part and its problem. Where several processes share one port (`serve --processes`), all of them must be ready (`processes`).',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The process is ready for requests.',
    schema: Type.Object({ status: Type.String() }, { description: 'The process is ready for requests.' }),
    example: { status: 'ready' },
  },
  errorExamples: [databaseAwayExample()],
  handle: ({ rt, db }) => {
    return async () => {
      const unready = rt.siblings === null ? await findUnready(rt, db) : await findUnreadySiblings(rt.siblings);
      if (unready.length > 0) throw unreadyProblem(unready);
      return { status: 'ready' };
    };
  },
});

function databaseAwayExample(): ErrorExample {
  const unready: Unready = { part: 'database', sentence: 'The database did not respond.' };
  return { name: 'storageUnavailable', code: 'storage_unavailable', body: unreadyProblem([unready]).toBody() };
}

/** Any of them may get the next request. */
async function findUnreadySiblings(siblings: Siblings): Promise<readonly Unready[]> {
  const { answers, silent } = await siblings.ask('readiness');
  const sentences = [...new Set(answers.flat())];
  if (silent > 0) sentences.push(`${silent} of ${answers.length + silent} processes did not respond.`);
  return sentences.map((sentence) => ({ part: 'processes', sentence }));
}

/** The cause may name hosts and tables: it is logged, and not answered. */
function unreadyProblem(unready: readonly Unready[]): ApiProblem {
  const [first] = unready;
  return new ApiProblem('storage_unavailable', {
    sentence: `This process cannot do its work. ${first?.sentence}`,
    details: unready.map(({ part, sentence }) => ({ path: part, message: sentence })),
    cause: first?.cause,
  });
}

export const getMetricsRoute = defineOperation({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Get metrics',
  description:
    "Returns the metrics of this process, or of all processes that share its port (`serve --processes`), in the Prometheus text format; docs/metrics.md describes each of them. Labels never contain a tenant's text. On the API port, only programs on the same machine are served, unless the operator opens the endpoint.",
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The metrics.',
    contentType: 'text/plain',
    schema: Type.String({ description: 'Prometheus text format.' }),
    example: 'postrider_messages_accepted_total 42\n',
  },
  errors: ['not_found'],
  handle: ({ rt, metricsAccess }) => {
    return async (request, reply) => {
      if (metricsAccess === 'loopback' && !isLocal(request)) throw new ApiProblem('not_found');
      const text = rt.siblings === null ? rt.metrics.read() : sumMetrics((await rt.siblings.ask('metrics')).answers);
      return reply.type(METRICS_TYPE).send(await text);
    };
  },
});

/** In the order of the documentation. */
export const systemOperations: readonly Operation[] = [getHealthRoute, getReadinessRoute, getMetricsRoute];
