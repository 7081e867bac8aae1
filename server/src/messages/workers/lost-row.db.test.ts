import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

let kit: TestService;
const errors: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line).msg) });

beforeAll(async () => {
  kit = await startTestService({ log });
});
afterAll(() => kit.close());

test('a row of the queue without its message is removed and logged as an error, and the others are sent', async () => {
  const tenant = await makeTestTenant(kit);
  const { db } = kit.service;
  const id = crypto.randomUUID();
  await db.run(
    {
      name: 'test_lost_row',
      text: `
insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
values ($1, $2, $3, 1, 0, 9000000000000, '447700900123')`,
    },
    [tenant.tenantId, id, tenant.phoneNumberId],
  );
  const other = await tenant.send(freshPhone());
  await tenant.untilMessage(other, ({ status }) => status === 'sent', 'the message that is there is sent');
  const left = { name: 'test_lost_left', text: 'select 1 from send_queue where message_id = $1' };
  await kit.until(
    async () => (await db.run(left, [id])).rows.length,
    (rows) => rows === 0,
    'the row is removed',
  );
  expect(errors).toContain('queue.message_missing');
  expect((await kit.call('GET', '/metrics')).text).toContain('postrider_lost_queue_rows_total 1');
});
