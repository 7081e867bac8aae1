import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner, Statement, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { EventType } from '#events/domain/event';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { endpointConfig, endpointKeyring as keyring, makeEndpoint } from '#testing/test-endpoints';
import { TestClock, testRuntime } from '#testing/test-runtime';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { listDeliveriesPage } from '#webhooks/store/webhook-deliveries';
import { makeNotifier } from './notifier.ts';
import type { Posted, WebhookPoster } from './post.ts';

const WANTED: readonly EventType[] = ['message.sent', 'message.delivered', 'message.read', 'message.failed'];
const UNWANTED: EventType = 'message.queued';
const TAKE = 'webhook_lane_lock_taken';
const PASS = 'webhook_lane_pass';
const POLL = 'webhook_lane_read_behind';
/** The last statement of a beat that finds nothing new. */
const BEAT = 'notifier_list';

let database: TestDatabase;
let tenantId: TenantId;
let endpoints: readonly WebhookEndpoint[];

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());
beforeEach(async () => {
  const [rt, { db }] = [testRuntime(), database];
  tenantId = await createTenant(rt, db, { name: 'Shop', unknownResends: 0, windowPolicy: 'network' });
  endpoints = [];
  for (const type of WANTED) {
    endpoints = [...endpoints, await makeEndpoint(db, tenantId, { types: [type], ordering: 'conversation' })];
  }
});

async function emit(rt: Runtime, type: EventType, times = 1, data = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await withEvents(rt, database.db, async (_tx, events) => {
      events.add({ tenantId, type, data: { to: '447700900123', ...data } });
    });
  }
}

/** Waits for the nth of what happens. */
class Tally {
  #count = 0;
  #waiting: { readonly nth: number; readonly resolve: () => void }[] = [];

  add(): void {
    this.#count += 1;
    for (const { nth, resolve } of this.#waiting) if (this.#count >= nth) resolve();
  }

  reach(nth: number): Promise<void> {
    return this.#count >= nth ? Promise.resolve() : new Promise((resolve) => this.#waiting.push({ nth, resolve }));
  }
}

/** The database with an eye on its statements about this tenant; `failing` says whose next run fails. */
function watched() {
  const takes = new Map<unknown, number>();
  const [taken, passed, polled, beaten] = [new Tally(), new Tally(), new Tally(), new Tally()];
  const failing = new Set<string>();
  const through = (runner: SqlRunner): SqlRunner['run'] => {
    return async (statement: Statement, parameters: readonly unknown[]) => {
      const [owner, ids] = parameters;
      const isOurs = owner === tenantId || (Array.isArray(ids) && ids.includes(tenantId));
      if (isOurs && failing.delete(statement.name)) throw new Error('The test lets this fail.');
      const result = await runner.run<never>(statement, parameters);
      if (isOurs && statement.name === TAKE) {
        takes.set(parameters[1], (takes.get(parameters[1]) ?? 0) + 1);
        taken.add();
      }
      if (isOurs && statement.name === PASS) passed.add();
      if (statement.name === POLL) polled.add();
      if (statement.name === BEAT) beaten.add();
      return result;
    };
  };
  const { db } = database;
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) =>
    db.transaction((tx) => work({ run: through(tx), atCommit: (command) => tx.atCommit(command) }));
  const watching = Object.create(db, { run: { value: through(db) }, transaction: { value: transaction } }) as Database;
  return { db: watching, takes, taken, passed, polled, beaten, failing };
}

/** Accepts every event and records which one came to which endpoint. */
function receiver() {
  const came = new Tally();
  const ids: string[] = [];
  const answer: Posted = { status: 204, error: null, detail: null, response: null, retryAfter: undefined };
  const poster: WebhookPoster = {
    post: async ({ headers }) => {
      ids.push(headers['webhook-id'] ?? '');
      came.add();
      return answer;
    },
    close: async () => undefined,
  };
  return { poster, came, ids };
}

async function run(rt: Runtime) {
  const [watch, { poster, came, ids }] = [watched(), receiver()];
  const notifier = makeNotifier({ rt, db: watch.db, keyring, poster });
  await notifier.start();
  // At its beginning each lane is asked once whether something was left, and each loop does its step.
  const { taken, polled, beaten } = watch;
  await Promise.all([taken.reach(WANTED.length), polled.reach(2), beaten.reach(2)]);
  return { ...watch, came, ids, notifier };
}

async function lags(): Promise<readonly unknown[]> {
  const text = `select h.last_seq - l.taken_seq as lag from webhook_lanes l
    join event_heads h on h.tenant_id = l.tenant_id where l.tenant_id = $1`;
  return (await database.db.run({ name: 'test_lags', text }, [tenantId])).rows.map(({ lag }) => lag);
}

test('events cost nothing at endpoints that want other types, and each still gets what it wants, in order and once', async () => {
  const rt = testRuntime(endpointConfig);
  const { notifier, takes, came, ids } = await run(rt);
  const ROUNDS = 3;
  const [first = 'message.sent', ...others] = WANTED;
  const EVENTS = 40;
  for (let event = 1; event <= EVENTS; event += 1) {
    await emit(rt, first);
    await came.reach(event);
  }
  const [busy, ...idle] = endpoints.map(({ endpointId }) => takes.get(endpointId) ?? 0);
  expect(busy).toBeGreaterThan(EVENTS / 2);
  expect(idle).toEqual(others.map(() => 1));

  for (let round = 0; round < ROUNDS; round += 1) {
    for (const type of others) await emit(rt, type);
    await emit(rt, UNWANTED, 50);
  }
  await came.reach(EVENTS + ROUNDS * others.length);
  await notifier.stop();
  expect(new Set(ids).size).toBe(ids.length);
  for (const endpoint of endpoints.slice(1)) {
    const { items } = await listDeliveriesPage(database.db, endpoint, {}, { limit: 100, offset: 0, beforeId: null });
    const expected = items.toSorted((a, b) => Number(a.sequence) - Number(b.sequence)).map(({ eventId }) => eventId);
    expect(expected).toHaveLength(ROUNDS);
    expect(ids.filter((id) => expected.includes(id))).toEqual(expected);
  }
});

test('calls of a rule cost nothing at endpoints that they are not for', async () => {
  const rt = testRuntime(endpointConfig);
  const { notifier, takes, came } = await run(rt);
  const [called, ...others] = endpoints.map(({ endpointId }) => endpointId);
  const CALLS = 8;
  for (let call = 1; call <= CALLS; call += 1) {
    await emit(rt, 'rule.fired', 1, { endpoint_id: called });
    await came.reach(call);
  }
  await notifier.stop();
  expect(takes.get(called)).toBeGreaterThan(CALLS / 2);
  expect(others.map((id) => takes.get(id))).toEqual(others.map(() => 1));
});

test('endpoints do not fall behind by more than a read can cheaply scan, and take nothing for it', async () => {
  const rt = testRuntime(endpointConfig);
  const { notifier, takes, passed } = await run(rt);
  await emit(rt, UNWANTED, 100);
  await passed.reach(1);
  for (const lag of await lags()) expect(lag).toBeLessThan(100);
  await notifier.stop();
  expect([...takes.values()]).toEqual(WANTED.map(() => 1));
});

test('endpoints of a resting tenant are not read for long', async () => {
  const clock = new TestClock();
  const rt = testRuntime(endpointConfig, clock);
  const { notifier, takes, passed, beaten } = await run(rt);
  await emit(rt, UNWANTED, 5);
  expect(await lags()).toEqual(WANTED.map(() => 5));
  // Second by second: one whose beats pause for long gives up its lanes.
  for (let second = 1; second <= 10; second += 1) {
    clock.advance(1_000);
    await beaten.reach(2 + second);
    // What follows that answer is done in the same turn: the next second is waited for.
    await nextTurn();
  }
  await passed.reach(1);
  expect(await lags()).toEqual(WANTED.map(() => 0));
  await notifier.stop();
  expect([...takes.values()]).toEqual(WANTED.map(() => 1));
});

test.each([{ name: TAKE }, { name: PASS }])('what the database refuses once is done later: $name', async ({ name }) => {
  const rt = testRuntime(endpointConfig);
  const { notifier, failing, came, passed } = await run(rt);
  failing.add(name);
  await emit(rt, UNWANTED, 100);
  await emit(rt, 'message.read');
  await Promise.all([passed.reach(1), came.reach(1)]);
  expect(failing.size).toBe(0);
  await notifier.stop();
});
