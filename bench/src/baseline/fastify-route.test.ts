import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtPrograms } from '../harness/paths.ts';
import { buildPlainRoute } from './fastify-route.ts';

test('the plain route checks a text as the published description says', async () => {
  const app = buildPlainRoute(join(builtPrograms().root, 'contract/openapi.json'), () => null);
  const post = (payload: object) => app.inject({ method: 'POST', url: '/v1/messages', payload });
  expect((await post({ to: '447700900123', body: 'Hi' })).statusCode).toBe(202);
  expect((await post({ to: '447700900123', body: 'Hi', nonsense: 1 })).statusCode).toBe(400);
  expect((await post({ body: 'Hi' })).statusCode).toBe(400);
  await app.close();
});
