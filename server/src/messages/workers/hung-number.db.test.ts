import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
const CONNECTIONS = 8;
/** Sends of the hung number that wait, beyond what could be claimed if it had all places. */
const BACKLOG = 10 * 8 * CONNECTIONS;

beforeAll(async () => {
  kit = await startTestService({
    random: () => 0,
    // Nothing that hangs ends within the test.
    config: { sendConcurrency: CONNECTIONS, networkTimeoutMs: 120_000, pairLimit: 'off' },
    simulator: { numberRate: 0, pairLimit: false },
  });
});
/** Sends that hang end with the network. */
afterAll(async () => {
  await kit.sim.close();
  await kit.close();
});
beforeEach(() => kit.simulate('PUT', '/_sim/chaos', {}));

async function postMany(tenant: TestTenant, count: number): Promise<void> {
  for (let posted = 0; posted < count; posted += 100) {
    const messages = Array.from({ length: 100 }, () => ({ to: freshPhone(), body: 'Hello' }));
    const answer = await tenant.call('POST', '/v1/messages/batch', { messages });
    expect(answer.status).toBeLessThan(300);
  }
}

describe('F-48: a number whose sends never end', () => {
  test.each([
    ['nothing is answered', { fault: 'hang' }],
    ['the answer comes a byte at a time', { fault: 'drip', delay_ms: 50 }],
    ['each answer takes a minute', { fault: 'delay', delay_ms: 60_000 }],
  ])('holds no other number up: %s', async (_label, fault) => {
    const hung = await makeTestTenant(kit, { ratePerSecond: 0 });
    const other = await makeTestTenant(kit, { ratePerSecond: 0 });
    const rule = { probability: 1, phone_number_id: hung.phoneNumberId, ...fault };
    await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [rule] } });
    await postMany(hung, BACKLOG);
    await kit.until(
      async () => (await kit.call('GET', '/metrics')).text,
      (metrics) => /postrider_sends_in_flight\{state="waiting"\} [1-9]/.test(metrics),
      'the hung number has more claimed than it may send at once',
    );
    for (let index = 0; index < 20; index += 1) {
      const id = await other.send(freshPhone());
      await other.untilMessage(id, ({ status }) => status === 'sent', 'the other number sends');
    }
  });
});
