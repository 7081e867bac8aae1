import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type AcceptRow, insertAcceptedBatch } from './accept-batch.ts';
import { settleSent } from './settle-batch.ts';

/* What a change of a message costs depends on whether its page has room for it: if not, every index gets an entry. */

const MESSAGES = 500;

const rt = testRuntime();
const tenantId = rt.newId<TenantId>();
const phoneNumberId = '100' as PhoneNumberId;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

function textMessage(): AcceptRow['message'] {
  return {
    tenantId,
    messageId: rt.newId<MessageId>(),
    content: { type: 'text', body: 'Your order 4711 left the warehouse and arrives tomorrow.', previewUrl: false },
    to: '447700900123',
    phoneNumberId,
    campaignName: null,
    clientRef: null,
    replyTo: null,
    resendOf: null,
    priority: 'normal',
    sendAtMs: null,
    expiresMs: 2_000_000_000_000,
    createdMs: 1_700_000_000_000,
  };
}

/** The page on which each message lies. */
async function pages(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.db.run<{ message_id: string; page: string }>(
    { name: 'test_pages', text: `select message_id, split_part(ctid::text, ',', 1) as page from outbound_messages` },
    [],
  );
  return new Map(rows.map(({ message_id, page }) => [message_id, page]));
}

function wamid(index: number): string {
  return `wamid.HBgLMTU1NTAwMDAwMDAVAgARGBI${String(index).padStart(20, '0')}`;
}

test('messages of one page that are sent together stay on it, so that no index is touched', async () => {
  const messages = Array.from({ length: MESSAGES }, textMessage);
  await insertAcceptedBatch(
    database.db,
    messages.map((message) => ({ message, idempotency: null })),
  );
  const before = await pages();
  await settleSent(
    database.db,
    messages.map(({ messageId }, index) => {
      return { tenantId, messageId, networkMessageId: wamid(index), attempt: 1, acceptedMs: 1_700_000_000_100 };
    }),
  );
  const after = await pages();
  expect(before.size).toBe(MESSAGES);
  expect(messages.filter(({ messageId }) => before.get(messageId) !== after.get(messageId))).toEqual([]);
});
