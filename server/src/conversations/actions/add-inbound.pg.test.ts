import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { ContactId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { withEvents } from '#events/actions/with-events';
import { storeInbound } from '#inbound/actions/store-inbound';
import type { CallbackItem, InboundItem } from '#inbound/domain/callback-items';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { addInboundMessages } from './add-inbound.ts';

const PROCESSES = 3;
const MESSAGES = 50;
const phoneNumberId = '106540352242922' as PhoneNumberId;
/** Each with a separate pool, as a process has. */
const runtimes = Array.from({ length: PROCESSES }, () => testRuntime());
const [rt] = runtimes as [ReturnType<typeof testRuntime>];
let database: TestDatabase;
let pools: readonly Database[];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  const url = database.url ?? '';
  pools = runtimes.map(({ log }) => openPostgres({ url, poolSize: 8, log }));
});
afterAll(async () => {
  for (const pool of pools) await pool.close();
  await database.drop();
});

function inbound(n: number, from: string): InboundItem {
  const item: CallbackItem = {
    kind: 'inbound',
    phoneNumberId,
    networkMessageId: `wamid.${from}.${n}`,
    type: 'text',
    at: 1_790_000_000_000 + n,
    from,
    userId: null,
    profileName: 'Ada',
    username: null,
    body: `Message ${n}`,
    content: { body: `Message ${n}` },
    referral: null,
    context: null,
    groupId: null,
    opensWindow: true,
  };
  return item;
}

async function count(text: string, tenantId: TenantId): Promise<number> {
  const { rows } = await database.db.run<{ n: number }>({ name: `test ${text}`.slice(0, 60), text }, [tenantId]);
  return rows[0]?.n ?? 0;
}

async function requireOne(tenantId: TenantId): Promise<void> {
  expect(await count('select count(*)::int as n from conversations where tenant_id = $1', tenantId)).toBe(1);
  const unread = 'select sum(unread_count)::int as n from conversations where tenant_id = $1';
  expect(await count(unread, tenantId)).toBe(MESSAGES);
  expect(await count('select sum(amount)::int as n from conversation_counts where tenant_id = $1', tenantId)).toBe(1);
}

function makeTenant(): Promise<TenantId> {
  return createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
}

test('P3: 50 concurrent messages of one customer over 3 processes are one conversation with 50 messages', async () => {
  const tenantId = await makeTenant();
  await Promise.all(
    Array.from({ length: MESSAGES }, (_, n) => {
      const at = n % PROCESSES;
      const db = pools[at] as Database;
      const own = runtimes[at] as typeof rt;
      const one = [{ tenantId, item: inbound(n, '447700900123') }];
      return withEvents(own, db, (tx, events) =>
        storeInbound(own, tx, { inbound: one, events, nowMs: own.clock.now() }),
      );
    }),
  );
  await requireOne(tenantId);
  expect(await count('select count(*)::int as n from inbound_messages where tenant_id = $1', tenantId)).toBe(MESSAGES);
});

test('P3: without the lock on the contact the unique index alone keeps it one conversation', async () => {
  const tenantId = await makeTenant();
  const contactId = rt.newId<ContactId>();
  await Promise.all(
    Array.from({ length: MESSAGES }, (_, n) => {
      const own = runtimes[n % PROCESSES] as typeof rt;
      const { body, type, at } = inbound(n, '1');
      const arrivals = [
        {
          messageId: own.newId<MessageId>(),
          body,
          type,
          networkMs: at,
          isReferred: false,
          opensWindow: true,
          waits: true,
          summary: null,
        },
      ];
      return withEvents(own, pools[n % PROCESSES] as Database, async (tx, events) => {
        const pairs = [{ tenantId, contactId, phoneNumberId, arrivals }];
        await (await addInboundMessages(own, tx, events, pairs)).emit();
      });
    }),
  );
  await requireOne(tenantId);
});

test('P3: batches of the same customers in any order do not deadlock', async () => {
  const tenantId = await makeTenant();
  const customers = Array.from({ length: 8 }, (_, n) => `44770090012${n}`);
  let next = 0;
  const batches = Array.from({ length: 30 }, (_, n) => {
    const order = n % 2 === 0 ? customers : customers.toReversed();
    return order.map((from) => ({ tenantId, item: inbound(next++, from) }));
  });
  await Promise.all(
    batches.map((batch, n) => {
      const own = runtimes[n % PROCESSES] as typeof rt;
      return withEvents(own, pools[n % PROCESSES] as Database, (tx, events) =>
        storeInbound(own, tx, { inbound: batch, events, nowMs: own.clock.now() }),
      );
    }),
  );
  expect(await count('select count(*)::int as n from conversations where tenant_id = $1', tenantId)).toBe(8);
  expect(await count('select count(*)::int as n from inbound_messages where tenant_id = $1', tenantId)).toBe(240);
  expect(await count('select max(number)::int as n from conversations where tenant_id = $1', tenantId)).toBe(8);
});
