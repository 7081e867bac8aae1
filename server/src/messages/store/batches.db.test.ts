import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { GroupCommit, MAX_BATCH_ROWS } from '#database/group-commit';
import { faultKind } from '#database/pg-errors';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { countRows } from '#testing/test-callbacks';
import { testRuntime } from '#testing/test-runtime';
import { type AcceptRow, insertAcceptedBatch } from './accept-batch.ts';
import { settleSent } from './settle-batch.ts';

const rt = testRuntime();
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

function row(tenantId: TenantId, body: string, key: string | null = null): AcceptRow {
  const message = {
    tenantId,
    messageId: rt.newId<MessageId>(),
    content: { type: 'text', body, previewUrl: false },
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
  } as const;
  return { message, idempotency: key === null ? null : { keyHash: key, fingerprint: 'the same' } };
}

function commitsOf(): GroupCommit<AcceptRow, boolean> {
  return new GroupCommit({
    name: 'test',
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: 10_000,
    maxInFlight: 1,
    write: async (rows) => {
      const stored = await insertAcceptedBatch(database.db, rows);
      return rows.map((one) => stored.has(one.message.messageId));
    },
  });
}

/** The page on which each message of a tenant lies. */
async function pagesOf(tenantId: TenantId): Promise<ReadonlyMap<string, string>> {
  const text = `select message_id, split_part(ctid::text, ',', 1) as page from outbound_messages where tenant_id = $1`;
  const { rows } = await database.db.run<{ message_id: string; page: string }>({ name: 'test_pages', text }, [
    tenantId,
  ]);
  return new Map(rows.map(({ message_id, page }) => [message_id, page]));
}

describe('a batch of messages', () => {
  test('with one row that the database refuses among 100 stores the 99 others, message and queue row alike', async () => {
    const tenantId = rt.newId<TenantId>();
    const rows = Array.from({ length: 99 }, (_, index) => row(tenantId, `good ${index}`));
    const others = [...rows.slice(0, 50), row(tenantId, 'a\0b'), ...rows.slice(50)];
    const commits = commitsOf();
    const results = await Promise.allSettled(others.map((one) => commits.add(one)));
    const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(rejected.map((reason) => faultKind(reason))).toEqual(['row']);
    expect(await countRows(database.db, 'outbound_messages', tenantId)).toBe(99);
    expect(await countRows(database.db, 'send_queue', tenantId)).toBe(99);
  });

  test('with an id that is there already leaves that row out, and stores the others', async () => {
    const tenantId = rt.newId<TenantId>();
    const [first, second] = [row(tenantId, 'first'), row(tenantId, 'second')];
    await insertAcceptedBatch(database.db, [first]);
    const stored = await insertAcceptedBatch(database.db, [second, { ...row(tenantId, 'x'), message: first.message }]);
    expect([...stored]).toEqual([second.message.messageId]);
    expect(await countRows(database.db, 'send_queue', tenantId)).toBe(2);
  });

  test('with the same key twice stores the first only, and says which', async () => {
    const tenantId = rt.newId<TenantId>();
    const rows = [row(tenantId, 'first', 'key'), row(tenantId, 'second', 'key'), row(tenantId, 'free')];
    const stored = await insertAcceptedBatch(database.db, rows);
    expect(rows.map((one) => stored.has(one.message.messageId))).toEqual([true, false, true]);
    expect(await countRows(database.db, 'send_queue', tenantId)).toBe(2);
  });

  test('that meets another with the same keys in the opposite order waits for it, and both pass', async () => {
    for (let round = 0; round < 15; round += 1) {
      const tenantId = rt.newId<TenantId>();
      const keys = Array.from({ length: MAX_BATCH_ROWS }, (_, index) => `key-${String(index).padStart(4, '0')}`);
      const forwards = keys.map((key) => row(tenantId, 'forwards', key));
      const backwards = [...keys].reverse().map((key) => row(tenantId, 'backwards', key));
      const stored = await Promise.all([
        insertAcceptedBatch(database.db, forwards),
        insertAcceptedBatch(database.db, backwards),
      ]);
      expect(stored.map((ids) => ids.size).reduce((a, b) => a + b)).toBe(MAX_BATCH_ROWS);
    }
  });

  test('that is sent finds room on the pages of its messages, so that no index is touched', async () => {
    const tenantId = rt.newId<TenantId>();
    const rows = Array.from({ length: MAX_BATCH_ROWS }, () => row(tenantId, 'Your order 4711 left the warehouse.'));
    await insertAcceptedBatch(database.db, rows);
    const before = await pagesOf(tenantId);
    const sent = rows.map(({ message: { messageId } }, index) => {
      const networkMessageId = `wamid.HBgLMTU1NTAwMDAwMDAVAgARGBI${String(index).padStart(20, '0')}`;
      return { tenantId, messageId, networkMessageId, attempt: 1, acceptedMs: 1_700_000_000_100 };
    });
    await settleSent(database.db, sent, 1_700_000_000_200);
    expect(before.size).toBe(MAX_BATCH_ROWS);
    expect(await pagesOf(tenantId)).toEqual(before);
  });
});
