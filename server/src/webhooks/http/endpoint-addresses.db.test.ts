import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ config: { webhookEndpoints: 3 } });
});
afterAll(() => kit.close());

const ENDPOINTS = '/v1/webhook-endpoints';
const URL = 'https://shop.example/hook';
const add = (tenant: TestTenant, url: string) => tenant.call('POST', ENDPOINTS, { url });
const taken = { status: 409, body: { code: 'conflict', error: expect.stringContaining('has this URL') } };

describe('an address of webhooks', () => {
  test('is added once by a tenant, however it is spelled, also by requests at once; another tenant may add it too', async () => {
    const [tenant, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const answers = await Promise.all([add(tenant, URL), add(tenant, URL), add(tenant, URL)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await add(tenant, 'https://SHOP.example.:443/a/../hook?')).toMatchObject(taken);
    expect((await add(other, URL)).status).toBe(201);
  });

  test('is not taken over by a change; endpoints that share one already stay, and can be changed otherwise', async () => {
    const tenant = await makeTestTenant(kit);
    await add(tenant, URL);
    const { id } = (await add(tenant, `${URL}/2`)).body;
    const change = (wish: object) => tenant.call('PATCH', `${ENDPOINTS}/${id}`, wish);
    expect(await change({ url: URL })).toMatchObject(taken);
    expect((await change({ url: `${URL}/2` })).status).toBe(200);
    const text = 'update webhook_endpoints set url = $3 where tenant_id = $1 and endpoint_id = $2';
    await kit.service.db.run({ name: 'test_same_url', text }, [tenant.tenantId, id, URL]);
    expect((await change({ description: 'The same', url: URL })).status).toBe(200);
    expect((await change({ url: `${URL}/3` })).status).toBe(200);
  });

  test('is refused when the tenant has as many endpoints as the setting allows', async () => {
    const tenant = await makeTestTenant(kit);
    for (const path of ['1', '2', '3']) expect((await add(tenant, `${URL}/${path}`)).status).toBe(201);
    expect(await add(tenant, `${URL}/4`)).toMatchObject({
      status: 409,
      body: { error: 'A tenant can have at most 3 webhook endpoints. Delete one first.' },
    });
  });
});
