import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOutages } from '#messages/store/leases';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let network: Server;
/** What is in front of the network answers with this; null: the network itself answers. */
let inBetween: number | null = null;
let posts = 0;
let accepted = 0;

/**
 * The promise is 5 s; the rest is for a machine that runs other tests at the same time. A probe that never leaves takes
 * much longer.
 */
const RECOVERY_MS = 30_000;
/** Sending them all takes no longer than so many times as posting them, on a slow machine too. */
const TIMES_POSTING = 20;

beforeAll(async () => {
  network = createServer((request, response) => {
    request.resume().on('end', () => {
      posts += 1;
      if (inBetween !== null) {
        response.writeHead(inBetween, { 'content-type': 'text/html' }).end('<html>Something in between</html>');
      } else {
        accepted += 1;
        response.end(JSON.stringify({ messages: [{ id: `wamid.${accepted}` }] }));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
  const networkUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  kit = await startTestService({ random: () => 0, config: { networkUrl } });
});
afterAll(async () => {
  await kit.close();
  network.close();
});

async function postToAll(tenants: readonly TestTenant[], each: number) {
  const posts = tenants.flatMap((tenant) =>
    Array.from({ length: each }, async () => ({ tenant, id: await tenant.send(freshPhone()) })),
  );
  return Promise.all(posts);
}

test.each([
  302, 401, 403, 404, 407, 421,
])('pages of something in between (%d) to many numbers pause all of them, and fail no message', async (status) => {
  const tenants = await Promise.all([1, 2, 3, 4].map(() => makeTestTenant(kit, { ratePerSecond: 0 })));
  const isOut = async () => (await kit.rt.metrics.networkOutage.get()).values[0]?.value;
  [inBetween, posts, accepted] = [status, 0, 0];
  const begunMs = performance.now();
  const sent = await postToAll(tenants, 25);
  const postingMs = performance.now() - begunMs;
  await kit.until(isOut, (value) => value === 1, 'the outage is noticed');
  const listed = () => listOutages(kit.service.db);
  await kit.until(
    listed,
    ([outage]) => outage?.reason?.includes('other than the network responded') ?? false,
    'it is recorded',
  );
  const seen = posts;
  await kit.until(
    async () => posts,
    (now) => now >= seen + 2,
    'the network is tried again',
  );
  for (const { tenant, id } of sent) expect((await tenant.message(id)).status).not.toBe('failed');
  inBetween = null;
  const repairedMs = performance.now();
  for (const { tenant, id } of sent) await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
  expect(performance.now() - repairedMs).toBeLessThan(RECOVERY_MS + TIMES_POSTING * postingMs);
  expect(accepted).toBe(sent.length);
  expect(await isOut()).toBe(0);
  await kit.until(listed, (outages) => outages.length === 0, 'its end is recorded');
  expect((await kit.call('GET', '/readyz')).status).toBe(200);
});
