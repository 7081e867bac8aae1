import { afterAll, beforeAll, expect, test } from 'vitest';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const BACKLOG = 5_000;
const BATCH = 1_000;
const QUIET = 10;
/** So much of the backlog must be left once every quiet tenant was served: they did not wait for its end. */
const LEFT = BACKLOG / 10;
let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ simulator: { numberRate: 0, pairLimit: false } });
});
afterAll(() => kit.close());

async function queueBacklog(tenant: TestTenant): Promise<void> {
  for (let queued = 0; queued < BACKLOG; queued += BATCH) {
    const messages = Array.from({ length: BATCH }, (_, n) => ({
      to: String(447_000_000_000 + queued + n),
      body: 'Sale',
    }));
    const { status, body } = await tenant.call('POST', '/v1/messages/batch', { messages });
    expect([status, body.data.every((item: Answer['body']) => item.status === 202)]).toEqual([200, true]);
  }
}

test('P8: messages of quiet tenants leave while another one has thousands before them, not behind these', async () => {
  const busy = await makeTestTenant(kit, { ratePerSecond: 0 });
  const quiet = await Promise.all(Array.from({ length: QUIET }, () => makeTestTenant(kit, { ratePerSecond: 0 })));
  const number = { tenantId: busy.tenantId, phoneNumberId: busy.phoneNumberId };
  await setNumberPaused(kit.service.db, { ...number, pauseReason: 'A test.' });
  await queueBacklog(busy);
  await setNumberPaused(kit.service.db, { ...number, pauseReason: null });
  await kit.until(
    () => busy.ledger(),
    (entries) => entries.length > 0,
    'the backlog has begun to leave',
  );
  await Promise.all(quiet.map((tenant) => tenant.send(freshPhone())));
  const ledger = async (): Promise<readonly string[]> =>
    (await kit.simulate('GET', '/_sim/messages?limit=10000')).body.data.map(
      (sent: Answer['body']) => sent.phone_number_id,
    );
  const places = (numbers: readonly string[]) => quiet.map(({ phoneNumberId }) => numbers.indexOf(phoneNumberId));
  const numbers = await kit.until(
    ledger,
    (sent) => places(sent).every((place) => place >= 0),
    'every quiet tenant is served',
  );
  expect(Math.min(...places(numbers))).toBeGreaterThan(0);
  expect(Math.max(...places(numbers))).toBeLessThan(BACKLOG - LEFT);
});
