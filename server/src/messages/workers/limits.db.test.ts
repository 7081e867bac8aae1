import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import { PAIR_BURST, PAIR_INTERVAL_MS } from '#queue/pair-limiter';
import { numberBurst } from '#queue/token-bucket';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0, simulator: { numberRate: 0, pairLimit: false } });
});
afterAll(() => kit.close());

type Entry = Answer['body'];

function sendMany(tenant: TestTenant, count: number, fields: object = {}): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => tenant.send(freshPhone(), fields)));
}

function untilSent(tenant: TestTenant, count: number): Promise<Entry[]> {
  return kit.until(
    () => tenant.ledger(),
    (entries) => entries.length >= count,
    `${count} are sent`,
  );
}

function messageIds(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => entry.biz_opaque_callback_data.split('.')[0]);
}

/** The network sees what left a little earlier bunched by its way there; so much may come on top of a window. */
const BUNCHED_MS = 1_000;

function worstExcess(entries: readonly Entry[], ratePerSecond: number): number {
  const times = entries.map((entry) => Date.parse(entry.accepted_at));
  let worst = Number.NEGATIVE_INFINITY;
  for (const [first, fromMs] of times.entries()) {
    for (let last = first; last < times.length; last += 1) {
      const windowMs = (times[last] ?? 0) - fromMs + BUNCHED_MS;
      worst = Math.max(worst, last - first + 1 - numberBurst(ratePerSecond) - (ratePerSecond * windowMs) / 1000);
    }
  }
  return worst;
}

describe('P9: the speed of a number', () => {
  test('is kept in every window of time, as the network sees it', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 50 });
    await sendMany(tenant, 250);
    const entries = await untilSent(tenant, 250);
    expect(worstExcess(entries, 50)).toBeLessThanOrEqual(0);
  });

  test('of one does not slow another down', async () => {
    const slow = await makeTestTenant(kit, { ratePerSecond: 1 });
    const quick = await makeTestTenant(kit, { ratePerSecond: 0 });
    await sendMany(slow, 100);
    await sendMany(quick, 200);
    await untilSent(quick, 200);
    expect((await slow.ledger()).length).toBeLessThan(100);
  });

  test('falls when the network says that it is too fast', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 60 });
    const [first = ''] = await sendMany(tenant, 1);
    await tenant.untilMessage(first, (m) => m.status === 'sent', 'the lane is open');
    await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'rate_limit' }] } });
    const [refused = ''] = await sendMany(tenant, 220);
    await kit.until(
      () => tenant.events(refused),
      (events) => events.includes('retry'),
      'the network refused',
    );
    await kit.simulate('PUT', '/_sim/chaos', {});
    const entries = (await untilSent(tenant, 221)).slice(1);
    const times = entries.map((entry) => Date.parse(entry.accepted_at));
    // The last 200 take 3.3 s at the full rate and 4.2 s after one cut by 0.7, less what arrives bunched.
    expect((times.at(-1) ?? 0) - (times[19] ?? 0)).toBeGreaterThan(3_600);
  });
});

describe('priority', () => {
  test('high arrives before most of a bulk that was queued first', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 20 });
    const { tenantId, phoneNumberId } = tenant;
    await setNumberPaused(kit.service.db, { tenantId, phoneNumberId, pauseReason: 'A test.' });
    await sendMany(tenant, 60, { campaign_name: 'spring' });
    const high = await sendMany(tenant, 5, { priority: 'high' });
    await setNumberPaused(kit.service.db, { tenantId, phoneNumberId, pauseReason: null });
    await kit.until(
      () => tenant.ledger(),
      (entries) => high.every((id) => messageIds(entries).includes(id)),
      'the high ones are sent',
    );
    const order = messageIds(await tenant.ledger());
    const last = Math.max(...high.map((id) => order.indexOf(id)));
    expect(last).toBeLessThan(25);
  });
});

describe('P9: the limit per recipient', () => {
  test('lets 45 of 50 leave, the rest waits its turn with a reason, and other recipients do not wait', async () => {
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    const crowded = freshPhone();
    const startedMs = Date.now();
    // Concurrently: one after the other takes a slow machine longer than a turn.
    const messages = Array.from({ length: PAIR_BURST + 5 }, (_item, index) => ({ to: crowded, body: `${index}` }));
    const posted = await tenant.call('POST', '/v1/messages/batch', { messages });
    const ids: readonly string[] = posted.body.data.map(({ message }: { message: { id: string } }) => message.id);
    const others = await sendMany(tenant, 20);
    for (const id of others) await tenant.untilMessage(id, (m) => m.status === 'sent', 'another recipient is served');
    const entries = await kit.until(
      () => tenant.ledger(crowded),
      (list) => list.length >= PAIR_BURST,
      '45 are sent',
    );
    expect(messageIds(entries).slice(0, PAIR_BURST)).toEqual(ids.slice(0, PAIR_BURST));
    const lastId = ids.at(-1) ?? '';
    const trace = async (): Promise<Entry[]> => (await tenant.call('GET', `/v1/messages/${lastId}/trace`)).body.data;
    const saysWhy = (entries: Entry[]) => entries.some((entry) => /recipient.*45.*6 seconds/.test(entry.detail));
    await kit.until(trace, saysWhy, 'the last one has stepped aside, with the reason');
    const last = await tenant.message(lastId);
    expect(last).toMatchObject({ status: 'queued', delivery: { attempts: 0 } });
    // Five turns of six seconds each, reserved one after the other.
    expect(Date.parse(last.delivery.next_attempt_at) - startedMs).toBeGreaterThan(3 * PAIR_INTERVAL_MS);
    const next = await kit.until(
      () => tenant.ledger(crowded),
      (list) => list.length > PAIR_BURST,
      'the next turn has come',
    );
    expect(messageIds(next)[PAIR_BURST]).toBe(ids[PAIR_BURST]);
    const gapMs = Date.parse(next[PAIR_BURST].accepted_at) - Date.parse(next[0].accepted_at);
    expect(gapMs).toBeGreaterThanOrEqual(PAIR_INTERVAL_MS - BUNCHED_MS);
  });
});
