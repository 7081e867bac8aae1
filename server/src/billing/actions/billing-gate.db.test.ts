import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlRunner } from '#database/database';
import { countRows } from '#testing/test-callbacks';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { makeBillingGate } from './billing-gate.ts';
import { addPlan, moveSubscription, type OperatorMove } from './manage-plans.ts';

let kit: TestService;
const clock = new TestClock(Date.UTC(2026, 10, 30, 12));
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' }, clock });
  await addPlan(kit.rt, kit.service.db, 'three', { fairUseMessages: 3, fairUseEnforcement: 'hard', graceDays: 2 });
});
afterAll(() => kit.close());

/** A change takes effect within 2 seconds: as if they had passed. */
const REMEMBERED_MS = 2_000;
const DAY_MS = 86_400_000;

async function moved(move: OperatorMove): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, move);
  return tenant;
}

async function post(tenant: TestTenant, headers: Record<string, string> = {}) {
  return tenant.call('POST', '/v1/messages', { to: '447400123456', body: 'Hi' }, headers);
}

describe('the billing gate', () => {
  test('refuses a canceled tenant, and a dry run names it as a blocker', async () => {
    const tenant = await moved({ status: 'canceled' });
    const answer = await post(tenant);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'The subscription is canceled.', code: 'subscription_inactive' },
    ]);
    const dry = await tenant.call('POST', '/v1/messages/dry-run', { to: '447400123456', body: 'Hi' });
    expect([dry.status, dry.body.would_send, dry.body.blockers]).toEqual([
      200,
      false,
      [{ code: 'subscription_inactive', message: 'The subscription is canceled.' }],
    ]);
    expect(await countRows(kit.service.db, 'outbound_messages', tenant.tenantId)).toBe(0);
  });

  test('closes when the grace of a missed payment is over, and opens when it is paid', async () => {
    const tenant = await moved({ planId: 'three', status: 'past_due' });
    expect((await post(tenant)).status).toBe(202);
    clock.advance(2 * DAY_MS);
    expect((await post(tenant)).body.code).toBe('subscription_inactive');
    await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { status: 'active' });
    clock.advance(REMEMBERED_MS);
    expect((await post(tenant)).status).toBe(202);
  });

  test('takes exactly as many messages as a hard limit has, of 200 concurrent ones', async () => {
    const tenant = await moved({ planId: 'three' });
    const answers = await Promise.all(Array.from({ length: 200 }, () => post(tenant)));
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ body }) => body.code === 'fair_use_exceeded');
    expect([accepted.length, refused.length]).toEqual([3, 197]);
    expect((await tenant.call('GET', '/v1/usage')).body.fair_use).toMatchObject({
      used: 3,
      remaining: 0,
      state: 'exceeded',
    });
    expect((await tenant.call('GET', '/v1/subscription')).body.gate.open).toBe(false);
  });

  test('stays shut when its cache is refreshed, and opens with the next month', async () => {
    const tenant = await moved({ planId: 'three' });
    for (const _ of [1, 2, 3]) await tenant.send(freshPhone());
    clock.advance(REMEMBERED_MS);
    expect((await post(tenant)).body).toEqual({
      error: 'The 3 messages of this month are used up.',
      code: 'fair_use_exceeded',
    });
    clock.advance(31 * DAY_MS);
    expect((await post(tenant)).status).toBe(202);
  });

  test('gives a repetition its first answer, also when it has shut since', async () => {
    const tenant = await makeTestTenant(kit);
    const first = await post(tenant, { 'idempotency-key': 'once' });
    await moveSubscription(kit.rt, kit.service.db, tenant.tenantId, { status: 'canceled' });
    clock.advance(REMEMBERED_MS);
    const again = await post(tenant, { 'idempotency-key': 'once' });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await post(tenant)).body.code).toBe('subscription_inactive');
  });

  test('is open for every tenant without a subscription, however much it sends', async () => {
    const tenant = await makeTestTenant(kit);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(tenant)));
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
  });

  test.each([
    ['without a limit', {}],
    ['with a hard limit', { planId: 'many' }],
  ])('costs no query per message of a tenant %s, and is read again every two seconds', async (_label, move) => {
    const { rt, service } = kit;
    if ('planId' in move)
      await addPlan(rt, service.db, 'many', { fairUseMessages: 100_000, fairUseEnforcement: 'hard' });
    const { tenantId } = await moved(move);
    let queries = 0;
    const counted: SqlRunner['run'] = (statement, values) => {
      queries += 1;
      return service.db.run(statement, values);
    };
    const gate = makeBillingGate(rt, { ...service.db, run: counted });
    await gate.of(tenantId);
    const first = queries;
    for (let count = 0; count < 1_000; count += 1) {
      const tenantGate = gate.of(tenantId);
      if (tenantGate instanceof Promise) throw new Error('The gate was not remembered.');
      expect(tenantGate.problem()).toBeNull();
      tenantGate.take()();
    }
    expect([first > 0, queries]).toEqual([true, first]);
    clock.advance(REMEMBERED_MS);
    await gate.of(tenantId);
    expect(queries).toBe(2 * first);
  });
});
