import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { WAIT_LIMITS } from './stream-slots.ts';

let kit: TestService;
let tenant: TestTenant;

beforeEach(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
  tenant = await makeTestTenant(kit);
});
afterEach(() => kit.close());

const REFUSED = {
  error: 'Too many requests are waiting: at most 50 per key and 100 per tenant. Send the request without wait.',
  code: 'rate_limited',
};

async function waiting(): Promise<number> {
  return (await kit.rt.metrics.longPolls.get()).values[0]?.value ?? 0;
}

/** Starts requests that wait for the next event, one more than the key may have, and waits until the last is refused. */
async function fillSlots(): Promise<{ readonly refused: Answer; readonly held: Promise<readonly Answer[]> }> {
  const all = Array.from({ length: WAIT_LIMITS.perKey + 1 }, () => tenant.call('GET', '/v1/events?wait=30'));
  const refused = await Promise.race(all);
  return { refused, held: Promise.all(all).then((answers) => answers.filter((answer) => answer !== refused)) };
}

test('a key that waits too often is refused with a sentence, others wait as ever, and the slots come back', async () => {
  const { refused, held } = await fillSlots();
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([429, REFUSED, '5']);
  expect(await waiting()).toBe(WAIT_LIMITS.perKey);
  expect((await tenant.call('GET', '/v1/events')).status).toBe(200);

  const other = await makeTestTenant(kit);
  const awaited = other.call('GET', '/v1/events?wait=30');
  expect((await other.call('POST', '/v1/contacts', { phone: freshPhone() })).status).toBe(201);
  expect((await awaited).body.data).toHaveLength(1);

  expect((await tenant.call('POST', '/v1/contacts', { phone: freshPhone() })).status).toBe(201);
  expect(new Set((await held).map(({ status }) => status))).toEqual(new Set([200]));
  expect(await waiting()).toBe(0);
  expect((await tenant.call('GET', '/v1/events?wait=1')).status).toBe(200);
});

test('a message is never refused because too many wait: its wait is left out, and no Preference-Applied says otherwise', async () => {
  const { held } = await fillSlots();
  const answer = await tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' }, { prefer: 'wait=30' });
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, null]);
  expect((await tenant.message(answer.body.id)).status).toBe('queued');
  await held;
});
