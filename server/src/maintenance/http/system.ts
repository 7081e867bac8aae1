import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { findUnready, type Unready } from '#database/readiness';
import type { HttpDeps } from '#http/deps';
import { defineOperation, type ErrorExample, type Operation } from '#http/operation';
import { isLocal } from '#http/plugins/caller-address';
import { type CellMetrics, METRICS_TYPE, readOfProcess } from '#runtime/metrics';
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
    'Returns 200 if this process can do the work of its roles, and otherwise 503, so that a load balancer sends requests elsewhere. It returns 503 if the database does not respond (`database`), or if nothing that the process tried to store in the last seconds was stored: messages (`accept`), callbacks from the network (`callbacks`), messages claimed for sending (`claim`), or their outcomes (`settle`). `details` names each affected part and its problem. Where several processes share one port (`serve --processes`), all of them must be ready (`processes`). In an installation with several cells, a cell whose database does not respond is listed in `cells_away`: its tenants get 503, and the process stays ready for all others.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The process is ready for requests.',
    schema: Type.Object(
      {
        status: Type.String(),
        cells_away: Type.Optional(
          Type.Array(Type.String(), { description: 'Cells whose database does not respond. Absent: none.' }),
        ),
      },
      { description: 'The process is ready for requests.' },
    ),
    example: { status: 'ready' },
  },
  errorExamples: [databaseAwayExample()],
  handle: ({ rt, db, cellReport }) => {
    return async () => {
      const unready = rt.siblings === null ? await findUnready(rt, db) : await findUnreadySiblings(rt.siblings);
      const away = cellReport?.away() ?? [];
      // Another cell of this process still has tenants to serve.
      if (unready.length > 0 && (cellReport?.isAlone() ?? true)) throw unreadyProblem(unready);
      return { status: 'ready', ...(away.length > 0 && { cells_away: [...away] }) };
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
  handle: ({ rt, metricsAccess, cellReport }) => {
    return async (request, reply) => {
      if (metricsAccess === 'loopback' && !isLocal(request)) throw new ApiProblem('not_found');
      const cells = cellReport?.metrics() ?? [];
      return reply.type(METRICS_TYPE).send(await readOfAll(rt, cells));
    };
  },
});

/** In the order of the documentation. */
export const systemOperations: readonly Operation[] = [getHealthRoute, getReadinessRoute, getMetricsRoute];

/** Of every process that shares the port, and of every cell. */
async function readOfAll({ metrics, siblings }: HttpDeps['rt'], cells: readonly CellMetrics[]): Promise<string> {
  if (siblings !== null) return sumMetrics((await siblings.ask('metrics')).answers.flat());
  return cells.length === 0 ? metrics.read() : sumMetrics(await readOfProcess(metrics, cells));
}
