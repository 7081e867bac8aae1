import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Histograms,
  readConversationBreakdown,
  readHistograms,
} from '#analytics/store/conversation-analytics-reads';
import {
  CONVERSATION_DIMENSIONS,
  type ConversationDimension,
  DURATIONS,
  NO_CONVERSATIONS,
} from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import { countIn, MAX_ERROR_BELOW_MS, MAX_RELATIVE_ERROR, quantilesOf } from '#core/duration-histogram';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { QUARTER_MS } from '#events/domain/message-sums';
import { type Fact, factsOf } from '#testing/conversation-facts';
import { ConversationHistory, conversationHistory } from '#testing/conversation-history';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { checkAnalytics } from './check-analytics.ts';
import { rollUpTenant } from './roll-up.ts';

const clock = new TestClock(Date.UTC(2030, 0, 1));
const rt = testRuntime({}, clock);
const SHARES = [0.5, 0.9, 0.99];
const DAY_MS = 24 * 60 * 60 * 1000;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

type Report = Record<string, { counts: Record<string, number>; times: Record<string, number[]> }>;

/** What the facts of a period come to, for each key of a dimension: plain sums, and every duration. */
function recount(facts: readonly Fact[], dimension: ConversationDimension, { startMs, endMs }: Period): Report {
  const report: Report = {};
  for (const { measure, atMs, keys, tags, times } of facts) {
    if (atMs < startMs || atMs >= endMs) continue;
    const found = dimension === 'tag' ? tags : [keys[dimension]].filter((key) => key !== null);
    for (const key of found) {
      const row = report[key] ?? { counts: { ...NO_CONVERSATIONS }, times: {} };
      report[key] = row;
      row.counts[measure] = (row.counts[measure] ?? 0) + 1;
      for (const [what, elapsedMs, businessMs] of times) {
        row.times[what] = [...(row.times[what] ?? []), elapsedMs];
        row.times[`${what}_business`] = [...(row.times[`${what}_business`] ?? []), businessMs];
      }
    }
  }
  return report;
}

/** By nearest rank. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

function expectTimes(histograms: Histograms | undefined, times: Readonly<Record<string, readonly number[]>>): void {
  for (const duration of DURATIONS) {
    const values = times[duration] ?? [];
    const histogram = histograms?.[duration] ?? new Map<number, number>();
    expect([duration, countIn(histogram)]).toEqual([duration, values.length]);
    if (values.length === 0) continue;
    for (const [place, estimate] of quantilesOf(histogram, SHARES).entries()) {
      const exact = exactQuantile(values, SHARES[place] ?? 0);
      const error = Math.abs((estimate ?? Number.NaN) - exact);
      expect(error).toBeLessThanOrEqual(Math.max(MAX_ERROR_BELOW_MS, exact * MAX_RELATIVE_ERROR * 1.000_001));
    }
  }
}

async function expectSumsAreFacts(tenantId: TenantId, facts: readonly Fact[], period: Period): Promise<void> {
  for (const dimension of CONVERSATION_DIMENSIONS) {
    const expected = recount(facts, dimension, period);
    const rows = await readConversationBreakdown(database.db, { tenantId, dimension, period, limit: 100 });
    expect([dimension, Object.fromEntries(rows.map(({ key, counts }) => [key, counts]))]).toEqual([
      dimension,
      Object.fromEntries(Object.entries(expected).map(([key, { counts }]) => [key, counts])),
    ]);
    const keys = Object.keys(expected);
    const histograms = await readHistograms(database.db, { tenantId, dimension, keys, period });
    for (const [key, { times }] of Object.entries(expected)) expectTimes(histograms.get(key), times);
  }
}

const check = async (tenantId: TenantId) =>
  (await checkAnalytics(rt, database.db, { tenantId, days: 366 })).conversations;

const quarterAt = (ms: number) => Math.floor(ms / QUARTER_MS) * QUARTER_MS;

test('sums and quantiles are what history and messages say, in any period, whatever happened and whenever it was added up', async () => {
  const seen = { facts: 0, waits: 0 };
  await fc.assert(
    fc.asyncProperty(conversationHistory, fc.nat(100), fc.nat(100), async (steps, left, right) => {
      const startMs = quarterAt(clock.now());
      const history = await ConversationHistory.begin(rt, clock, database.db);
      for (const step of steps) await history.play(step);
      while ((await rollUpTenant(database.db, history.tenantId)) > 0);
      const facts = await factsOf(database.db, history);
      seen.facts += facts.length;
      seen.waits += facts.filter(({ times }) => times.length > 0).length;
      const endMs = quarterAt(clock.now()) + QUARTER_MS;
      await expectSumsAreFacts(history.tenantId, facts, { startMs, endMs });
      const at = (percent: number) => quarterAt(startMs + ((endMs - startMs) * percent) / 100);
      const part = { startMs: at(Math.min(left, right)), endMs: at(Math.max(left, right)) };
      await expectSumsAreFacts(history.tenantId, facts, part);
      expect(await check(history.tenantId)).toMatchObject({ drifts: [] });
    }),
    { numRuns: 12 },
  );
  expect(seen.facts).toBeGreaterThan(50);
  expect(seen.waits).toBeGreaterThan(10);
});

test('a step that dies before its commit adds nothing, and concurrent ones add each event once', async () => {
  const history = await ConversationHistory.begin(rt, clock, database.db);
  const startMs = quarterAt(clock.now());
  for (let n = 0; n < 12; n++) {
    await history.play({ what: { do: 'write', customer: n % 3, number: n % 2 }, after: 7 });
    await history.play({ what: { do: 'reply', which: n % 4, by: n % 3 }, after: 11 * n + 1 });
    if (n % 3 === 0) await history.play({ what: { do: 'resolve', which: n % 4, by: n % 3 }, after: 90 });
    await rollUpAndDie(history.tenantId, n);
  }
  await Promise.all([1, 2, 3, 4].map(() => rollUpTenant(database.db, history.tenantId)));
  while ((await rollUpTenant(database.db, history.tenantId)) > 0);
  const facts = await factsOf(database.db, history);
  await expectSumsAreFacts(history.tenantId, facts, { startMs, endMs: quarterAt(clock.now()) + QUARTER_MS });
});

/** Ends the transaction of a step after some of its statements. */
async function rollUpAndDie(tenantId: TenantId, statements: number): Promise<void> {
  const { db } = database;
  let left = statements;
  const dying: Database = {
    kind: db.kind,
    kysely: db.kysely,
    run: (statement, parameters) => db.run(statement, parameters),
    guard: (check) => db.guard(check),
    listen: (channel, heard) => db.listen(channel, heard),
    aside: (work) => db.aside(work),
    notify: (channel, payload) => db.notify(channel, payload),
    close: () => Promise.resolve(),
    transaction: (work) =>
      db.transaction((tx) => {
        const count = () => {
          left -= 1;
          if (left < 0) throw new Error('killed');
        };
        return work({
          run: (statement, parameters) => {
            count();
            return tx.run(statement, parameters);
          },
          atCommit: (command) => {
            count();
            tx.atCommit(command);
          },
        });
      }),
  };
  await rollUpTenant(dying, tenantId).catch((error: Error) => {
    if (error.message !== 'killed') throw error;
  });
}

/**
 * One conversation that is answered and resolved on a separate day, twice; in the first one the answer takes 11
 * minutes.
 */
async function playTwoDays(): Promise<{ readonly tenantId: TenantId; readonly days: readonly [number, number] }> {
  clock.advance(DAY_MS);
  const history = await ConversationHistory.begin(rt, clock, database.db);
  const days: number[] = [];
  for (const wait of [11, 40]) {
    clock.advance(DAY_MS - (clock.now() % DAY_MS));
    days.push(clock.now() / QUARTER_MS);
    await history.play({ what: { do: 'write', customer: 0, number: 0 }, after: 1 });
    await history.play({ what: { do: 'reply', which: 0, by: 0 }, after: wait });
    await history.play({ what: { do: 'resolve', which: 0, by: 0 }, after: 1 });
  }
  while ((await rollUpTenant(database.db, history.tenantId)) > 0);
  return { tenantId: history.tenantId, days: days as [number, number] };
}

async function spoil(tenantId: TenantId, text: string): Promise<void> {
  const { rowCount } = await database.db.run({ name: `test ${text}`.slice(0, 60), text }, [tenantId]);
  expect(rowCount).toBeGreaterThan(0);
}

test('a check names each sum and each histogram of conversations that is not what the events say', async () => {
  const { tenantId, days } = await playTwoDays();
  const [first, second] = days;
  const sound = await check(tenantId);
  expect(sound.drifts).toEqual([]);
  await spoil(
    tenantId,
    `update analytics_conversation_days set opened = 3 where tenant_id = $1 and dimension = 'all' and quarter = ${first}`,
  );
  await spoil(
    tenantId,
    `update analytics_durations set first_response = '[]' where tenant_id = $1 and dimension = 'number' and span = 96
      and quarter = ${first}`,
  );
  await spoil(
    tenantId,
    `update analytics_durations set reply = '[5,1]' where tenant_id = $1 and dimension = 'all' and span = 96
      and quarter = ${second}`,
  );
  await spoil(
    tenantId,
    `delete from analytics_conversation_days where tenant_id = $1 and dimension = 'number' and quarter = ${second}`,
  );
  const { checked, drifts } = await check(tenantId);
  expect(checked).toBe(sound.checked);
  const ofNumber = { dimension: 'number', key: expect.any(String), quarter: second, sum: 0, facts: 1 };
  expect(drifts).toHaveLength(6);
  expect(drifts).toEqual(
    expect.arrayContaining([
      { dimension: 'all', key: '', quarter: first, measure: 'opened', sum: 3, facts: 1 },
      { dimension: 'number', key: expect.any(String), quarter: first, measure: 'first_response', sum: 0, facts: 1 },
      { dimension: 'all', key: '', quarter: second, measure: 'reply', sum: '[5,1]', facts: '[82,1]' },
      ...['reopened', 'replies', 'resolved'].map((measure) => ({ ...ofNumber, measure })),
    ]),
  );
});

test('a check leaves out the days of conversations of which events are not kept any more', async () => {
  const { tenantId, days } = await playTwoDays();
  const [first, second] = days;
  const opened = first * QUARTER_MS + 60_000;
  await spoil(tenantId, `delete from event_pages where tenant_id = $1 and recorded_ms <= ${opened}`);
  const { sinceMs, checked, drifts } = await check(tenantId);
  expect([sinceMs, drifts]).toEqual([second * QUARTER_MS, []]);
  expect(checked).toBeGreaterThan(0);
});
