import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { deliveryErrors } from '#core/delivery-errors';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { Database } from '#database/database';
import { insertAcceptedBatch } from '#messages/store/accept-batch';
import type { SettleRow } from '#messages/store/settle-batch';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { makeSettler } from './dispatch-messages.ts';
import { OutcomeWaiters } from './outcome-waiters.ts';

const NOW_MS = 1_700_000_000_000;
const rt = testRuntime();
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await makeTenant();
});
afterAll(() => database.drop());

const makeTenant = () => createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });

async function queue(count: number, owner = tenantId): Promise<readonly MessageId[]> {
  const messages = Array.from({ length: count }, () => ({
    tenantId: owner,
    messageId: rt.newId<MessageId>(),
    content: { type: 'text', body: 'Hi', previewUrl: false } as const,
    to: '447700900123',
    phoneNumberId: '7000' as PhoneNumberId,
    priority: 'normal' as const,
    campaignName: null,
    clientRef: null,
    replyTo: null,
    resendOf: null,
    author: null,
    sendAtMs: null,
    expiresMs: NOW_MS * 2,
    createdMs: NOW_MS,
  }));
  for (let at = 0; at < count; at += 500) {
    const rows = messages.slice(at, at + 500).map((message) => ({ message, idempotency: null }));
    await insertAcceptedBatch(database.db, rows);
  }
  return messages.map(({ messageId }) => messageId);
}

/** A final refusal of which the network wrote this. */
function refusal(messageId: MessageId, details: string, owner = tenantId): SettleRow {
  const error = { code: 'network_refused', message: 'No.', networkCode: 1, retryable: false };
  const trace = { atMs: NOW_MS, event: 'failed', detail: 'No.', data: { details } };
  const at = { epoch: null, fromState: queueState.ready, attempt: 1, nowMs: NOW_MS } as const;
  return { tenantId: owner, messageId, ...at, settlement: { kind: 'failed', error }, trace };
}

async function rowsOf(ids: readonly MessageId[]) {
  const text = `select m.message_id, m.status, m.error ->> 'code' as code, m.error ->> 'message' as message, m.network_message_id,
    d.code as dead, exists (select from send_queue q where q.message_id = m.message_id) as queued
    from outbound_messages m left join dead_letters d on d.tenant_id = m.tenant_id and d.message_id = m.message_id
    where m.message_id = any ($1::uuid[])`;
  return (await database.db.run({ name: 'test_settled', text }, [ids])).rows;
}

test('1,100 refusals that the database cannot store end with their code, and a healthy one beside them as it is', async () => {
  const settler = makeSettler(rt, database.db, new OutcomeWaiters());
  const [healthy, ...poison] = await queue(1_101);
  const unfit = ['\u0000', '\ud83d', `${'a'.repeat(499)}\ud83d`];
  const settled = poison.map((id, index) => settler.other(refusal(id, unfit[index % unfit.length] ?? '')));
  const sent = settler.sent({
    tenantId,
    messageId: healthy as MessageId,
    networkMessageId: 'wamid.1',
    attempt: 1,
    acceptedMs: NOW_MS,
  });
  await Promise.all([sent, ...settled]);
  await settler.drain();
  expect(await rowsOf([healthy as MessageId])).toMatchObject([{ status: 'sent', queued: false }]);
  const rows = await rowsOf(poison);
  const ended = { status: 'failed', code: 'network_refused', dead: 'network_refused', queued: false };
  expect(rows).toHaveLength(1_100);
  for (const row of rows) expect(row).toMatchObject({ ...ended, message: deliveryErrors.outcome_not_stored });
});

test('a message whose network id cannot be stored is sent all the same', async () => {
  const settler = makeSettler(rt, database.db, new OutcomeWaiters());
  const [messageId] = (await queue(1)) as [MessageId];
  await settler.sent({ tenantId, messageId, networkMessageId: 'wamid.\u0000', attempt: 1, acceptedMs: NOW_MS });
  expect(await rowsOf([messageId])).toMatchObject([{ status: 'sent', network_message_id: null, queued: false }]);
});

test('messages of a tenant whose events cannot be numbered end, and delay no other', async () => {
  const settler = makeSettler(rt, database.db, new OutcomeWaiters());
  const broken = await makeTenant();
  const [taken, refused, again] = (await queue(3, broken)) as [MessageId, MessageId, MessageId];
  const [healthy] = (await queue(1)) as [MessageId];
  const text = 'update event_heads set last_seq = 9223372036854775807 where tenant_id = $1';
  await database.db.run({ name: 'test_break', text }, [broken]);
  const later = { kind: 'again', dueMs: NOW_MS, possibleDuplicate: false, uncounted: false } as const;
  const common = { networkMessageId: 'wamid.2', attempt: 1, acceptedMs: NOW_MS };
  await Promise.all([
    settler.sent({ tenantId: broken, messageId: taken, ...common }),
    settler.other(refusal(refused, 'No.', broken)),
    settler.other({ ...refusal(again, 'No.', broken), settlement: later }),
    settler.sent({ tenantId, messageId: healthy, ...common }),
  ]);
  expect(await rowsOf([healthy])).toMatchObject([{ status: 'sent', network_message_id: 'wamid.2' }]);
  expect(await rowsOf([taken])).toMatchObject([{ status: 'sent', queued: false, dead: null }]);
  expect(await rowsOf([refused])).toMatchObject([{ status: 'failed', dead: 'outcome_not_stored', queued: false }]);
  // Its row says nothing that would need an event.
  expect(await rowsOf([again])).toMatchObject([{ status: 'queued', queued: true }]);
});

test('a message that was not claimed and cannot be read is set aside, so that settling the others need not wait for it', async () => {
  const [hit, healthy] = (await queue(2)) as [MessageId, MessageId];
  const { run, transaction } = database.db;
  // What PostgreSQL says of a page with a wrong checksum.
  const unlessHit = (parameters: readonly unknown[]): void => {
    if (String(parameters).includes(hit)) throw Object.assign(new Error('invalid page'), { code: 'XX001' });
  };
  const damaged: Database = {
    ...database.db,
    run: async (statement, parameters) => {
      if (statement.name !== 'queue_set_aside') unlessHit(parameters);
      return run(statement, parameters);
    },
    transaction: (work) =>
      transaction((tx) =>
        work({
          ...tx,
          run: async (statement, parameters) => {
            unlessHit(parameters);
            return tx.run(statement, parameters);
          },
        }),
      ),
  };
  const settler = makeSettler(rt, damaged, new OutcomeWaiters());
  await Promise.all([settler.other(refusal(hit, 'No.')), settler.other(refusal(healthy, 'No.'))]);
  expect(await rowsOf([healthy])).toMatchObject([{ status: 'failed', queued: false }]);
  expect(await rowsOf([hit])).toMatchObject([{ status: 'queued', queued: true }]);
  const text = 'select due_ms::float8 as due from send_queue where message_id = $1';
  const { rows } = await database.db.run<{ due: number }>({ name: 'test_due', text }, [hit]);
  expect(rows[0]?.due).toBeGreaterThan(Date.now());
});
