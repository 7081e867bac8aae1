import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '#database/database';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' } });
});
afterAll(() => kit.close());

const post = ({ call }: TestTenant) => call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });

async function lock(tx: Transaction, table: string, { tenantId }: TestTenant): Promise<void> {
  const text = `select 1 from ${table} where tenant_id = $1 for update`;
  const { rowCount } = await tx.run({ name: `test_lock_${table}`, text }, [tenantId]);
  expect(rowCount).toBeGreaterThan(0);
}

/** Counters have several rows each, of which a batch takes one: all are there, and can be held. */
async function fillSlots({ tenantId }: TestTenant): Promise<void> {
  const text = `insert into usage_counters (tenant_id, day, fact, phone_number_id, name, slot, amount)
    select tenant_id, day, fact, phone_number_id, name, slots, 0
    from usage_counters, generate_series(0, 15) slots where tenant_id = $1 on conflict do nothing`;
  await kit.service.db.run({ name: 'test_fill_slots', text }, [tenantId]);
}

test.each(['event_heads', 'usage_counters'])('a locked row of %s costs its tenant alone', async (table) => {
  const [held, free] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  expect((await post(held)).status).toBe(202);
  await fillSlots(held);
  await kit.service.db.transaction(async (tx) => {
    await lock(tx, table, held);
    const refused = Array.from({ length: 10 }, () => post(held));
    const taken = await Promise.all(Array.from({ length: 30 }, () => post(free)));
    expect(taken.map(({ status }) => status)).toEqual(taken.map(() => 202));
    const answers = await Promise.all(refused);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    for (const { headers } of answers) expect(headers.get('retry-after')).toBe('1');
    // From now on its messages wait apart, and those of the other tenant do not notice.
    let isOver = false;
    const late = post(held).finally(() => {
      isOver = true;
    });
    for (let time = 0; time < 10; time += 1) expect((await post(free)).status).toBe(202);
    expect(isOver).toBe(false);
    expect((await late).status).toBe(503);
  });
  expect((await post(held)).status).toBe(202);
});
