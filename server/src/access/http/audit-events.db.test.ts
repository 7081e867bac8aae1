import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/peers/webhook-receiver';
import { sealAuditOf } from '#testing/sealed-audit';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  kit = await startTestService({ config: { webhookAllow: '127.0.0.1' } });
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

const AUDIT = 'audit.recorded';

/** A tenant whose entries are all sealed: those that follow are the first that an endpoint can get. */
async function settledTenant(): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  await sealAuditOf(kit, tenant);
  return tenant;
}

/** Adds an endpoint at a path of its own. */
function subscribe(tenant: TestTenant, path: string, types: readonly string[] | null): Promise<Answer> {
  return tenant.call('POST', '/v1/webhook-endpoints', { url: `${receiver.url}/${tenant.tenantId}${path}`, types });
}

const cameTo = ({ tenantId }: TestTenant, path: string): Answer['body'][] =>
  receiver.received.filter((hook) => hook.path === `/${tenantId}${path}`).map(({ body }) => JSON.parse(body));

async function exported(tenant: TestTenant): Promise<Answer['body'][]> {
  await sealAuditOf(kit, tenant);
  const { text } = await tenant.call('GET', '/v1/audit-log/export');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function keyWith(tenant: TestTenant, scopes: readonly string[]): Promise<Record<string, string>> {
  const { body } = await tenant.call('POST', '/v1/api-keys', { name: 'narrow', scopes });
  return { authorization: `Bearer ${body.key}` };
}

describe('audit.recorded', () => {
  test('brings an endpoint that names it every entry from its own addition on, as the export has it, in the order of the chain', async () => {
    const tenant = await settledTenant();
    expect((await subscribe(tenant, '/audit', [AUDIT])).status).toBe(201);
    for (const name of ['one', 'two', 'three']) await tenant.call('POST', '/v1/api-keys', { name });
    const entries = (await exported(tenant)).slice(3);
    const hooks = await kit.until(
      // The export itself is an entry, too.
      async () => cameTo(tenant, '/audit').filter(({ data }) => data.action !== 'audit_log.exported'),
      (came) => came.length >= entries.length,
      'every entry came',
    );
    expect(entries.map(({ action }) => action)).toEqual(['webhook.added', ...Array(3).fill('key.created')]);
    const inOrder = hooks.toSorted((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ data }) => data)).toEqual(entries);
  });

  test('is recorded for no tenant without an endpoint that names it', async () => {
    const tenant = await settledTenant();
    await subscribe(tenant, '/all', null);
    await exported(tenant);
    expect((await tenant.call('GET', `/v1/events?types=${AUDIT}`)).body.data).toEqual([]);
  });

  test('is left out where all types are wanted: by an endpoint, by the feed, and by a recovery', async () => {
    const tenant = await settledTenant();
    const all = (await subscribe(tenant, '/all', null)).body;
    await subscribe(tenant, '/audit', [AUDIT]);
    await exported(tenant);
    await tenant.call('POST', '/v1/contacts', { name: 'Ada', phone: '447700900123' });
    await kit.until(
      async () => [cameTo(tenant, '/all').length, cameTo(tenant, '/audit').length],
      ([others = 0, entries = 0]) => others >= 1 && entries >= 2,
      'each endpoint got its own',
    );
    const since = new Date(kit.rt.clock.now() - 60_000).toISOString();
    const recovered = await tenant.call('POST', `/v1/webhook-endpoints/${all.id}/recover`, { since });
    expect(recovered.status).toBeLessThan(300);
    const types = (await tenant.call('GET', '/v1/events')).body.data.map(({ type }: Answer['body']) => type);
    expect(types).toEqual(['contact.created']);
    expect(cameTo(tenant, '/all').map(({ type }) => type)).not.toContain(AUDIT);
  });

  test('takes the scope audit:read: to subscribe, to switch on, and to read by name or id', async () => {
    const tenant = await settledTenant();
    const narrow = await keyWith(tenant, ['webhooks:write', 'webhooks:read', 'events:read']);
    const wish = { url: `${receiver.url}/narrow`, types: [AUDIT] };
    const forbidden = { status: 403, body: { code: 'forbidden', error: expect.stringContaining('audit:read') } };
    expect(await tenant.call('POST', '/v1/webhook-endpoints', wish, narrow)).toMatchObject(forbidden);
    const { id } = (await subscribe(tenant, '/audit', [AUDIT])).body;
    const patch = (body: object) => tenant.call('PATCH', `/v1/webhook-endpoints/${id}`, body, narrow);
    expect((await patch({ enabled: false })).status).toBe(200);
    expect(await patch({ enabled: true })).toMatchObject(forbidden);
    await exported(tenant);
    const [event] = (await tenant.call('GET', `/v1/events?types=${AUDIT}`)).body.data;
    expect(event.type).toBe(AUDIT);
    for (const path of [`/v1/events?types=${AUDIT}`, `/v1/events/stream?types=${AUDIT}`, `/v1/events/${event.id}`]) {
      expect(await tenant.call('GET', path, undefined, narrow)).toMatchObject(forbidden);
    }
    expect((await tenant.call('GET', '/v1/events', undefined, narrow)).status).toBe(200);
  });

  test('is not for agents who may not read the audit log', async () => {
    const tenant = await settledTenant();
    await subscribe(tenant, '/audit', [AUDIT]);
    const agent = await tenant.call('POST', '/v1/agents', { name: 'Ana', email: 'ana@shop.example' });
    await exported(tenant);
    const [event] = (await tenant.call('GET', `/v1/events?types=${AUDIT}`)).body.data;
    const acting = { 'x-agent-id': agent.body.id };
    for (const path of [`/v1/events?types=${AUDIT}`, `/v1/events/${event.id}`]) {
      expect((await tenant.call('GET', path, undefined, acting)).status).toBe(403);
    }
  });
});
