import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { insertAcceptedBatch } from './accept-batch.ts';

const rt = testRuntime();
let database: TestDatabase;

/** Every server has it, and it may do nothing with tables unless told. */
const WRITER = 'pg_signal_backend';
/** What the statement gives back or compares: nothing that anybody wrote. */
const READS: Readonly<Record<string, string>> = {
  outbound_messages:
    'tenant_id, message_id, type, phone_number_id, priority, send_at_ms, expires_ms, created_ms, to_phone',
  idempotency_keys: 'tenant_id, key_hash, message_id',
  usage_counters: 'tenant_id, day, fact, phone_number_id, name, slot, amount',
  event_heads: 'tenant_id, last_seq',
  // Whether the window of whom it goes to is open.
  contact_identities: 'tenant_id, contact_id, kind, value',
  conversations: 'tenant_id, contact_id, phone_number_id, window_expires_ms',
};
const WRITES = ['outbound_messages', 'send_queue', 'idempotency_keys', 'usage_counters', 'event_heads', 'event_pages'];
/** Numbers that go on counting. */
const COUNTS: Readonly<Record<string, string>> = { usage_counters: 'amount', event_heads: 'last_seq' };

beforeAll(async () => {
  database = await openTestDatabase(rt);
  const grants = [
    ...WRITES.map((table) => `grant insert on ${table} to ${WRITER}`),
    ...Object.entries(READS).map(([table, columns]) => `grant select (${columns}) on ${table} to ${WRITER}`),
    ...Object.entries(COUNTS).map(([table, column]) => `grant update (${column}) on ${table} to ${WRITER}`),
  ];
  for (const [place, text] of grants.entries()) await database.db.run({ name: `test_grant_${place}`, text }, []);
});
afterAll(() => database.drop());

function asWriter<T>(
  work: (tx: Parameters<Parameters<TestDatabase['db']['transaction']>[0]>[0]) => Promise<T>,
): Promise<T> {
  return database.db.transaction(async (tx) => {
    await tx.run({ name: 'test_writer', text: `set local role ${WRITER}` }, []);
    return work(tx);
  });
}

test('messages of several tenants are stored by a statement that needs no right to read what messages say', async () => {
  const rows = [1, 2, 3].map((part) => ({
    message: {
      tenantId: rt.newId<TenantId>(),
      messageId: rt.newId<MessageId>(),
      content: { type: 'text', body: `part ${part}`, previewUrl: false },
      to: '447700900123',
      phoneNumberId: '100' as PhoneNumberId,
      campaignName: null,
      clientRef: null,
      replyTo: null,
      resendOf: null,
      author: null,
      priority: 'normal',
      sendAtMs: null,
      expiresMs: 2_000_000_000_000,
      createdMs: 1_700_000_000_000,
    } as const,
    idempotency: { keyHash: 'the same', fingerprint: 'the same' },
  }));
  const stored = await asWriter((tx) => insertAcceptedBatch(tx, rows));
  expect([...stored].toSorted()).toEqual(rows.map(({ message }) => message.messageId).toSorted());
  expect(await asWriter((tx) => insertAcceptedBatch(tx, rows))).toEqual(new Set());
  for (const text of ['select content from outbound_messages', 'select response from idempotency_keys']) {
    await expect(asWriter((tx) => tx.run({ name: `test ${text}`, text }, []))).rejects.toThrow('permission denied');
  }
});
