import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPlan, changePlan, moveSubscription } from '#billing/actions/manage-plans';
import { readEvents } from '#events/store/events';
import { TestClock } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
});
afterAll(() => kit.close());

describe('GET /v1/subscription', () => {
  test('shows a new tenant active on the default plan, with an open gate', async () => {
    const tenant = await makeTestTenant(kit);
    const answer = await tenant.call('GET', '/v1/subscription');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      plan: {
        id: 'standard',
        name: 'Standard',
        price: 0,
        currency: 'EUR',
        interval: 'month',
        limits: { messages_per_month: 100_000, enforcement: 'soft', media_bytes: null },
      },
      status: 'active',
      current_period_start: expect.stringMatching(/-01T00:00:00.000Z$/),
      current_period_end: expect.stringMatching(/-01T00:00:00.000Z$/),
      trial_ends_at: null,
      cancel_at: null,
      gate: { open: true, reason: null },
    });
  });

  test('follows what the operator moves, of this tenant alone', async () => {
    const { rt } = kit;
    const { db } = kit.service;
    const [moved, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    await addPlan(rt, db, 'pro', { name: 'Pro', priceMinorUnits: 4900, fairUseMessages: null });
    const trialEndsMs = rt.clock.now() + 60_000;
    await moveSubscription(rt, db, moved.tenantId, { planId: 'pro', trialEndsMs });
    const { body } = await moved.call('GET', '/v1/subscription');
    expect([body.plan.id, body.status, body.trial_ends_at]).toEqual([
      'pro',
      'trialing',
      new Date(trialEndsMs).toISOString(),
    ]);
    await moveSubscription(rt, db, moved.tenantId, { status: 'canceled' });
    await moveSubscription(rt, db, moved.tenantId, { status: 'canceled' });
    const told = await readEvents(db, {
      tenantId: moved.tenantId,
      after: 0,
      types: ['subscription.updated'],
      limit: 9,
    });
    expect(told.map(({ data }) => data.changes)).toMatchObject([
      { plan_id: ['standard', 'pro'] },
      { status: ['trialing', 'canceled'] },
    ]);
    const canceled = (await moved.call('GET', '/v1/subscription')).body;
    expect([canceled.status, canceled.gate]).toEqual([
      'canceled',
      { open: false, reason: 'The subscription is canceled.' },
    ]);
    expect((await other.call('GET', '/v1/subscription')).body).toMatchObject({
      status: 'active',
      plan: { id: 'standard' },
    });
  });

  test('is refused without a key, and with a key that lacks the scope', async () => {
    expect((await callApi(kit.service.url, 'GET', '/v1/subscription')).status).toBe(401);
    const writer = await makeTestTenant(kit, { scopes: ['messages:write'] });
    expect((await writer.call('GET', '/v1/subscription')).status).toBe(403);
    expect((await writer.call('GET', '/v1/usage')).status).toBe(403);
  });
});

describe('the operator', () => {
  test('cannot make a step that the state does not allow', async () => {
    const { rt } = kit;
    const { db } = kit.service;
    const { tenantId } = await makeTestTenant(kit);
    await moveSubscription(rt, db, tenantId, { status: 'past_due' });
    await expect(moveSubscription(rt, db, tenantId, { status: 'trialing' })).rejects.toThrow(/cannot become trialing/);
    await expect(moveSubscription(rt, db, tenantId, { planId: 'nothing' })).rejects.toThrow('no plan "nothing"');
    await moveSubscription(rt, db, tenantId, { status: 'active' });
    expect((await moveSubscription(rt, db, tenantId, { status: 'paused' })).pastDueSinceMs).toBeNull();
  });

  test('cannot take the default plan away, only give it to another plan', async () => {
    const { rt } = kit;
    const { db } = kit.service;
    await expect(changePlan(rt, db, 'standard', { isDefault: false })).rejects.toThrow('There must be a default plan');
    await expect(addPlan(rt, db, 'Big Plan', {})).rejects.toThrow('lowercase letters');
    await addPlan(rt, db, 'basic', { isDefault: true });
    const tenant = await makeTestTenant(kit);
    expect((await tenant.call('GET', '/v1/subscription')).body.plan.id).toBe('basic');
    await changePlan(rt, db, 'standard', { isDefault: true });
    expect((await tenant.call('GET', '/v1/subscription')).body.plan.id).toBe('standard');
  });
});

describe('GET /v1/usage', () => {
  test('counts the month that is asked for, in UTC', async () => {
    const clock = new TestClock(Date.UTC(2026, 0, 31, 23, 59, 59, 999));
    const own = await startTestService({ config: { roles: 'api' }, clock });
    try {
      const tenant = await makeTestTenant(own);
      await tenant.send(freshPhone());
      clock.advance(1);
      await tenant.send(freshPhone());
      await tenant.send(freshPhone());
      const outbound = async (query: string) => (await tenant.call('GET', `/v1/usage${query}`)).body.outbound;
      expect([await outbound('?month=2026-01'), await outbound('?month=2026-02'), await outbound('')]).toEqual([
        1, 2, 2,
      ]);
      const { body } = await tenant.call('GET', '/v1/usage');
      expect(body.period).toEqual({
        month: '2026-02',
        start: '2026-02-01T00:00:00.000Z',
        end: '2026-03-01T00:00:00.000Z',
      });
      expect(body.fair_use).toEqual({
        limit: 100_000,
        used: 2,
        remaining: 99_998,
        percent: 0,
        state: 'ok',
        enforcement: 'soft',
        resets_at: '2026-03-01T00:00:00.000Z',
      });
    } finally {
      await own.close();
    }
  });

  test.each(['2026-13', '2026', 'now', '2026-1'])('refuses the month %s with a sentence', async (month) => {
    const tenant = await makeTestTenant(kit);
    const answer = await tenant.call('GET', `/v1/usage?month=${month}`);
    expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
      400,
      'validation_failed',
      'query.month',
    ]);
  });

  test('is refused without a key', async () => {
    expect((await callApi(kit.service.url, 'GET', '/v1/usage')).status).toBe(401);
  });
});
