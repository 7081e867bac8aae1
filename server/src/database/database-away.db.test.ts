import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAway, restore, takeAway } from '#testing/database/database-away';
import { callbackBody, inboundText, postCallback } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

describe('while the database is away', () => {
  let kit: TestService;
  let tenant: TestTenant;
  let id: string;

  beforeAll(async () => {
    // Nothing is in flight and nobody asks by himself: what is seen here is what a caller meets.
    kit = await startTestService({ isAlone: true, config: { roles: 'api,receiver' } });
    tenant = await makeTestTenant(kit);
    id = await tenant.send(freshPhone());
    await takeAway(kit);
  });
  afterAll(async () => {
    await restore(kit);
    await kit.close().catch(() => undefined);
  });

  test('a message is answered 503 with Retry-After, never 202', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' })),
    );
    for (const answer of answers) expectAway(answer);
  });

  test('P2: a callback is answered 503, so that the network sends it again', async () => {
    const body = callbackBody({
      phoneNumberId: tenant.phoneNumberId,
      messages: [inboundText('wamid.AWAY', freshPhone())],
    });
    expectAway(await postCallback(kit, body));
  });

  test.each([
    ['a message', () => `/v1/messages/${id}`],
    ['its trace', () => `/v1/messages/${id}/trace`],
    ['a list', () => '/v1/messages/outbound'],
  ])('reading %s is answered 503, never as if it were not there', async (_label, path) => {
    expectAway(await tenant.call('GET', path()));
  });

  test('the process says that it is alive and not ready', async () => {
    expect((await kit.call('GET', '/healthz')).status).toBe(200);
    expect((await kit.call('GET', '/readyz')).status).toBe(503);
  });
});
