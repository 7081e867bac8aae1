import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import { PAIR_BURST } from '#queue/pair-limiter';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0, config: { unknownWaitS: 60 }, simulator: { pairLimit: false } });
});
afterAll(() => kit.close());
beforeEach(() => kit.simulate('PUT', '/_sim/chaos', {}));

const failing = (rule: object) =>
  kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, ...rule }] } });

function pause(tenant: TestTenant, pauseReason: string | null) {
  const { tenantId, phoneNumberId } = tenant;
  return setNumberPaused(kit.service.db, { tenantId, phoneNumberId, pauseReason });
}

/** What the read and the trace say alike, once the reason is this one. Between two requests a wait may end, and the next one begin. */
async function waitingFor(tenant: TestTenant, id: string, reason: string): Promise<Answer['body']> {
  const [waiting] = await kit.until(
    async () => [
      (await tenant.message(id)).waiting,
      (await tenant.call('GET', `/v1/messages/${id}/trace`)).body.waiting,
    ],
    (both) => both.every((one) => one?.reason === reason),
    `it waits for ${reason}`,
  );
  return waiting;
}

/** So many texts to as many recipients, in one request. @returns their ids, in order */
async function sendMany(tenant: TestTenant, count: number, fields: object = {}): Promise<string[]> {
  const messages = Array.from({ length: count }, () => ({ to: freshPhone(), body: 'Hello', ...fields }));
  const { body } = await tenant.call('POST', '/v1/messages/batch', { messages });
  return body.data.map(({ message }: { message: { id: string } }) => message.id);
}

async function numberWaiting(tenant: TestTenant): Promise<Answer['body']> {
  return (await tenant.call('GET', `/v1/phone-numbers/${tenant.phoneNumberId}`)).body.waiting;
}

test('a message that was sent waits for nothing, and neither does its number', async () => {
  const tenant = await makeTestTenant(kit);
  expect(await numberWaiting(tenant)).toBeNull();
  const id = await tenant.send(freshPhone());
  expect((await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent')).waiting).toBeNull();
  expect((await tenant.call('GET', `/v1/messages/${id}/trace`)).body.waiting).toBeNull();
  const { body } = await tenant.call('GET', '/v1/messages/outbound');
  expect(body.data[0]).not.toHaveProperty('waiting');
});

test('the rate of a number says how many go before, and nothing leaves sooner than it lets', async () => {
  const tenant = await makeTestTenant(kit, { ratePerSecond: 10 });
  await pause(tenant, 'A test.');
  const ids = await sendMany(tenant, 60);
  const last = ids.at(-1) ?? '';
  const paused = await waitingFor(tenant, last, 'number_paused');
  expect(paused).toEqual({ reason: 'number_paused', ahead: 59, ahead_is_more: false, rate_per_s: 10, eta_s: null });
  expect(await numberWaiting(tenant)).toEqual({ ...paused, ahead: 60 });
  await pause(tenant, null);
  const began = await waitingFor(tenant, last, 'rate_limit');
  expect(began.rate_per_s).toBe(10);
  expect(began.eta_s).toBe(Math.ceil(began.ahead / 10));
  expect(await numberWaiting(tenant)).toMatchObject({ reason: 'rate_limit', rate_per_s: 10 });
  await tenant.untilMessage(last, (m) => m.status === 'sent', 'the last is sent');
  // By the network's own clock: what was still ahead took at least its time, less what a burst lets out together.
  const times = (await tenant.ledger()).map((entry) => Date.parse(entry.accepted_at));
  const from = times.at(-1 - began.ahead) ?? Number.NaN;
  expect(((times.at(-1) ?? 0) - from) / 1000).toBeGreaterThan(began.eta_s / 2 - 1);
});

test('a message of high priority has only few of a bulk before it', async () => {
  const tenant = await makeTestTenant(kit, { ratePerSecond: 10 });
  await pause(tenant, 'A test.');
  await sendMany(tenant, 50, { priority: 'bulk' });
  const [high = ''] = await sendMany(tenant, 1, { priority: 'high' });
  const [normal = ''] = await sendMany(tenant, 1, { priority: 'normal' });
  expect((await tenant.message(high)).waiting.ahead).toBe(0);
  expect((await tenant.message(normal)).waiting.ahead).toBe(1);
});

test('a scheduled message waits for its time, also where nothing else would', async () => {
  const tenant = await makeTestTenant(kit);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const id = await tenant.send(freshPhone(), { send_at: sendAt });
  const waiting = await waitingFor(tenant, id, 'scheduled');
  expect(waiting.ahead).toBe(0);
  expect(waiting.eta_s).toBeGreaterThan(3_500);
  expect(waiting.eta_s).toBeLessThanOrEqual(3_600);
  expect(await numberWaiting(tenant)).toBeNull();
});

test('more than 45 to one recipient wait for the limit of the recipient', async () => {
  const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  const to = freshPhone();
  const ids = await sendMany(tenant, PAIR_BURST + 20, { to });
  const waiting = await waitingFor(tenant, ids.at(-1) ?? '', 'pair_limit');
  expect(waiting).toMatchObject({ rate_per_s: null });
  // One in six seconds, however long it took to look.
  expect(waiting.eta_s).toBeGreaterThan(6);
  expect(waiting.eta_s).toBeLessThanOrEqual(20 * 6);
});

test('a refusal that may pass is a retry at its time, one for speed is throttling', async () => {
  const tenant = await makeTestTenant(kit);
  await failing({ fault: 'error', code: 131016 });
  const retried = await tenant.send(freshPhone());
  expect((await waitingFor(tenant, retried, 'retry')).eta_s).toBeGreaterThanOrEqual(0);
  await failing({ fault: 'rate_limit' });
  const throttled = await tenant.send(freshPhone());
  await waitingFor(tenant, throttled, 'throttled');
});

test('a message of unknown outcome waits for a status, and nobody knows for how long', async () => {
  const tenant = await makeTestTenant(kit);
  const lost = { probability: 1, fault: 'lost' };
  await kit.simulate('PUT', '/_sim/chaos', {
    steps: { send: [{ probability: 1, fault: 'accept_then_drop' }], status: [lost] },
  });
  const id = await tenant.send(freshPhone());
  const waiting = await waitingFor(tenant, id, 'outcome_unknown');
  expect(waiting).toMatchObject({ ahead: 0, eta_s: null });
});

test('while the network does not answer, messages wait for it without a time', async () => {
  await failing({ fault: 'drop_before_accept' });
  const tenants = await Promise.all([1, 2, 3].map(() => makeTestTenant(kit)));
  const [first] = tenants;
  await Promise.all(tenants.map((tenant) => tenant.send(freshPhone())));
  const ids = await sendMany(first as TestTenant, 20);
  const waiting = await waitingFor(first as TestTenant, ids.at(-1) ?? '', 'network_outage');
  expect(waiting.eta_s).toBeNull();
});

test('another tenant is told nothing of it', async () => {
  const [tenant, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  await pause(tenant, 'A test.');
  const id = await tenant.send(freshPhone());
  expect((await other.call('GET', `/v1/messages/${id}`)).status).toBe(404);
  expect((await other.call('GET', `/v1/messages/${id}/trace`)).status).toBe(404);
  expect((await other.call('GET', `/v1/phone-numbers/${tenant.phoneNumberId}`)).status).toBe(404);
});
