import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUsage } from '#billing/store/usage';
import { monthAt } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { uploadFile } from '#testing/media/test-media';
import {
  callbackBody,
  correlationTokenOf,
  inboundText,
  ingest,
  ingested,
  postCallback,
  statusItem,
} from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester' } });
});
afterAll(() => kit.close());

interface Counted {
  readonly key: string;
  readonly n: number;
}

async function countBy(text: string, tenantId: TenantId): Promise<Record<string, number>> {
  const statement = { name: `test_facts_${text.length}`, text };
  const { rows } = await kit.service.db.run<Counted>(statement, [tenantId]);
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
}

/** The same figures, counted from the rows behind the counters. */
async function factsOf(tenantId: TenantId) {
  const count = (table: string, key: string, also = '') =>
    countBy(`select ${key} as key, count(*)::int as n from ${table} where tenant_id = $1${also} group by 1`, tenantId);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, n) => total + n, 0);
  const byType = await count('outbound_messages', 'type');
  return {
    outbound: sum(byType),
    inbound: sum(await count('inbound_messages', 'type')),
    byType,
    byCategory: await count('outbound_messages', "pricing ->> 'category'", ' and pricing is not null'),
    byNumber: await count('outbound_messages', 'phone_number_id'),
    mediaBytes: sum(
      await countBy("select 'all' as key, coalesce(sum(size), 0)::int as n from media where tenant_id = $1", tenantId),
    ),
    conversations: sum(await count('conversations', "'all'")),
  };
}

type Step =
  | { readonly kind: 'send'; readonly key: string | null; readonly contacts: boolean }
  | { readonly kind: 'upload'; readonly bytes: number }
  | { readonly kind: 'inbound'; readonly id: number; readonly from: number }
  | { readonly kind: 'status'; readonly nth: number; readonly status: string; readonly category: string | null };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    key: fc.option(fc.constantFrom('a', 'b')),
    contacts: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('upload' as const), bytes: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({ kind: fc.constant('inbound' as const), id: fc.nat(4), from: fc.nat(2) }),
  fc.record({
    kind: fc.constant('status' as const),
    nth: fc.nat(3),
    status: fc.constantFrom('sent', 'delivered', 'read'),
    category: fc.option(fc.constantFrom('marketing', 'utility')),
  }),
);

async function take(tenant: TestTenant, step: Step, sent: readonly string[]): Promise<string | null> {
  const { phoneNumberId, tenantId } = tenant;
  if (step.kind === 'send') {
    const contacts = [{ name: { formatted_name: 'Ada', first_name: 'Ada' } }];
    const to = '447400123456';
    const body = step.contacts ? { to, type: 'contacts', contacts } : { to, body: 'Hi' };
    const headers: Record<string, string> = step.key === null ? {} : { 'idempotency-key': step.key };
    const answer = await tenant.call('POST', '/v1/messages', body, headers);
    return answer.status === 202 ? answer.body.id : null;
  }
  if (step.kind === 'upload') {
    // Of equal bytes there is one blob; each upload counts all the same.
    expect((await uploadFile(kit, tenant.key, Buffer.alloc(step.bytes, 'x'))).status).toBe(200);
    return null;
  }
  if (step.kind === 'inbound') {
    const messages = [inboundText(`wamid.${tenantId}.${step.id}`, `44740012345${step.from}`)];
    await postCallback(kit, callbackBody({ phoneNumberId, messages }));
    return null;
  }
  const messageId = sent[step.nth];
  if (messageId === undefined) return null;
  const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId, attempt: 1 });
  const pricing = step.category === null ? {} : { pricing: { category: step.category, billable: true } };
  const statuses = [statusItem(`wamid.${messageId}`, step.status, token, pricing)];
  await postCallback(kit, callbackBody({ phoneNumberId, statuses }));
  return null;
}

describe('usage', () => {
  test('equals the facts after any callbacks, however often and concurrently they come', async () => {
    const run = fc.asyncProperty(fc.array(steps, { maxLength: 14 }), async (sequence) => {
      const tenant = await makeTestTenant(kit);
      const sends = sequence.filter((step) => step.kind === 'send');
      const sent = (await Promise.all(sends.map((step) => take(tenant, step, [])))).filter((id) => id !== null);
      const rest = sequence.filter((step) => step.kind !== 'send');
      await Promise.all(rest.map((step) => take(tenant, step, sent)));
      await ingested(kit);
      const month = monthAt(kit.rt.clock.now());
      expect(await readUsage(kit.service.db, tenant.tenantId, month)).toEqual(await factsOf(tenant.tenantId));
    });
    await fc.assert(run, { numRuns: 25 });
  });

  test('counts two numbers of a tenant apart, and nothing of another tenant', async () => {
    const [one, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    await Promise.all([one.send(freshPhone()), one.send(freshPhone()), other.send(freshPhone())]);
    const { body } = await one.call('GET', '/v1/usage');
    expect([body.outbound, body.by_number]).toEqual([2, { [one.phoneNumberId]: 2 }]);
  });

  test('of one tenant, number and type is spread over several rows, so that writers do not wait for one', async () => {
    const tenant = await makeTestTenant(kit);
    for (let batch = 0; batch < 30; batch += 1) await tenant.send(freshPhone());
    const text = `select slot::text as key, sum(amount)::int as n from usage_counters
      where tenant_id = $1 and fact = 'outbound' group by 1`;
    const bySlot = await countBy(text, tenant.tenantId);
    expect(Object.keys(bySlot).length).toBeGreaterThan(2);
    expect(Object.values(bySlot).reduce((sum, n) => sum + n, 0)).toBe(30);
  });

  test('of a price that came twice is counted once', async () => {
    const tenant = await makeTestTenant(kit);
    const { tenantId, phoneNumberId } = tenant;
    const messageId = await tenant.send(freshPhone());
    const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId, attempt: 1 });
    const status = (name: string) =>
      callbackBody({
        phoneNumberId,
        statuses: [statusItem('wamid.once', name, token, { pricing: { category: 'utility', billable: true } })],
      });
    await ingest(kit, status('sent'), status('delivered'), status('sent'));
    expect((await tenant.call('GET', '/v1/usage')).body.by_category).toEqual({ utility: 1 });
  });
});
