import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCallbackRecorder } from '#inbound/actions/record-callback';
import { callbackBody, inboundText } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
/** Messages of the log, in order. */
const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });

beforeAll(async () => {
  kit = await startTestService({ log });
});
afterAll(() => kit.close());

/** More than one look of the service reads back. */
const HELD = 250;

const inboxOf = async (tenant: TestTenant): Promise<readonly object[]> =>
  (await tenant.call('GET', '/v1/messages/inbound?limit=200')).body.data;

test('while a row that hundreds of stored callbacks need is locked, the callbacks of others that were stored after them are read', async () => {
  const [held, free] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const textTo = ({ phoneNumberId }: TestTenant, id: string): Buffer =>
    Buffer.from(callbackBody({ phoneNumberId, messages: [inboundText(id, freshPhone())] }));
  // The row to hold is written with the tenant's first event.
  await held.send(freshPhone());
  await kit.service.db.transaction(async (tx) => {
    await tx.run({ name: '', text: 'set local idle_in_transaction_session_timeout = 0' }, []);
    const text = 'select 1 from event_heads where tenant_id = $1 for update';
    expect((await tx.run({ name: '', text }, [held.tenantId])).rowCount).toBe(1);
    // Stored by a process that ended before it could read them.
    const recorder = makeCallbackRecorder(kit.rt, kit.service.db, () => undefined);
    // Together: those that wait for the row give up after seconds.
    await Promise.all(Array.from({ length: HELD }, (_, index) => recorder.record(textTo(held, `wamid.held${index}`))));
    await recorder.record(textTo(free, 'wamid.free'));
    await recorder.close();
    await kit.until(
      () => inboxOf(free),
      (inbox) => inbox.length === 1,
      'the callback of the other tenant is read',
    );
    expect(await inboxOf(held)).toEqual([]);
    // Not because those that wait for the row had given up.
    expect(lines).not.toContain('ingest.failed');
  });
  await kit.until(
    () => inboxOf(held),
    (inbox) => inbox.length === 200,
    'the page is full once nobody holds the row',
  );
});
