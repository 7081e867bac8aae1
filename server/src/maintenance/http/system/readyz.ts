import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { findUnready, type Unready } from '#database/readiness';
import { defineOperation, type ErrorExample } from '#http/operation';

export const getReadinessRoute = defineOperation({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Check that the process can do its work',
  description:
    'Returns 200 if this process can do the work of its roles, and otherwise 503, so that a load balancer sends requests elsewhere. It returns 503 if the database does not respond (`database`), or if nothing that the process tried to store in the last seconds was stored: messages (`accept`), callbacks from the network (`callbacks`), messages claimed for sending (`claim`), or their outcomes (`settle`). `details` names each affected part and its problem.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The process is ready for requests.',
    schema: Type.Object({ status: Type.String() }, { description: 'The process is ready for requests.' }),
    example: { status: 'ready' },
  },
  errors: [],
  errorExamples: [databaseAwayExample()],
  handle: ({ rt, db }) => {
    return async () => {
      const unready = await findUnready(rt, db);
      if (unready.length > 0) throw unreadyProblem(unready);
      return { status: 'ready' };
    };
  },
});

function databaseAwayExample(): ErrorExample {
  const unready: Unready = { part: 'database', sentence: 'The database did not answer.' };
  return { name: 'storageUnavailable', code: 'storage_unavailable', body: unreadyProblem([unready]).toBody() };
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
