import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { findUnready, type Unready } from '#operations/readiness';
import { defineOperation, type ErrorExample } from '../../operation.ts';

export const getReadiness = defineOperation({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Check that the process can do its work',
  description:
    'Answers 200 when this process can do the work of its roles, and 503 when not, so that a balancer sends requests elsewhere: the database does not answer (`database`), or nothing of what it tried to store in the last seconds was stored: messages (`accept`), callbacks of the network (`callbacks`), messages taken up for sending (`claim`), their outcomes (`settle`). `details` names each part with what is the matter.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'Requests are welcome.',
    schema: Type.Object({ status: Type.String() }, { description: 'Requests are welcome.' }),
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
