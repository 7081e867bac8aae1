import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const SOON_MS = 1_500;
/** What a statement says that waited for a row in vain. */
const GAVE_UP = ['settle.failed', 'ingest.failed'];

/** Messages that leave together, soon. */
function sendSoon(tenant: TestTenant, count: number): Promise<readonly string[]> {
  const send_at = new Date(Date.now() + SOON_MS).toISOString();
  return Promise.all(Array.from({ length: count }, () => tenant.send(freshPhone(), { send_at })));
}

test('while a row of one tenant that every outcome needs is locked, sends of others are settled, with their statuses', async () => {
  const [held, free] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const [ofHeld, ofFree] = [await sendSoon(held, 8), await sendSoon(free, 4)];
  await kit.service.db.transaction(async (tx) => {
    const text = 'select 1 from event_heads where tenant_id = $1 for update';
    expect((await tx.run({ name: '', text }, [held.tenantId])).rowCount).toBe(1);
    await kit.until(
      () => held.ledger(),
      (sent) => sent.length === ofHeld.length,
      'those of the held tenant have left',
    );
    // None of these was on its way when the statements began to hang.
    const late = await Promise.all(Array.from({ length: 6 }, () => free.send(freshPhone())));
    for (const id of late) await free.untilMessage(id, (m) => m.delivery.state === 'read', 'its statuses are stored');
    expect(lines.filter((line) => GAVE_UP.includes(line))).toEqual([]);
  });
  for (const id of ofFree) await free.untilMessage(id, (m) => m.delivery.state === 'read', 'what hung too is stored');
  for (const id of ofHeld)
    await held.untilMessage(id, (m) => m.delivery.state === 'read', 'so is that of the held tenant');
});
