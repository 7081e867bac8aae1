import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { insertAcceptedBatch } from '#messages/store/accept-batch';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { addConversations } from '#testing/test-agents';
import { testRuntime } from '#testing/test-runtime';
import { findOpenedSince, moveMessages, resetLastInbound } from './merged-conversations.ts';

const rt = testRuntime();
const PHONE = '447400123456';
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
});
afterAll(() => database.drop());

const run = (text: string, values: readonly unknown[]) =>
  database.db.run<Record<string, unknown>>({ name: '', text }, values);

/** A message to the number in this state of the queue; null: it has left it. */
async function message(state: number | null, fields: Record<string, string | null> = {}): Promise<MessageId> {
  const messageId = rt.newId<MessageId>();
  const content = { type: 'text', body: 'x', previewUrl: false } as const;
  const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const ids = { tenantId, messageId, phoneNumberId: '700' as PhoneNumberId };
  const times = { expiresMs: 9e12, createdMs: 1, priority: 'normal' } as const;
  const row = { ...ids, ...empty, ...times, content, to: PHONE };
  await insertAcceptedBatch(database.db, [{ idempotency: null, message: row }]);
  if (state === null) await run('delete from send_queue where message_id = $1', [messageId]);
  else if (state > 0)
    await run('update send_queue set state = $2, epoch = 1 where message_id = $1', [messageId, state]);
  for (const [column, value] of Object.entries(fields))
    await run(`update outbound_messages set ${column} = $2 where message_id = $1`, [messageId, value]);
  return messageId;
}

test('what was sent to a number outside of conversations moves with it, and what is on its way; the rest stays', async () => {
  const [from, to, other] = [rt.newId<ContactId>(), rt.newId<ContactId>(), rt.newId<ContactId>()];
  const conversation = rt.newId<ConversationId>();
  const made = [
    await message(null, { contact_id: from }),
    await message(1),
    await message(2),
    await message(0),
    await message(null),
    await message(null, { contact_id: other }),
    await message(null, { contact_id: from, conversation_id: conversation }),
  ];
  const what = { conversations: [], phoneKeys: [PHONE], userIds: [] };
  await database.db.transaction((tx) => moveMessages(tx, { tenantId, from, to }, what));
  const text = 'select message_id, contact_id from outbound_messages where tenant_id = $1';
  const owners = new Map((await run(text, [tenantId])).rows.map((row) => [row.message_id, row.contact_id]));
  expect(made.map((id) => owners.get(id))).toEqual([to, to, to, null, null, other, from]);
});

test('only conversations that were opened since, and that nobody knew, count as opened since', async () => {
  const contactId = rt.newId<ContactId>();
  const inbound = `insert into inbound_messages (tenant_id, message_id, conversation_id, contact_id, phone_number_id, network_message_id, sender,
    from_phone, type, content, network_ms, created_ms)
    values ($1, $2, $3, $4, '100', gen_random_uuid(), '${PHONE}', '${PHONE}', 'text', '{}', 1, 1)`;
  const ids: ConversationId[] = [];
  for (const createdMs of [99, 100, 101]) {
    const [id] = (await addConversations(rt, database.db, tenantId, [{ contactId }])) as [ConversationId];
    const text =
      "update conversations set created_ms = $2, status = 'resolved', resolved_ms = 1 where conversation_id = $1";
    await run(text, [id, createdMs]);
    await run(inbound, [tenantId, rt.newId(), id, contactId]);
    ids.push(id);
  }
  const [, at, known] = ids as [ConversationId, ConversationId, ConversationId];
  const of = { tenantId, contactId, sinceMs: 100, known: [known], phoneKeys: [PHONE], userIds: [] };
  expect(await findOpenedSince(database.db, of)).toEqual([at]);
});

test('when a contact last wrote is the latest of its conversations and of what was known before', async () => {
  const contactId = rt.newId<ContactId>();
  const last = async (atLeastMs: number | null) => {
    await database.db.transaction((tx) => resetLastInbound(tx, tenantId, contactId, atLeastMs));
    return (await run('select last_inbound_ms from contacts where contact_id = $1', [contactId])).rows[0];
  };
  await run('insert into contacts (tenant_id, contact_id, created_ms, updated_ms) values ($1, $2, 1, 1)', [
    tenantId,
    contactId,
  ]);
  const [id] = await addConversations(rt, database.db, tenantId, [{ contactId }]);
  await run('update conversations set last_inbound_ms = 50 where conversation_id = $1', [id]);
  expect([await last(null), await last(40), await last(60)]).toEqual(
    [50, 50, 60].map((ms) => ({ last_inbound_ms: ms })),
  );
});
