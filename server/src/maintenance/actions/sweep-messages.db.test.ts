import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { idFloor, type TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { DAY_MS } from '#runtime/retention';
import { kindNumber } from '#search/domain/search-kind';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { FROM_THE_OLDEST, sweepTenant } from './sweep-tenants.ts';

const NOW_MS = Date.UTC(2030, 5, 1);
const rt = testRuntime({}, new TestClock(NOW_MS));
const OLD = 100;
const retention = { messages: 60 };

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  ({ db } = database);
});
afterAll(() => database.drop());

const run = (text: string, values: readonly unknown[] = []) =>
  db.run<Record<string, unknown>>({ name: '', text }, values);

const agoMs = (days: number) => NOW_MS - days * DAY_MS;

let made = 0;
function idOfAge(days: number): string {
  made += 1;
  return `${idFloor(NOW_MS - days * DAY_MS).slice(0, -6)}${made.toString().padStart(6, '0')}`;
}

interface Fields {
  readonly days?: number;
  readonly conversationId?: string | null;
  /** Days since the last thing that was told of it. */
  readonly quietDays?: number;
  /** Days since the network said that it was delivered; absent: it has not. */
  readonly deliveredDays?: number;
}

async function addOutbound(tenantId: TenantId, fields: Fields = {}) {
  const { days = OLD, conversationId = null, quietDays = days, deliveredDays } = fields;
  const id = idOfAge(days);
  await run(
    `insert into outbound_messages (tenant_id, message_id, type, to_phone, phone_number_id, content, priority, expires_ms, created_ms,
      updated_ms, status, conversation_id, delivered_learned_ms)
     values ($1, $2, 'text', '4477', '1', '{"body":"Hi"}', 1, 1, $3, $4, 'sent', $5, $6)`,
    [
      tenantId,
      id,
      agoMs(days),
      agoMs(quietDays),
      conversationId,
      deliveredDays === undefined ? null : agoMs(deliveredDays),
    ],
  );
  return id;
}

async function addInbound(tenantId: TenantId, { days = OLD, conversationId = null }: Fields = {}) {
  const id = idOfAge(days);
  await run(
    `insert into inbound_messages (tenant_id, message_id, network_message_id, phone_number_id, sender, type, body, content, contact_id,
      conversation_id, network_ms, created_ms) values ($1, $2::uuid, $2::text, '1', '4477', 'text', 'Hi', '{}', $2::uuid, $3, 1, $4)`,
    [tenantId, id, conversationId, NOW_MS - days * DAY_MS],
  );
  return id;
}

async function addConversation(tenantId: TenantId, status: 'open' | 'resolved'): Promise<string> {
  const id = idOfAge(OLD);
  await run(
    `insert into conversations (tenant_id, conversation_id, contact_id, phone_number_id, status, resolved_ms, last_message_ms, created_ms,
      updated_ms) values ($1, $2, $2, '1', $3, $4, 1, 1, 1)`,
    [tenantId, id, status, status === 'resolved' ? 1 : null],
  );
  return id;
}

const show = (conversationId: string, messageId: string, isInbound: boolean) =>
  run(
    `update conversations set last_message_id = $2, last_message_inbound = $3, last_message_type = 'text', last_message_preview = 'Hi'
     where conversation_id = $1`,
    [conversationId, messageId, isInbound],
  );

const addTenant = () => createTenant(rt, db, { name: 'T' });

async function left(tenantId: TenantId): Promise<readonly string[]> {
  const { rows } = await run(
    `select message_id::text as id from outbound_messages where tenant_id = $1
     union all select message_id::text from inbound_messages where tenant_id = $1`,
    [tenantId],
  );
  return rows.map(({ id }) => String(id)).toSorted();
}

test('messages that are older than a tenant keeps them are removed, of that tenant alone', async () => {
  const [tenantId, other] = [await addTenant(), await addTenant()];
  const kept: string[] = [];
  for (const add of [addOutbound, addInbound]) {
    await add(tenantId, { days: 61 });
    kept.push(await add(tenantId, { days: 60 }), await add(tenantId, { days: 1 }));
    await add(other);
  }
  expect(await sweepTenant(rt, db, { tenantId, retention })).toMatchObject({ counts: { messages: 2 }, isDone: true });
  expect(await left(tenantId)).toEqual(kept.toSorted());
  expect(await left(other)).toHaveLength(2);
  expect(await sweepTenant(rt, db, { tenantId, retention })).toMatchObject({ counts: { messages: 0 }, isDone: true });
});

test('what waits, holds money, was in an event lately, or is shown in an open conversation is kept however old it is', async () => {
  const tenantId = await addTenant();
  const [waiting, held, told, delivered] = [
    await addOutbound(tenantId),
    await addOutbound(tenantId),
    await addOutbound(tenantId, { quietDays: 30 }),
    await addOutbound(tenantId, { deliveredDays: 30 }),
  ];
  await run(
    `insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone) values ($1, $2, '1', 1, 1, 1, '4477')`,
    [tenantId, waiting],
  );
  await run('insert into wallet_holds (tenant_id, message_id, amount_micros) values ($1, $2, 1)', [tenantId, held]);
  const [ruled, fetched] = [await addInbound(tenantId), await addInbound(tenantId)];
  await run('insert into rule_queue (tenant_id, message_id, contact_id, opened, due_ms) values ($1, $2, $2, true, 1)', [
    tenantId,
    ruled,
  ]);
  await run(
    `insert into inbound_media (tenant_id, message_id, phone_number_id, network_media_id, due_ms, created_ms) values ($1, $2, '1', '1', 1, 1)`,
    [tenantId, fetched],
  );
  const [first, second] = [await addConversation(tenantId, 'open'), await addConversation(tenantId, 'open')];
  await addInbound(tenantId, { conversationId: first });
  const shown = await addOutbound(tenantId, { conversationId: first });
  const written = await addInbound(tenantId, { conversationId: second });
  await show(first, shown, false);
  await show(second, written, true);
  await sweepTenant(rt, db, { tenantId, retention });
  expect(await left(tenantId)).toEqual([waiting, held, told, delivered, ruled, fetched, shown, written].toSorted());
});

test('a removed message leaves no words, no preview, no dead letter and no file behind', async () => {
  const tenantId = await addTenant();
  const conversationId = await addConversation(tenantId, 'resolved');
  const [sent, received] = [
    await addOutbound(tenantId, { conversationId }),
    await addInbound(tenantId, { conversationId }),
  ];
  await show(conversationId, received, true);
  for (const id of [sent, received])
    await run(`insert into search_documents values ($1, ${kindNumber.messages}, $2, 1, 'hi'::tsvector)`, [
      tenantId,
      id,
    ]);
  await run(`insert into dead_letters values ($1, $2, 'c', 'r', 1)`, [tenantId, sent]);
  await run(
    `insert into inbound_media (tenant_id, message_id, phone_number_id, network_media_id, status, created_ms) values ($1, $2, '1', '1', 'failed', 1)`,
    [tenantId, received],
  );
  await sweepTenant(rt, db, { tenantId, retention });
  expect(await left(tenantId)).toEqual([]);
  for (const table of ['search_documents', 'dead_letters', 'inbound_media'])
    expect((await run(`select 1 from ${table} where tenant_id = $1`, [tenantId])).rows, table).toEqual([]);
  const { rows } = await run('select last_message_id, last_message_preview from conversations where tenant_id = $1', [
    tenantId,
  ]);
  expect(rows).toEqual([{ last_message_id: null, last_message_preview: null }]);
});

test('a walk over more pages than a turn has goes on behind the last one, and comes to an end', async () => {
  const tenantId = await addTenant();
  await run(
    `insert into inbound_messages (tenant_id, message_id, network_message_id, phone_number_id, sender, type, content, contact_id,
      network_ms, created_ms)
     select $1, ($2 || lpad(n::text, 6, '0'))::uuid, n::text, '1', '1', 'text', '{}', $1, 1, $3 from generate_series(1, 2600) n`,
    [tenantId, idFloor(NOW_MS - 90 * DAY_MS).slice(0, -6), NOW_MS - 90 * DAY_MS],
  );
  // Most of it stays for now, and a second turn must not read it again.
  await run(
    `insert into rule_queue (tenant_id, message_id, contact_id, opened, due_ms)
     select tenant_id, message_id, contact_id, true, 1 from inbound_messages where tenant_id = $1 and network_message_id <> '2600'`,
    [tenantId],
  );
  const first = await sweepTenant(rt, db, { tenantId, retention }, FROM_THE_OLDEST);
  expect([first.isDone, first.counts.messages]).toEqual([false, 0]);
  const second = await sweepTenant(rt, db, { tenantId, retention }, first.place);
  expect([second.isDone, second.counts.messages]).toEqual([true, 1]);
});
