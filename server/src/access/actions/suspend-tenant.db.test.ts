import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/peers/webhook-receiver';
import { endpointConfig } from '#testing/test-endpoints';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { resumeTenant, suspendTenant } from './suspend-tenant.ts';

let kit: TestService;
let receiver: WebhookReceiver;
/** On PostgreSQL a second process shares the work. */
let second: Service | null = null;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  kit = await startTestService({ config: endpointConfig });
  if (kit.service.db.kind === 'postgres')
    second = await startService({ ...kit.rt, config: { ...kit.rt.config, port: 0 } });
});
afterAll(async () => {
  await second?.close();
  await kit.close();
  await receiver.close();
});

const urls = () => [kit.service.url, ...(second === null ? [] : [second.url])];
const REASON = 'Complaints of recipients';
const REFUSAL = {
  error: `This tenant is suspended: ${REASON}. Ask the operator of this service.`,
  code: 'tenant_suspended',
};

/** Everywhere: once each process has refused it, nothing older is remembered. */
async function untilRefused({ key }: TestTenant): Promise<void> {
  for (const url of urls()) {
    const ask = () => callApi(url, 'GET', '/v1/messages/outbound', undefined, { authorization: `Bearer ${key}` });
    const { body } = await kit.until(ask, ({ status }) => status === 403, 'the key is refused');
    expect(body).toEqual(REFUSAL);
  }
}

const statuses = async (tenant: TestTenant) => {
  const { rows } = await kit.service.db.run<{ status: string; n: number }>(
    {
      name: 'test_statuses',
      text: 'select status, count(*)::integer as n from outbound_messages where tenant_id = $1 group by status',
    },
    [tenant.tenantId],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

test('a tenant suspended with a backlog sends nothing more, loses nothing, and continues when it is resumed', async () => {
  const { rt, service } = kit;
  const tenant = await makeTestTenant(kit, { ratePerSecond: 5 });
  const other = await makeTestTenant(kit);
  await tenant.call('POST', '/v1/webhook-endpoints', { url: receiver.url });
  const then = [{ action: 'reply', type: 'text', body: 'Hello' }];
  await tenant.call('POST', '/v1/chatbot-rules', { name: 'answers', trigger: { on: 'message.received' }, then });
  const messages = Array.from({ length: 60 }, () => ({ to: freshPhone(), body: 'Hello' }));
  expect((await tenant.call('POST', '/v1/messages/batch', { messages })).status).toBe(200);
  const stream = fetch(`${service.url}/v1/events/stream`, { headers: { authorization: `Bearer ${tenant.key}` } }).then(
    (answer) => answer.text(),
  );
  await kit.until(
    () => tenant.ledger(),
    (ledger) => ledger.length > 3,
    'some have left',
  );

  await suspendTenant(rt, service.db, { tenantId: tenant.tenantId, reason: REASON });
  await untilRefused(tenant);
  expect(await stream).toContain('message.');
  // What was under way when the tenant was stopped is settled; then another tenant's sends show that time passes.
  const sending = {
    name: 'test_sending',
    text: 'select count(*)::integer as n from send_queue where tenant_id = $1 and state <> 0',
  };
  const underWay = async () => (await service.db.run<{ n: number }>(sending, [tenant.tenantId])).rows[0]?.n;
  await kit.until(underWay, (n) => n === 0, 'nothing is under way');
  const left = (await tenant.ledger()).length;
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const stored = {
    name: 'test_stored',
    text: 'select count(*)::integer as n from inbound_messages where tenant_id = $1 and from_phone = $2',
  };
  await kit.until(
    async () => (await service.db.run<{ n: number }>(stored, [tenant.tenantId, from])).rows[0]?.n,
    (n) => n === 1,
    'the callback is stored',
  );
  const hooks = receiver.received.length;
  for (let n = 0; n < 3; n += 1) {
    const id = await other.send(freshPhone());
    await other.untilMessage(id, ({ delivery }) => delivery.state === 'read', 'the other tenant is served');
  }
  expect((await tenant.ledger()).length).toBe(left);
  expect(receiver.received.length).toBe(hooks);
  expect(left).toBeLessThan(60);
  expect(await statuses(tenant)).toEqual({ queued: 60 - left, sent: left });

  await resumeTenant(rt, service.db, tenant.tenantId);
  // The 60, and the answer of the rule to what came in the meantime.
  await kit.until(
    () => tenant.ledger(),
    (ledger) => ledger.length === 61,
    'all have left',
  );
  await kit.until(
    async () => receiver.received.length,
    (n) => n > hooks,
    'webhooks go on',
  );
  const wait = () => tenant.call('GET', '/v1/messages/outbound');
  await kit.until(wait, ({ status }) => status === 200, 'the key works again');
  const ledger = await tenant.ledger();
  expect(new Set(ledger.map((line) => line.to)).size).toBe(61);
});

test('a request that waits for events ends when its tenant is suspended', async () => {
  const tenant = await makeTestTenant(kit);
  const waiting = tenant.call('GET', '/v1/events?wait=30');
  await suspendTenant(kit.rt, kit.service.db, { tenantId: tenant.tenantId, reason: REASON });
  expect(await waiting).toMatchObject({ status: 403, body: REFUSAL });
});

test('only an active tenant is suspended, and only a suspended one resumed', async () => {
  const { rt, service } = kit;
  const { tenantId } = await makeTestTenant(kit);
  await expect(resumeTenant(rt, service.db, tenantId)).rejects.toThrow('not suspended');
  await suspendTenant(rt, service.db, { tenantId, reason: REASON });
  await expect(suspendTenant(rt, service.db, { tenantId, reason: REASON })).rejects.toThrow('not active');
});
