import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackBody, inboundText, postCallback } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const FULL = 'The database has no space left.';

/** Lets every change of a kind fail as it does when the disk is full. */
async function fill(kit: TestService, change: string, table: string, when = 'true'): Promise<void> {
  const statements = [
    `create or replace function test_full() returns trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`,
    `create trigger test_full before ${change} on ${table} for each row when (${when}) execute function test_full()`,
  ];
  for (const text of statements) await kit.service.db.run({ name: '', text }, []);
}

async function empty(kit: TestService, table: string): Promise<void> {
  await kit.service.db.run({ name: '', text: `drop trigger test_full on ${table}` }, []);
}

const readiness = (kit: TestService) => kit.call('GET', '/readyz');

/** Waits until the process says of exactly this part that the disk is full. */
async function expectUnready(kit: TestService, part: string): Promise<void> {
  const answer = await kit.until(
    () => readiness(kit),
    ({ status }) => status === 503,
    'it is not ready',
  );
  expect(answer.body).toMatchObject({ code: 'storage_unavailable', details: [{ path: part, message: FULL }] });
  expect(answer.body.error).toContain(FULL);
  expect((await kit.call('GET', '/healthz')).status).toBe(200);
}

async function untilReady(kit: TestService): Promise<void> {
  await kit.until(
    () => readiness(kit),
    ({ status }) => status === 200,
    'it is ready again',
  );
}

describe('a process that can read but not store', () => {
  let kit: TestService;
  let tenant: TestTenant;

  beforeAll(async () => {
    kit = await startTestService();
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(() => kit.close());

  const post = (): Promise<Answer> => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });

  test('messages is not ready until one is stored', async () => {
    await fill(kit, 'insert', 'outbound_messages');
    for (const _ of [1, 2, 3]) expect((await post()).status).toBe(503);
    await expectUnready(kit, 'accept');
    await empty(kit, 'outbound_messages');
    expect((await post()).status).toBe(202);
    expect((await readiness(kit)).status).toBe(200);
  });

  test('callbacks is not ready until one is stored', async () => {
    const { phoneNumberId } = tenant;
    const send = () => {
      const id = `wamid.${freshPhone()}`;
      return postCallback(kit, callbackBody({ phoneNumberId, messages: [inboundText(id, freshPhone())] }));
    };
    await fill(kit, 'insert', 'callbacks');
    for (const _ of [1, 2, 3]) await send();
    await expectUnready(kit, 'callbacks');
    await empty(kit, 'callbacks');
    await send();
    await untilReady(kit);
  });

  test('what it claims is not ready until it can claim', async () => {
    await fill(kit, 'update', 'send_queue', 'new.state = 1');
    const id = await tenant.send(freshPhone());
    await expectUnready(kit, 'claim');
    await empty(kit, 'send_queue');
    await tenant.untilMessage(id, (message) => message.status === 'sent', 'it is sent');
    await untilReady(kit);
  });

  test('outcomes is not ready until they are stored', async () => {
    await fill(kit, 'update', 'outbound_messages');
    const id = await tenant.send(freshPhone());
    await expectUnready(kit, 'settle');
    await empty(kit, 'outbound_messages');
    await tenant.untilMessage(id, (message) => message.status === 'sent', 'it is sent');
    await untilReady(kit);
  });

  test('is not judged for what its roles do not do', async () => {
    const receiver = await startTestService({ config: { roles: 'receiver' } });
    try {
      for (const _ of [1, 2, 3]) receiver.rt.workHealth.failed('accept', FULL);
      expect((await readiness(receiver)).status).toBe(200);
    } finally {
      await receiver.close();
    }
  });
});
