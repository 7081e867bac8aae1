import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { acquireLanes } from '#accounts/store/lane-owners';
import type { NotifierId, TenantId } from '#core/ids';
import type { Database, Statement } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { EventType } from '#events/domain/event';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { makeEndpoint } from '#testing/test-endpoints';
import { testRuntime } from '#testing/test-runtime';
import { findDueEndpoints, takeEvents } from '#webhooks/actions/notify-events';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { listEndpointLanes, MAX_LOOK_BACK, passEvents } from '#webhooks/store/webhook-lanes';
import { changeEndpoint } from './manage-endpoints.ts';

const rt = testRuntime();
const NOBODY = '0190a6f3-1111-7222-8333-444455556666';
let database: TestDatabase;
let db: Database;
let owner: NotifierId;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  db = database.db;
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = rt.newId<NotifierId>();
  tenantId = await createTenant(rt, db, { name: 'Shop', unknownResends: 0, windowPolicy: 'network' });
});

/** Records events of these types on one page. */
function emit(types: readonly EventType[], data: Record<string, string> = {}): Promise<void> {
  return withEvents(rt, db, async (_tx, events) => {
    for (const type of types) events.add({ tenantId, type, data });
  });
}

async function endpointOf(types: readonly EventType[] | null): Promise<WebhookEndpoint> {
  const endpoint = await makeEndpoint(db, tenantId, { types });
  await own(endpoint, owner);
  return endpoint;
}

async function laneOf({ endpointId }: WebhookEndpoint) {
  const lane = (await listEndpointLanes(db)).find((one) => one.endpointId === endpointId);
  if (lane === undefined) throw new Error('The endpoint has no lane.');
  return lane;
}

async function own(endpoint: WebhookEndpoint, by: NotifierId): Promise<void> {
  const { tenantId, endpointId: laneId, epoch } = await laneOf(endpoint);
  expect(await acquireLanes(db, by, [{ tenantId, laneId, epoch }])).toHaveLength(1);
}

async function take(endpoint: WebhookEndpoint): Promise<readonly string[]> {
  const { events } = await takeEvents(rt, db, await laneOf(endpoint));
  return events.map(({ sequence, type }) => `${sequence} ${type}`);
}

function poll(minLag = MAX_LOOK_BACK) {
  return findDueEndpoints(db, { owner, nowMs: rt.clock.now(), minLag });
}

async function withWork(): Promise<readonly string[]> {
  return (await poll()).due.filter(({ hasEvents }) => hasEvents).map(({ endpointId }) => endpointId);
}

async function takenSeq({ endpointId }: WebhookEndpoint): Promise<unknown> {
  const text = 'select taken_seq from webhook_lanes where endpoint_id = $1';
  return (await db.run({ name: 'test_taken', text }, [endpointId])).rows[0]?.taken_seq;
}

const change = (endpoint: WebhookEndpoint, types: readonly EventType[] | null) =>
  changeEndpoint(rt, db, { ...endpoint, origin: OPERATOR, granted: [], versions: null }, { types });

describe('a poll finds work', () => {
  test('where a type that the endpoint wants was recorded, and nowhere else', async () => {
    const [received, sent, all] = [
      await endpointOf(['message.received', 'message.read']),
      await endpointOf(['message.sent']),
      await endpointOf(null),
    ];
    expect(await withWork()).toEqual([]);
    await emit(['message.queued']);
    await emit(['message.queued', 'message.read', 'message.failed']);
    await emit(['message.queued']);
    expect(new Set(await withWork())).toEqual(new Set([received.endpointId, all.endpointId]));
    expect(await take(received)).toEqual(['3 message.read']);
    expect(await take(all)).toHaveLength(5);
    expect(await withWork()).toEqual([]);
    await emit(['message.sent']);
    expect(new Set(await withWork())).toEqual(new Set([sent.endpointId, all.endpointId]));
    expect(await take(sent)).toEqual(['6 message.sent']);
  });

  test('where a call of a rule is meant for the endpoint, whatever types it chose, and nowhere else', async () => {
    const [called, other, listed] = [
      await endpointOf(['message.sent']),
      await endpointOf(['message.sent']),
      await endpointOf(['rule.fired']),
    ];
    await emit(['message.read', 'rule.fired'], { endpoint_id: called.endpointId });
    expect(await withWork()).toEqual([called.endpointId]);
    expect(await take(called)).toEqual(['2 rule.fired']);
    const { passable } = await poll(2);
    expect(new Set(passable.map(({ endpointId }) => endpointId))).toEqual(
      new Set([other.endpointId, listed.endpointId]),
    );
    await emit(['message.sent', 'rule.fired'], { endpoint_id: listed.endpointId });
    expect(await withWork()).toHaveLength(3);
    expect(await take(listed)).toEqual(['4 rule.fired']);
    expect(await take(other)).toEqual(['3 message.sent']);
  });

  test('everywhere for a call of a rule on a page that names no address: it was recorded before pages did', async () => {
    const [called, other] = [await endpointOf(['message.sent']), await endpointOf(['message.read'])];
    await emit(['rule.fired'], { endpoint_id: called.endpointId });
    const text = `update event_pages set types = array['rule.fired'] where tenant_id = $1`;
    await db.run({ name: 'test_without_address', text }, [tenantId]);
    await emit(['rule.fired'], { endpoint_id: NOBODY });
    expect(new Set(await withWork())).toEqual(new Set([called.endpointId, other.endpointId]));
    expect([await take(called), await take(other)]).toEqual([['1 rule.fired'], []]);
  });

  test('where a page has more than one take holds', async () => {
    const endpoint = await endpointOf(['message.sent']);
    await emit(Array.from({ length: 150 }, () => 'message.sent' as const));
    expect(await take(endpoint)).toHaveLength(100);
    expect(await withWork()).toEqual([endpoint.endpointId]);
    expect(await take(endpoint)).toHaveLength(50);
    expect(await withWork()).toEqual([]);
  });

  test('where an endpoint is further behind than a poll reads back', async () => {
    const endpoint = await endpointOf(['message.sent']);
    for (const count of [MAX_LOOK_BACK, 1]) {
      expect(await withWork()).toEqual([]);
      await emit(Array.from({ length: count }, () => 'message.read' as const));
    }
    expect(await withWork()).toEqual([endpoint.endpointId]);
    expect(await take(endpoint)).toEqual([]);
    expect(await withWork()).toEqual([]);
  });

  test('not where it is disabled, nor in lanes of others', async () => {
    const [disabled, lost] = [await endpointOf(null), await endpointOf(null)];
    await changeEndpoint(rt, db, { ...disabled, origin: OPERATOR, granted: [], versions: null }, { enabled: false });
    await own(lost, rt.newId<NotifierId>());
    await emit(['message.sent']);
    expect(await poll(1)).toEqual({ due: [], passable: [] });
  });
});

describe('an endpoint passes over what it does not want', () => {
  test('once it is that much, and never over what it wants', async () => {
    const [sent, read] = [await endpointOf(['message.sent']), await endpointOf(['message.read'])];
    await emit(['message.queued', 'message.queued']);
    expect((await poll(3)).passable).toEqual([]);
    await emit(['message.read']);
    const { passable } = await poll(3);
    expect(passable.map(({ endpointId }) => endpointId)).toEqual([sent.endpointId]);
    await passEvents(db, owner, passable);
    expect([await takenSeq(sent), await takenSeq(read)]).toEqual([3, 0]);
    expect((await poll(1)).passable).toEqual([]);
  });

  test('up to what was there at the poll: what it wants and was recorded since is taken', async () => {
    const endpoint = await endpointOf(['message.sent']);
    await emit(['message.read']);
    const { passable } = await poll(1);
    await emit(['message.sent']);
    await passEvents(db, owner, passable);
    expect(await take(endpoint)).toEqual(['2 message.sent']);
    // The other way round it is not moved back, to be taken twice.
    await passEvents(db, owner, passable);
    expect(await take(endpoint)).toEqual([]);
  });

  test('up to what was there at the look: types that it chose since count from then on', async () => {
    const endpoint = await endpointOf(['message.sent']);
    await emit(['message.read']);
    const { passable } = await poll(1);
    await change(endpoint, ['message.sent', 'message.read']);
    await emit(['message.read']);
    await passEvents(db, owner, passable);
    expect(await take(endpoint)).toEqual(['2 message.read']);
  });

  test('only for the owner of its lane', async () => {
    const endpoint = await endpointOf(['message.sent']);
    await emit(['message.read']);
    const { passable } = await poll(1);
    expect(passable).toHaveLength(1);
    await own(endpoint, rt.newId<NotifierId>());
    await passEvents(db, owner, passable);
    expect(await takenSeq(endpoint)).toBe(0);
  });
});

describe('an endpoint that chooses other types', () => {
  test('gets what is recorded from then on, though it had not passed over the rest yet', async () => {
    const [wider, all] = [await endpointOf(['message.sent']), await endpointOf(['message.sent'])];
    await emit(['message.read']);
    await emit(['message.read', 'message.failed']);
    await change(wider, ['message.sent', 'message.read']);
    await change(all, null);
    await emit(['message.read']);
    expect(await take(wider)).toEqual(['4 message.read']);
    expect(await take(all)).toEqual(['4 message.read']);
  });

  test('still gets what it wanted and what is recorded after it', async () => {
    const endpoint = await endpointOf(['message.sent']);
    await emit(['message.read']);
    await emit(['message.sent']);
    await emit(['message.read']);
    await emit(['rule.fired'], { endpoint_id: NOBODY });
    await change(endpoint, ['message.sent', 'message.read']);
    expect(await take(endpoint)).toEqual(['2 message.sent', '3 message.read']);
  });

  test('still gets what it wanted when it wants less', async () => {
    const endpoint = await endpointOf(['message.sent', 'message.read']);
    await emit(['message.queued']);
    await emit(['message.read', 'message.sent']);
    await change(endpoint, ['message.sent']);
    expect(await take(endpoint)).toEqual(['3 message.sent']);
  });
});

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('with 50,000 pages of two tenants, $statistics statistics', ({ analyze }) => {
  const [PAGES, LAG, ENDPOINTS] = [25_000, 40, 10];

  test('a poll reads by their key the pages since the endpoint that is furthest behind, once for all', async () => {
    await db.run({ name: 'test_no_vacuum', text: 'alter table event_pages set (autovacuum_enabled = false)' }, []);
    for (let tenant = 0; tenant < 2; tenant += 1) {
      tenantId = await createTenant(rt, db, { name: 'Large', unknownResends: 0, windowPolicy: 'network' });
      await repeatReport(PAGES - LAG);
      for (let count = 0; count < ENDPOINTS; count += 1) await endpointOf(['message.sent']);
      await repeatReport(LAG);
    }
    if (analyze) await db.run({ name: 'test_analyze', text: 'analyze' }, []);
    const seen: { readonly statement: Statement; readonly parameters: readonly unknown[] }[] = [];
    const recording: Database = Object.create(db, {
      run: {
        value: (statement: Statement, parameters: readonly unknown[]) => {
          seen.push({ statement, parameters });
          return db.run(statement, parameters);
        },
      },
    });
    const { passable } = await findDueEndpoints(recording, { owner, nowMs: rt.clock.now(), minLag: LAG });
    expect(passable).toHaveLength(2 * ENDPOINTS);
    const [only, ...others] = seen;
    expect(others).toEqual([]);
    const pages = reached(await planOf(db, only?.statement.text ?? '', only?.parameters ?? []), ['event_pages']);
    expect(pages.walked).toEqual([]);
    expect(pages.indexes).toEqual(['event_pages_pkey']);
    for (const rows of pages.rows) expect(rows).toBe(2 * LAG);
  });

  async function repeatReport(count: number): Promise<void> {
    const text = `
with head as (
  insert into event_heads (tenant_id, last_seq) values ($1, $2)
  on conflict (tenant_id) do update set last_seq = event_heads.last_seq + excluded.last_seq
  returning last_seq
)
insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, body)
select $1, s, s, 1, array['message.queued', 'message.read'], '[]'
from head, generate_series(head.last_seq - $2::bigint + 1, head.last_seq) s`;
    await db.run({ name: 'test_tell_often', text }, [tenantId, count]);
  }
});
