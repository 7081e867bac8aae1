import { seededRandom } from '../random.ts';
import type { Prepared } from './connection.ts';
import type { LoadJob } from './job.ts';

/** First recipient: an area code that is not in use. Others follow it. */
const FIRST_RECIPIENT = 15_550_000_000;
const TEXT = 'Your order 4711 left the warehouse and arrives tomorrow between 9 and 12.';

/** An endless supply of the requests that a job asks for. */
export function requestsOf({ key, request }: LoadJob): () => Prepared {
  const authorization = `Bearer ${key}`;
  if (request.kind === 'read') {
    const { paths } = request;
    let turn = 0;
    return () => ({ method: 'GET', path: paths[turn++ % paths.length] ?? '/', headers: { authorization }, body: null });
  }
  const random = seededRandom(request.seed);
  const headers = { authorization, 'content-type': 'application/json' };
  return () => {
    const to = FIRST_RECIPIENT + random.between(0, request.recipients - 1);
    return { method: 'POST', path: request.path, headers, body: `{"to":"${to}","body":"${TEXT}"}` };
  };
}
