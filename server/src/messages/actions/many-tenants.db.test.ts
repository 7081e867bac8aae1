import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeNumberCache } from '#accounts/actions/number-cache';
import { makeBillingGate } from '#billing/actions/billing-gate';
import { moveSubscription } from '#billing/actions/manage-plans';
import { makeSuppressionCache } from '#contacts/actions/suppression-cache';
import type { Database, Statement } from '#database/database';
import { makeTemplateCache } from '#templates/actions/template-cache';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const TENANTS = 12;
/** Everything that is remembered is older then. */
const FORGOTTEN_MS = 2_000;
/** More changes of one tenant than a statement for many carries. */
const MANY_CHANGES = 1_100;

let kit: TestService;
let tenants: readonly TestTenant[];
const asked: string[] = [];
let watched: Database;
const clock = new TestClock();

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
  tenants = await Promise.all(Array.from({ length: TENANTS }, () => makeTestTenant(kit)));
  const { db } = kit.service;
  watched = Object.assign(Object.create(db), {
    run: (statement: Statement, values: readonly unknown[]) => {
      asked.push(statement.name);
      return db.run(statement, values);
    },
  });
});
afterAll(() => kit.close());

/** Asks for every tenant at the same time. @returns the answers, and which statements it took */
async function ask<T>(of: (tenantId: TestTenant['tenantId']) => T | Promise<T>) {
  asked.length = 0;
  const answers = await Promise.all(tenants.map(({ tenantId }) => of(tenantId)));
  return { answers, statements: [...asked] };
}

async function block(tenant: TestTenant): Promise<string> {
  const phone = freshPhone();
  const { body } = await tenant.call('POST', '/v1/contacts', { phone, name: 'Ada' });
  expect((await tenant.call('POST', `/v1/contacts/${body.id}/block`)).status).toBe(200);
  return phone;
}

test('the numbers and rules of many tenants are asked for together, and each gets its own', async () => {
  const [first, second] = tenants;
  const rule = "update tenants set window_policy = 'refuse' where tenant_id = $1";
  await kit.service.db.run({ name: 'test_refuse', text: rule }, [second?.tenantId]);
  const numbers = makeNumberCache(testRuntime({}, clock), watched);
  const { answers, statements } = await ask((tenantId) => numbers.of(tenantId));
  expect(answers.map((one) => one.choose(null))).toEqual(tenants.map(({ phoneNumberId }) => phoneNumberId));
  expect(answers.map(({ windowPolicy }) => windowPolicy).slice(0, 3)).toEqual(['network', 'refuse', 'network']);
  expect(() => answers[1]?.choose(first?.phoneNumberId ?? '')).toThrow('phone_number_id');
  expect(statements.toSorted()).toEqual(['number_list_of_many', 'tenant_send_rules']);
});

test('the subscriptions of many tenants are asked for together, and each gets its own', async () => {
  const [canceled] = tenants;
  if (canceled === undefined) throw new Error('There are no tenants.');
  await moveSubscription(kit.rt, kit.service.db, canceled.tenantId, { status: 'canceled' });
  const gates = makeBillingGate(testRuntime({}, clock), watched);
  const { answers, statements } = await ask((tenantId) => gates.of(tenantId));
  expect(answers.map((gate) => gate.problem()?.code ?? null)).toEqual([
    'subscription_inactive',
    ...tenants.slice(1).map(() => null),
  ]);
  expect(statements).toEqual(['subscription_find_many']);
});

test('a tenant without a plan fails alone', async () => {
  const [, subscribed] = tenants;
  if (subscribed === undefined) throw new Error('There are no tenants.');
  const { db } = kit.service;
  await moveSubscription(kit.rt, db, subscribed.tenantId, { status: 'active' });
  const [{ plan_id: planId }] = (
    await db.run<{ plan_id: string }>(defaultPlan('select plan_id from plans where is_default'), [])
  ).rows as [{ plan_id: string }];
  await db.run(defaultPlan('update plans set is_default = null'), []);
  try {
    const gates = makeBillingGate(testRuntime({}, clock), watched);
    const answers = await Promise.allSettled(tenants.map(({ tenantId }) => gates.of(tenantId)));
    const withPlan = answers.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    // The first was moved before.
    expect(withPlan).toEqual([0, 1]);
  } finally {
    await db.run(defaultPlan('update plans set is_default = true where plan_id = $1'), [planId]);
  }
});

function defaultPlan(text: string): Statement {
  return { name: `test_${text.replace(/\W+/g, '_')}`, text };
}

test('the changes of whom many tenants do not write to are asked for together, and each hears its own', async () => {
  const suppressions = makeSuppressionCache(testRuntime({}, clock), watched);
  await ask((tenantId) => suppressions.of(tenantId));
  const [phone, otherPhone] = [await block(tenants[3] as TestTenant), await block(tenants[7] as TestTenant)];
  clock.advance(FORGOTTEN_MS);
  const { answers, statements } = await ask((tenantId) => suppressions.of(tenantId));
  const blocking = (to: string) => answers.flatMap((one, index) => (one.problem(to, false, null) ? [index] : []));
  expect([blocking(phone), blocking(otherPhone)]).toEqual([[3], [7]]);
  expect(statements).toEqual(['suppression_changes_of_many']);
});

test('a tenant that has changed more than a statement for many carries hears all of it', async () => {
  const suppressions = makeSuppressionCache(testRuntime({}, clock), watched);
  const { tenantId } = tenants[5] as TestTenant;
  await suppressions.of(tenantId);
  const fill = `insert into suppressions (tenant_id, phone_key, blocked, opted_out, change_seq)
    select $1, '4477' || (1000000 + n), true, false, n from generate_series(1, ${MANY_CHANGES}) n`;
  await kit.service.db.run({ name: 'test_many_changes', text: fill }, [tenantId]);
  clock.advance(FORGOTTEN_MS);
  const known = await suppressions.of(tenantId);
  const blocked = Array.from({ length: MANY_CHANGES }, (_, n) => known.problem(`4477${1_000_001 + n}`, false, null));
  expect(blocked.filter((problem) => problem?.code === 'recipient_blocked')).toHaveLength(MANY_CHANGES);
});

test('whether templates of many tenants have changed is asked for together', async () => {
  const templates = makeTemplateCache(testRuntime({}, clock), watched);
  await ask((tenantId) => templates.of(tenantId));
  clock.advance(FORGOTTEN_MS);
  expect((await ask((tenantId) => templates.of(tenantId))).statements).toEqual(['template_book_revisions']);
});
