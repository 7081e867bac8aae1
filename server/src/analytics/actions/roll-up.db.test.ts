import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { readBreakdown, readFreshness, readTotals } from '#analytics/store/analytics-reads';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { queueState } from '#core/queue-state';
import { emitChanges, withEvents } from '#events/actions/with-events';
import { type MessageCounts, type MessageDimension, NO_COUNTS } from '#events/domain/message-sums';
import { readEvents } from '#events/store/events';
import { storeInbound } from '#inbound/actions/store-inbound';
import type { NewMessage } from '#messages/domain/message';
import { insertAcceptedBatch } from '#messages/store/accept-batch';
import { settleOthers, settleSent } from '#messages/store/settle-batch';
import { applyStatuses, takeStatuses } from '#messages/store/status-batch';
import { AUTHORS, expectAuthors } from '#testing/author-sums';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { cases } from '#testing/depth';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { checkAnalytics } from './check-analytics.ts';
import { rollUpTenant } from './roll-up.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const EVER = { startMs: 0, endMs: 4_102_444_800_000 };
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

const NUMBERS = ['700', '701'] as PhoneNumberId[];
const CUSTOMERS = ['15550002221', '15550002222', '15550002223'];
const error = { code: 'recipient_unreachable', message: 'x', networkCode: 131026, retryable: false } as const;
const NOTHING = { sentMs: null, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
const TIMES = {
  sent: { sentMs: 3 },
  delivered: { deliveredMs: 4, pricing: '{"category":"utility","billable":true,"model":"PMP"}' },
  read: { readMs: 5 },
  failed: { failedMs: 6, error },
} as const;

interface Sent {
  readonly messageId: MessageId;
  readonly phoneNumberId: PhoneNumberId;
}

/** One step of a history: a message accepted, a change of an earlier one, or a customer who writes. */
const steps = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      number: fc.nat(1),
      customer: fc.nat(2),
      kind: fc.nat(3),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['answer', 'refuse', 'sent', 'delivered', 'read', 'failed'] as const)),
      which: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('inbound' as const),
      number: fc.nat(1),
      customer: fc.nat(2),
      quotes: fc.option(fc.nat(9)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('roll_up' as const) }) },
  // So that some answers come too late to be answers.
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 300_000_000 }) }),
  },
);
type StepOf = typeof steps extends fc.Arbitrary<infer S> ? S : never;

class History {
  readonly #tenantId: TenantId;
  readonly #sent: Sent[] = [];
  #names = 0;
  #statuses = 0;

  constructor(tenantId: TenantId) {
    this.#tenantId = tenantId;
  }

  async play(step: StepOf): Promise<void> {
    clock.advance(step.do === 'wait' ? step.ms : 1);
    if (step.do === 'wait') return;
    if (step.do === 'roll_up') return void (await rollUpTenant(database.db, this.#tenantId));
    if (step.do === 'accept') return this.#accept(step);
    if (step.do === 'inbound') return this.#inbound(step);
    const sent = this.#sent[step.which];
    if (sent) await this.#addStatus(sent, step.do);
  }

  async #accept(step: StepOf & { do: 'accept' }): Promise<void> {
    await insertAcceptedBatch(database.db, [{ idempotency: null, message: this.#message(step) }]);
  }

  /** Accepted together: they are recorded on one page. */
  async acceptTogether(steps: readonly (StepOf & { do: 'accept' })[]): Promise<void> {
    const rows = steps.map((step) => ({ idempotency: null, message: this.#message(step) }));
    await insertAcceptedBatch(database.db, rows);
  }

  #message({ number, customer, kind }: StepOf & { do: 'accept' }): NewMessage {
    const sent = { messageId: rt.newId<MessageId>(), phoneNumberId: NUMBERS[number] ?? ('' as PhoneNumberId) };
    const text = { type: 'text', body: 'x', previewUrl: false } as const;
    const template = { type: 'template', template: { name: `t${kind}`, language: 'en' } } as const;
    const empty = { clientRef: null, replyTo: null, resendOf: null, author: AUTHORS[kind] ?? null, sendAtMs: null };
    this.#sent.push(sent);
    return {
      ...sent,
      ...empty,
      tenantId: this.#tenantId,
      content: kind < 2 ? text : (template as never),
      campaignName: kind % 2 === 0 ? null : `c${kind}`,
      to: CUSTOMERS[customer] ?? '',
      priority: 'normal',
      expiresMs: 9e12,
      createdMs: rt.clock.now(),
    };
  }

  async #inbound({ number, customer, quotes }: StepOf & { do: 'inbound' }): Promise<void> {
    const quoted = quotes === null ? undefined : this.#sent[quotes];
    this.#names += 1;
    const item = {
      kind: 'inbound',
      phoneNumberId: NUMBERS[number] ?? '',
      networkMessageId: `in.${this.#tenantId}.${this.#names}`,
      from: CUSTOMERS[customer] ?? '',
      userId: null,
      profileName: null,
      username: null,
      type: 'text',
      body: 'hi',
      content: {},
      context: quoted ? { quoted: { id: `w.${quoted.messageId}`, from: null } } : null,
      ...{ groupId: null, opensWindow: true, referral: null },
      at: rt.clock.now(),
    } as const;
    const inbound = [{ tenantId: this.#tenantId, item: item as never }];
    await withEvents(rt, database.db, (tx, events) => storeInbound(rt, tx, { inbound, events, nowMs: rt.clock.now() }));
  }

  async #addStatus({ messageId, phoneNumberId }: Sent, what: 'answer' | 'refuse' | keyof typeof TIMES): Promise<void> {
    const ids = { tenantId: this.#tenantId, messageId };
    const networkMessageId = `w.${messageId}`;
    if (what === 'answer') {
      await settleSent(database.db, [{ ...ids, networkMessageId, attempt: 1, acceptedMs: 2 }], rt.clock.now());
      return;
    }
    await withEvents(rt, database.db, async (tx, events) => {
      if (what === 'refuse') {
        const trace = { atMs: 5, event: 'x', detail: 'x' };
        const common = { epoch: null, fromState: queueState.ready, attempt: 1, nowMs: 5, trace } as const;
        return emitChanges(
          events,
          await settleOthers(tx, [{ ...ids, ...common, settlement: { kind: 'failed', error } }]),
        );
      }
      const row = { ...ids, phoneNumberId, networkMessageId, attempt: 1, ...NOTHING, ...TIMES[what] };
      const batch = { rows: [row], nowMs: 9, reconciledTrace: '[]', batchId: rt.newId() };
      // As callbacks with nothing but statuses are taken, and as others are.
      this.#statuses += 1;
      if (this.#statuses % 2 === 0) return void (await takeStatuses(tx, batch));
      return emitChanges(events, (await applyStatuses(tx, batch)).news);
    });
  }
}

const RECOUNTED = `
select count(*)::integer as accepted,
  count(*) filter (where coalesce(accepted_ms, sent_ms, delivered_ms, read_ms) is not null)::integer as sent,
  count(*) filter (where coalesce(delivered_ms, read_ms) is not null)::integer as delivered,
  count(*) filter (where read_ms is not null)::integer as read,
  count(*) filter (where status = 'failed')::integer as failed,
  count(*) filter (where message_id = any($2::uuid[]))::integer as replied
from outbound_messages where tenant_id = $1`;

const MESSAGES = {
  name: 'recount_messages',
  text: `select message_id, to_phone, phone_number_id, created_ms from outbound_messages where tenant_id = $1`,
};
const ANSWERS = {
  name: 'recount_answers',
  text: `select sender, phone_number_id, reply_to, created_ms from inbound_messages where tenant_id = $1`,
};
const THREE_DAYS_MS = 259_200_000;

interface Outbound {
  readonly message_id: string;
  readonly to_phone: string;
  readonly phone_number_id: string;
  readonly created_ms: number;
}

interface Inbound {
  readonly sender: string;
  readonly phone_number_id: string;
  readonly reply_to: string | null;
  readonly created_ms: number;
}

/**
 * Which messages were answered, from both tables: the quoted one, otherwise the newest that this customer had got from
 * this number by then, if it was not older than three days.
 */
async function answered(tenantId: TenantId): Promise<readonly string[]> {
  const { rows: messages } = await database.db.run<Outbound>(MESSAGES, [tenantId]);
  const { rows: answers } = await database.db.run<Inbound>(ANSWERS, [tenantId]);
  const found = answers.map((answer) => {
    if (answer.reply_to !== null) return answer.reply_to;
    const earlier = messages
      .filter((one) => one.to_phone === answer.sender && one.phone_number_id === answer.phone_number_id)
      .filter(({ created_ms: ms }) => ms <= answer.created_ms && ms >= answer.created_ms - THREE_DAYS_MS);
    return earlier.toSorted((left, right) => right.created_ms - left.created_ms)[0]?.message_id ?? null;
  });
  return [...new Set(found.filter((id) => id !== null))];
}

/** The same figures from the messages themselves. */
async function recount(
  tenantId: TenantId,
  column: string | null,
): Promise<Map<string, Omit<MessageCounts, 'received'>>> {
  const text =
    column === null
      ? RECOUNTED
      : `${RECOUNTED.replace('select', `select ${column} as key,`)} and ${column} is not null group by 1`;
  const { rows } = await database.db.run<MessageCounts & { key?: string }>(
    { name: `recount_${column?.length}`, text },
    [tenantId, await answered(tenantId)],
  );
  return new Map(rows.map(({ key, ...counts }) => [key ?? '', counts]));
}

const COLUMNS: Readonly<Partial<Record<MessageDimension, string>>> = {
  number: 'phone_number_id',
  type: 'type',
  campaign: 'campaign_name',
  template: "(case when type = 'template' then content ->> 'name' end)",
};

const sumsOf = (table: string, day: string): string => `
  select dimension, key, ${day} as day, sum(accepted) as accepted, sum(sent) as sent, sum(delivered) as delivered, sum(read) as read,
    sum(failed) as failed, sum(replied) as replied, sum(received) as received
  from ${table} where tenant_id = $1 group by 1, 2, 3`;
const STRAY_SUMS = {
  name: 'stray_sums',
  text: `with quarters as (${sumsOf('analytics_messages', 'quarter / 96 * 96')}), days as (${sumsOf('analytics_message_days', 'quarter')})
    (select * from quarters except select * from days) union all (select * from days except select * from quarters)`,
};

async function expectDaysAreQuarters(tenantId: TenantId): Promise<void> {
  expect((await database.db.run(STRAY_SUMS, [tenantId])).rows).toEqual([]);
}

/** Events say what a message cost and why it failed: each of them counts once, under what it says. */
async function expectRecordedSums(tenantId: TenantId): Promise<void> {
  const types = ['message.delivered', 'message.read', 'message.failed'] as const;
  const events = await readEvents(database.db, { tenantId, after: 0, types: [...types], limit: 1_000 });
  const recorded = { category: new Map<string, MessageCounts>(), error: new Map<string, MessageCounts>() };
  const count = (dimension: 'category' | 'error', key: unknown, measure: 'delivered' | 'read' | 'failed') => {
    if (typeof key !== 'string') return;
    const counts = recorded[dimension].get(key) ?? NO_COUNTS;
    recorded[dimension].set(key, { ...counts, [measure]: counts[measure] + 1 });
  };
  for (const { type, data } of events) {
    const { pricing, error: failure } = data as { pricing?: JsonObject | null; error?: JsonObject | null };
    if (type === 'message.failed') count('error', failure?.code, 'failed');
    else count('category', pricing?.category, type === 'message.read' ? 'read' : 'delivered');
  }
  for (const dimension of ['category', 'error'] as const) {
    const rows = await readBreakdown(database.db, { tenantId, dimension, period: EVER, limit: 100 });
    expect([dimension, Object.fromEntries(rows.map(({ key, counts }) => [key, counts]))]).toEqual([
      dimension,
      Object.fromEntries(recorded[dimension]),
    ]);
    seenRecorded[dimension] += rows.length;
  }
}

/** So that the comparison above is about something. */
const seenRecorded = { category: 0, error: 0 };

async function expectSumsAreFacts(tenantId: TenantId): Promise<void> {
  while ((await rollUpTenant(database.db, tenantId)) > 0);
  const scope = { dimension: 'all', key: '' } as const;
  const { received, ...outbound } = await readTotals(database.db, { tenantId, scope, period: EVER });
  expect(outbound).toEqual((await recount(tenantId, null)).get(''));
  await expectDaysAreQuarters(tenantId);
  const inbound = {
    name: 'recount_inbound',
    text: 'select count(*)::integer as n from inbound_messages where tenant_id = $1',
  };
  expect([{ n: received }]).toEqual((await database.db.run(inbound, [tenantId])).rows);
  for (const [dimension, column] of Object.entries(COLUMNS)) {
    const facts = await recount(tenantId, column);
    const query = { tenantId, dimension: dimension as MessageDimension, period: EVER, limit: 100 };
    for (const { key, counts } of await readBreakdown(database.db, query)) {
      const { received: _received, ...sums } = counts;
      expect([key, sums]).toEqual([
        key,
        facts.get(key) ?? { accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0, replied: 0 },
      ]);
      facts.delete(key);
    }
    expect([...facts]).toEqual([]);
  }
  await expectRecordedSums(tenantId);
  await expectAuthors(database.db, tenantId);
  expect(await readFreshness(database.db, tenantId)).toMatchObject({ complete: true });
  expect(await checkAnalytics(rt, database.db, { tenantId, days: 366 })).toMatchObject({ complete: true, drifts: [] });
}

/** So that each history has a category and an error to add up: a message that is delivered, and one that is refused. */
const BEGINNING: readonly StepOf[] = [
  { do: 'accept', number: 0, customer: 0, kind: 0 },
  { do: 'delivered', which: 0 },
  { do: 'accept', number: 1, customer: 1, kind: 1 },
  { do: 'refuse', which: 1 },
];

test('the sums are what the messages say, whatever happened and whenever they were added up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (history) => {
      const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
      const player = new History(tenantId);
      for (const step of [...BEGINNING, ...history]) await player.play(step);
      await expectSumsAreFacts(tenantId);
    }),
    { numRuns: cases(12) },
  );
  expect(Math.min(seenRecorded.category, seenRecorded.error)).toBeGreaterThan(0);
});

test('a check reports each sum that is not what the messages say, with both figures', async () => {
  const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
  const player = new History(tenantId);
  for (let n = 0; n < 4; n++) await player.play({ do: 'accept', number: 0, customer: n % 3, kind: 0 });
  await player.play({ do: 'inbound', number: 1, customer: 0, quotes: null });
  const check = () => checkAnalytics(rt, database.db, { tenantId, days: 1 });
  expect(await check()).toMatchObject({ complete: true, checked: 4, drifts: [] });
  const spoil =
    "update analytics_message_days set accepted = 5 where tenant_id = $1 and dimension = 'number' and key = '700'";
  await database.db.run({ name: 'test_spoil', text: spoil }, [tenantId]);
  const lose = "delete from analytics_message_days where tenant_id = $1 and dimension = 'number' and key = '701'";
  await database.db.run({ name: 'test_lose', text: lose }, [tenantId]);
  const { checked, drifts } = await check();
  expect([checked, drifts]).toEqual([
    4,
    [
      expect.objectContaining({
        dimension: 'number',
        key: '700',
        sums: [5, 0, 0, 0, 0, 0, 0],
        facts: [4, 0, 0, 0, 0, 0, 0],
      }),
      expect.objectContaining({
        dimension: 'number',
        key: '701',
        sums: [0, 0, 0, 0, 0, 0, 0],
        facts: [0, 0, 0, 0, 0, 0, 1],
      }),
    ],
  ]);
});

test('two processes that add up the same tenant concurrently count each event once', async () => {
  const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
  const player = new History(tenantId);
  for (let n = 0; n < 20; n++) await player.play({ do: 'accept', number: n % 2, customer: n % 3, kind: n % 4 });
  await Promise.all([1, 2, 3, 4].map(() => rollUpTenant(database.db, tenantId)));
  await expectSumsAreFacts(tenantId);
});

test('messages that were accepted together count each, also when the sums had stopped among them', async () => {
  const tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
  const player = new History(tenantId);
  const kinds = [0, 1, 2, 3, 3, 2, 2, 0];
  await player.acceptTogether(kinds.map((kind, n) => ({ do: 'accept', number: n % 2, customer: 0, kind })));
  await expectSumsAreFacts(tenantId);
  const back = 'update analytics_cursors set last_seq = 5 where tenant_id = $1';
  await database.db.run({ name: 'back', text: back }, [tenantId]);
  expect(await rollUpTenant(database.db, tenantId)).toBe(3);
  const scope = { dimension: 'all', key: '' } as const;
  expect(await readTotals(database.db, { tenantId, scope, period: EVER })).toMatchObject({ accepted: 8 + 3 });
});
