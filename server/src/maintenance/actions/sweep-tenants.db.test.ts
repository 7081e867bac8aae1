import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { saveOwnRetention } from '#access/store/tenant-retention';
import { idFloor, type TenantId } from '#core/ids';
import type { OwnRetention } from '#core/retention';
import type { Database } from '#database/database';
import { DAY_MS } from '#runtime/retention';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeTenantSweeper, sweepTenant } from './sweep-tenants.ts';

const NOW_MS = Date.UTC(2030, 5, 1);
const rt = testRuntime({}, new TestClock(NOW_MS));
const SWEPT = ['events', 'webhook_deliveries', 'rule_decisions'] as const;
type Swept = (typeof SWEPT)[number];
/** More than any row of a test: everybody has followed the events up to here. */
const FOLLOWED = 1_000_000;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  ({ db } = database);
});
afterAll(() => database.drop());
beforeEach(empty);

async function empty(): Promise<void> {
  for (const table of ['tenants', 'event_pages', 'webhook_deliveries', 'rule_decisions', 'rule_replies'])
    await run(`delete from ${table}`);
}

const run = (text: string, values: readonly unknown[] = []) =>
  db.run<Record<string, unknown>>({ name: '', text }, values);

async function addTenant(own: OwnRetention): Promise<TenantId> {
  const tenantId = await createTenant(rt, db, { name: 'T' });
  await db.transaction((tx) => saveOwnRetention(tx, tenantId, own));
  await run(`insert into analytics_cursors values ($1, ${FOLLOWED}, 1)`, [tenantId]);
  return tenantId;
}

const INSERTS: Readonly<Record<Swept, string>> = {
  events: `insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, body) values ($1, $4, $4, $3, '{}', $2)`,
  webhook_deliveries: `
insert into webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, type, body, state, created_ms, updated_ms)
values ($1, $2::uuid, gen_random_uuid(), gen_random_uuid(), 'message.sent', '{}', 'delivered', $3::bigint + 0 * $4, 1)`,
  rule_decisions: `
insert into rule_decisions (tenant_id, decision_id, message_id, contact_id, conversation_id, set_version, opened, facts, verdicts,
  actions, matched_rules, decided_ms)
select $1, $2::uuid, x, x, x, 1, false, '{}', '[]', '[]', '{}', $3::bigint + 0 * $4 from gen_random_uuid() x`,
};

/** A row of some age; it is called by its number. */
async function addRow(tenantId: TenantId, kind: Swept, { ageMs, number }: Row): Promise<string> {
  const atMs = NOW_MS - ageMs;
  const id = `${idFloor(atMs).slice(0, -6)}${number.toString().padStart(6, '0')}`;
  await run(INSERTS[kind], [tenantId, id, atMs, number]);
  return id;
}

interface Row {
  readonly ageMs: number;
  readonly number: number;
}

const NAMED: Readonly<Record<Swept, string>> = {
  events: 'select body as id from event_pages where tenant_id = $1',
  webhook_deliveries: 'select delivery_id::text as id from webhook_deliveries where tenant_id = $1',
  rule_decisions: 'select decision_id::text as id from rule_decisions where tenant_id = $1',
};

async function left(tenantId: TenantId, kind: Swept): Promise<readonly string[]> {
  return (await run(NAMED[kind], [tenantId])).rows.map((row) => String(row.id)).toSorted();
}

const daysOfTenant = fc.record(
  Object.fromEntries(SWEPT.map((kind) => [kind, fc.integer({ min: 1, max: 30 })])) as Record<
    Swept,
    fc.Arbitrary<number>
  >,
  { requiredKeys: [] },
);
/** Around the ends of days, where rows are removed or are not. */
const age = fc
  .tuple(fc.integer({ min: 0, max: 31 }), fc.constantFrom(-1, 0, 1))
  .map(([days, ms]) => Math.max(0, days * DAY_MS + ms));

test('exactly what is older than a tenant keeps it is removed, of that tenant and kind alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(daysOfTenant, { minLength: 2, maxLength: 3 }),
      fc.array(age, { maxLength: 6 }),
      async (wishes, ages) => {
        await empty();
        // Events are numbered in the order of time.
        const rows = ages.toSorted((a, b) => b - a).map((ageMs, index) => ({ ageMs, number: index + 1 }));
        const expected: unknown[] = [];
        const tenants: TenantId[] = [];
        for (const own of wishes) {
          const tenantId = await addTenant(own as OwnRetention);
          tenants.push(tenantId);
          for (const kind of SWEPT) {
            const ids: string[] = [];
            const keptMs = (own[kind] ?? Number.POSITIVE_INFINITY) * DAY_MS;
            for (const row of rows) {
              const id = await addRow(tenantId, kind, row);
              if (row.ageMs <= keptMs) ids.push(id);
            }
            expected.push([tenantId, kind, ids.toSorted()]);
          }
        }
        await makeTenantSweeper(rt, db)();
        const found: unknown[] = [];
        for (const tenantId of tenants)
          for (const kind of SWEPT) found.push([tenantId, kind, await left(tenantId, kind)]);
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 15 },
  );
});

const old = { ageMs: 20 * DAY_MS, number: 1 };

test.each([
  { who: 'reports', text: 'update analytics_cursors set last_seq = 0 where tenant_id = $1' },
  { who: 'the search index', text: 'insert into search_cursors (tenant_id, last_seq) values ($1, 0)' },
  { who: 'notifications', text: 'insert into notification_cursors (tenant_id, last_seq) values ($1, 0)' },
  {
    who: 'a webhook delivery that waits',
    text: `insert into webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, type, sequence, state, due_ms, created_ms, updated_ms)
      select $1, x, x, x, 'message.sent', 1, 'pending', 1, 1, 1 from gen_random_uuid() x`,
  },
  {
    who: 'a campaign that runs',
    text: `insert into campaigns (tenant_id, campaign_id, name, status, template, created_ms, updated_ms, started_ms, due_ms, event_seq)
      values ($1, gen_random_uuid(), 'C', 'running', '{}', 1, 1, 1, 1, 0)`,
  },
  {
    who: 'an enabled webhook endpoint',
    text: `with e as (
        insert into webhook_endpoints (tenant_id, endpoint_id, url, ordering, secret_sealed, secret_key_id, created_ms, updated_ms)
        values ($1, gen_random_uuid(), 'https://shop.example', 'none', 's', 'k', 1, 1) returning endpoint_id)
      insert into webhook_lanes (tenant_id, endpoint_id, taken_seq) select $1, endpoint_id, 0 from e`,
  },
])('an old event is kept while $who still needs it', async ({ text }) => {
  const tenantId = await addTenant({ events: 7, webhook_deliveries: 7 });
  const id = await addRow(tenantId, 'events', old);
  await run(text, [tenantId]);
  await sweepTenant(rt, db, { tenantId, retention: { events: 7 } });
  expect(await left(tenantId, 'events')).toEqual([id]);
});

test('a delivery that waits, and a decision whose reply waits, are kept however old they are', async () => {
  const retention = { webhook_deliveries: 7, rule_decisions: 7 };
  const tenantId = await addTenant(retention);
  const [delivery, decision] = [
    await addRow(tenantId, 'webhook_deliveries', old),
    await addRow(tenantId, 'rule_decisions', old),
  ];
  await run(`update webhook_deliveries set state = 'pending', due_ms = 1`);
  await run(
    `insert into rule_replies (tenant_id, decision_id, rule_id, action, place, to_phone, phone_number_id, content, due_ms, created_ms)
     values ($1, $2, $2, 0, 0, '1', '1', '{}', 1, 1)`,
    [tenantId, decision],
  );
  await sweepTenant(rt, db, { tenantId, retention });
  expect([await left(tenantId, 'webhook_deliveries'), await left(tenantId, 'rule_decisions')]).toEqual([
    [delivery],
    [decision],
  ]);
  await run(`update rule_replies set state = 'failed', due_ms = null`);
  await sweepTenant(rt, db, { tenantId, retention });
  expect(await left(tenantId, 'rule_decisions')).toEqual([]);
  expect((await run('select 1 from rule_replies')).rows).toEqual([]);
});

const FILL = `
insert into webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, type, body, state, created_ms, updated_ms)
select $1, ($2 || lpad(n::text, 6, '0'))::uuid, $1, gen_random_uuid(), 'message.sent', '{}', 'delivered', 1, 1
from generate_series(1, 5500) n`;

test('a tenant with more than one turn removes does not hold up the next, and goes on where it was', async () => {
  const large = await addTenant({ webhook_deliveries: 1 });
  const small = await addTenant({ webhook_deliveries: 1 });
  await run(FILL, [large, idFloor(NOW_MS - 5 * DAY_MS).slice(0, -6)]);
  await addRow(small, 'webhook_deliveries', old);
  const sweep = makeTenantSweeper(rt, db);
  expect(await sweep()).toBe(2);
  expect(await left(small, 'webhook_deliveries')).toEqual([]);
  expect(await left(large, 'webhook_deliveries')).toHaveLength(500);
  expect(await sweep()).toBe(1);
  expect(await left(large, 'webhook_deliveries')).toEqual([]);
  expect(await sweep()).toBe(0);
});
