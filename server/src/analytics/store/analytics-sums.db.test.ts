import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { clockStretches } from '#analytics/actions/report-period';
import type { TenantId } from '#core/ids';
import { byDays, type CountDelta, MESSAGE_MEASURES, NO_COUNTS, QUARTER_MS } from '#events/domain/message-sums';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { readBreakdown, readHeatmap, readSeries, readTotals } from './analytics-reads.ts';
import { addingCounts } from './analytics-writes.ts';

const rt = testRuntime();
const DAYS = 5;
const FIRST = 20_000 * 96;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

const quarter = fc.integer({ min: FIRST, max: FIRST + DAYS * 96 - 1 });
const delta = fc.record({
  dimension: fc.constant('campaign' as const),
  key: fc.constantFrom('spring', 'summer', 'autumn'),
  quarter,
  counts: fc.record({
    accepted: fc.nat(9),
    sent: fc.nat(9),
    delivered: fc.nat(9),
    read: fc.nat(9),
    failed: fc.nat(9),
    replied: fc.nat(9),
    received: fc.integer({ min: 1, max: 9 }),
  }),
});
const history = fc.uniqueArray(delta, { maxLength: 60, selector: ({ key, quarter: at }) => `${key} ${at}` });
/** Times around and within what there is, and where steps begin in them. */
const edges = fc.uniqueArray(fc.integer({ min: FIRST - 100, max: FIRST + DAYS * 96 + 100 }), {
  minLength: 2,
  maxLength: 9,
});

async function addCounts(tenantId: TenantId, deltas: readonly CountDelta[]): Promise<void> {
  for (const { statement, parameters } of addingCounts(tenantId, deltas)) await database.db.run(statement, parameters);
}

function sumOf(deltas: readonly CountDelta[], [from, to]: readonly [number, number], key: string) {
  const within = deltas.filter((one) => one.key === key && one.quarter >= from && one.quarter < to);
  return Object.fromEntries(
    MESSAGE_MEASURES.map((measure) => [measure, within.reduce((sum, { counts }) => sum + counts[measure], 0)]),
  );
}

async function expectSums(tenantId: TenantId, deltas: readonly CountDelta[], places: readonly number[]): Promise<void> {
  const [first = 0, last = 0] = [places.at(0), places.at(-1)];
  const period = { startMs: first * QUARTER_MS, endMs: last * QUARTER_MS };
  const scope = { dimension: 'campaign', key: 'spring' } as const;
  expect(await readTotals(database.db, { tenantId, scope, period })).toEqual(sumOf(deltas, [first, last], 'spring'));
  const starts = places.slice(0, -1);
  const series = await readSeries(
    database.db,
    { tenantId, scope, period },
    starts.map((at) => at * QUARTER_MS),
  );
  expect([...series.values()]).toEqual(
    starts.map((from, step) => sumOf(deltas, [from, places[step + 1] ?? 0], 'spring')),
  );
  const rows = await readBreakdown(database.db, { tenantId, dimension: 'campaign', period, limit: 10 });
  const expected = ['spring', 'summer', 'autumn'].flatMap((key) => {
    const counts = sumOf(deltas, [first, last], key);
    return counts.received === 0 ? [] : [[key, counts]];
  });
  expect(Object.fromEntries(rows.map(({ key, counts }) => [key, counts]))).toEqual(Object.fromEntries(expected));
}

test('a report of any time counts what happened within it, whole days or not, and names nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(history, edges, async (deltas, places) => {
      const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
      await addCounts(tenantId, deltas);
      await expectSums(
        tenantId,
        deltas,
        places.toSorted((left, right) => left - right),
      );
    }),
    { numRuns: 40 },
  );
});

test('a time is read from its days where that is fewer rows, and what lies beside it is taken away', async () => {
  const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
  const counts = { ...NO_COUNTS, accepted: 1 };
  const deltas = [0, 40, 95, 96, 191].map(
    (at): CountDelta => ({ dimension: 'all', key: '', quarter: FIRST + at, counts }),
  );
  await addCounts(tenantId, deltas);
  // A day of sums that its quarters do not have shows from where a report reads.
  await addToDays(tenantId, byDays(deltas).length);
  const scope = { dimension: 'all', key: '' } as const;
  const period = { startMs: (FIRST + 1) * QUARTER_MS, endMs: (FIRST + 96) * QUARTER_MS };
  expect((await readTotals(database.db, { tenantId, scope, period })).accepted).toBe(1_000 + 2);
});

async function addToDays(tenantId: TenantId, days: number): Promise<void> {
  const text = `update analytics_message_days set accepted = accepted + 1000 where tenant_id = $1`;
  expect((await database.db.run({ name: 'test_add_to_days', text }, [tenantId])).rowCount).toBe(days);
}

const ZONES = ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia'];
const YEAR = { from: Date.UTC(2026, 0, 1) / QUARTER_MS, to: Date.UTC(2027, 0, 1) / QUARTER_MS };
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Weekday and hour that the clocks of a zone show, as the time zone database of the engine tells them. */
function cellAt(timeZone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' });
  const parts = format.formatToParts(at * QUARTER_MS);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${WEEKDAYS.indexOf(part('weekday')) + 1} ${Number(part('hour'))}`;
}

test('a heatmap shows each message at the weekday and the hour of the clocks of its zone, whenever they are changed', async () => {
  const some = fc.integer({ min: YEAR.from, max: YEAR.to - 1 });
  // Around the changes of clocks, too.
  const changes = ['2026-03-08T07:00Z', '2026-03-29T01:00Z', '2026-04-04T15:00Z', '2026-10-25T01:00Z'].map(
    (time) => Date.parse(time) / QUARTER_MS,
  );
  const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -12, max: 12 })).map(([at, by]) => at + by);
  const places = fc.uniqueArray(fc.oneof(some, near), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom(...ZONES), async (quarters, timeZone) => {
      const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
      const counts = { ...NO_COUNTS, accepted: 2, received: 1 };
      const deltas = quarters.map((at): CountDelta => ({ dimension: 'all', key: '', quarter: at, counts }));
      await addCounts(tenantId, deltas);
      const expected = new Map<string, number>();
      for (const at of quarters) expected.set(cellAt(timeZone, at), (expected.get(cellAt(timeZone, at)) ?? 0) + 1);
      const period = { startMs: YEAR.from * QUARTER_MS, endMs: YEAR.to * QUARTER_MS };
      const scope = { dimension: 'all', key: '' } as const;
      const cells = await readHeatmap(database.db, { tenantId, scope }, clockStretches(timeZone, period));
      expect(Object.fromEntries(cells.map(({ weekday, hour, ...sums }) => [`${weekday} ${hour}`, sums]))).toEqual(
        Object.fromEntries([...expected].map(([cell, count]) => [cell, { accepted: 2 * count, received: count }])),
      );
    }),
    { numRuns: 30 },
  );
});
