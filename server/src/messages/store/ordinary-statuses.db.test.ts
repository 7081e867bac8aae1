import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { MessageId, PhoneNumberId } from '#core/ids';
import type { DeliveryError } from '#messages/domain/message';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { insertAcceptedBatch } from './accept-batch.ts';
import { requeueDeadLetter } from './dead-letters.ts';
import { findMessage } from './message-reads.ts';
import { type Settlement, settleOthers, settleSent } from './settle-batch.ts';
import { takeAnyStatuses, takeStatuses } from './status-batch.ts';
import type { StatusRow } from './status-rows.ts';

/* Ordinary statuses have a statement of their own: it must do what the one for all statuses does, and leave what it cannot do. */

const rt = testRuntime();
const phoneNumberId = '700' as PhoneNumberId;
const RUNS = 20;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

const error: DeliveryError = { code: 'recipient_unreachable', message: 'x', networkCode: 131026, retryable: false };
const unknown: DeliveryError = { code: 'delivery_unknown', message: 'x', networkCode: null, retryable: true };
const trace = { atMs: 5, event: 'test', detail: 'x' };

/** What can happen to a message beside statuses. */
const MOVES = ['claim', 'sent', 'unknown', 'again', 'failed', 'requeued', 'past', 'queued besides'] as const;
type Move = (typeof MOVES)[number];
type Said = Omit<StatusRow, 'tenantId' | 'messageId' | 'phoneNumberId' | 'networkMessageId'>;
type Step = Move | readonly Said[];

const time = fc.option(fc.integer({ min: 2, max: 9 }), { freq: 2 });
const status: fc.Arbitrary<Said> = fc
  .record({
    attempt: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 6 }),
    sentMs: time,
    deliveredMs: time,
    readMs: time,
    failedMs: fc.constantFrom(null, null, null, 7),
    pricing: fc.constantFrom(null, '{"category": "utility", "billable": true}', '{"category": "marketing"}'),
  })
  .map((said) => ({ ...said, error: said.failedMs === null ? null : error }));
const step: fc.Arbitrary<Step> = fc.oneof(fc.constantFrom(...MOVES), fc.array(status, { minLength: 1, maxLength: 2 }));
const life: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 6 });

type Take = typeof takeStatuses;

/** A tenant with a message, whose statuses are taken in one of the two ways. */
async function makeWay(take: Take) {
  const { db } = database;
  const tenantId = await createTenant(rt, db, { name: 'Test', unknownResends: 1 });
  const messageId = rt.newId<MessageId>();
  const content = { type: 'text', body: 'x', previewUrl: false } as const;
  const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const times = { expiresMs: 9e12, createdMs: 1 };
  const to = '15550002222';
  const message = { tenantId, messageId, phoneNumberId, content, to, priority: 'normal', ...empty, ...times } as const;
  await insertAcceptedBatch(db, [{ idempotency: null, message }]);
  const run = (text: string) => db.run({ name: '', text: text.replaceAll('$id', `'${messageId}'`) }, []);
  const settle = (settlement: Settlement, fromState: 1 | 2 = 1) => {
    const row = { tenantId, messageId, epoch: fromState === 1 ? 1 : null, fromState, attempt: 1, nowMs: 5 };
    return db.transaction((tx) => settleOthers(tx, [{ ...row, settlement, trace }]));
  };
  const moves: Readonly<Record<Move, () => Promise<unknown>>> = {
    claim: () => run('update send_queue set state = 1, epoch = 1, attempts = attempts + 1 where message_id = $id'),
    sent: () => settleSent(db, [{ tenantId, messageId, networkMessageId: 'w1', attempt: 1, acceptedMs: 4 }], 6),
    unknown: () => settle({ kind: 'unknown', dueMs: 6 }),
    again: () => settle({ kind: 'again', dueMs: 7, possibleDuplicate: true, uncounted: false }, 2),
    failed: () => settle({ kind: 'failed', error: unknown }),
    requeued: () => requeueDeadLetter(db, { tenantId, messageId, nowMs: 8, trace: '[]' }),
    past: () => run('update outbound_messages set is_past = true where message_id = $id'),
    'queued besides': () =>
      run(`insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
        select tenant_id, message_id, phone_number_id, priority, 1, expires_ms, to_phone from outbound_messages
        where message_id = $id on conflict do nothing`),
  };
  const say = (one: Said, nowMs: number) => {
    const row = { ...one, tenantId, messageId, phoneNumberId, networkMessageId: `w${one.attempt ?? 1}` };
    return take(db, { rows: [row], nowMs, reconciledTrace: '[{"atMs": 9}]', batchId: messageId });
  };
  const statuses = async (said: readonly Said[]) => {
    for (const one of said) await say(one, 9);
  };
  const read = async (text: string) => (await db.run<{ row: object }>({ name: '', text }, [tenantId])).rows;
  return {
    tenantId,
    messageId,
    say,
    live: (one: Step) => (typeof one === 'string' ? moves[one]() : statuses(one)),
    /** All that is stored of the tenant, without what names it. */
    look: async () => ({
      message: await read(
        `select to_jsonb(m) - '{tenant_id,message_id}'::text[] as row from outbound_messages m where tenant_id = $1`,
      ),
      queue: await read(
        `select to_jsonb(q) - '{tenant_id,message_id}'::text[] as row from send_queue q where tenant_id = $1`,
      ),
      letters: await read(
        `select to_jsonb(d) - '{tenant_id,message_id}'::text[] as row from dead_letters d where tenant_id = $1`,
      ),
      counted: await read(
        `select to_jsonb(u) - '{tenant_id,slot}'::text[] as row from usage_counters u where tenant_id = $1 order by fact, name`,
      ),
      told: await read(
        `select to_jsonb(p) - '{tenant_id,message_ids,errors,sums}'::text[] || jsonb_build_object('sums', array(
          select s from jsonb_array_elements(p.sums::jsonb) s order by s::text)) as row from event_pages p where tenant_id = $1 order by last_seq`,
      ),
    }),
  };
}

/** Lives the same life twice, and compares after each step. */
async function compare(steps: readonly Step[]): Promise<void> {
  const [usual, thorough] = [await makeWay(takeStatuses), await makeWay(takeAnyStatuses)];
  for (const one of steps) {
    await usual.live(one);
    await thorough.live(one);
    expect(await usual.look(), JSON.stringify(steps)).toEqual(await thorough.look());
  }
}

const nothing = { sentMs: null, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
const price = '{"category": "utility", "billable": true}';
const firstWord: Said = { ...nothing, attempt: 1, sentMs: 5 };
const delivered: Said = { ...nothing, attempt: 1, deliveredMs: 6, pricing: price };
const seen: Said = { ...nothing, attempt: 1, readMs: 7, pricing: price };
const secondCopy: Said = { ...nothing, attempt: 2, deliveredMs: 6 };
const LIVES: Readonly<Record<string, readonly Step[]>> = {
  sent: ['claim', 'sent'],
  'sent again after a failure': ['claim', 'failed', 'requeued', 'claim', 'sent'],
  'reported before the answer': ['claim', [firstWord]],
};

test.each(
  Object.entries(LIVES),
)('a message that was %s, whatever happens next: statuses leave the same behind as by the statement that knows every case', async (_, before) => {
  for (const move of [[], ...MOVES.map((one) => [one])])
    for (const said of [
      [firstWord, delivered, seen],
      [seen, firstWord],
      [secondCopy, delivered],
    ])
      await compare([...before, ...move, said]);
});

test('the same holds for random lives', async () => {
  await fc.assert(fc.asyncProperty(life, compare), { numRuns: RUNS });
});

test('a message was last changed when its last status was learned, also when that said nothing new', async () => {
  const said = fc.array(status, { minLength: 1, maxLength: 6 });
  const check = async (take: Take, statuses: readonly Said[]) => {
    const { tenantId, messageId, live, say } = await makeWay(take);
    await live('claim');
    await live('sent');
    for (const [index, one] of statuses.entries()) {
      const nowMs = 100 + index;
      await say({ ...one, attempt: 1, sentMs: one.sentMs ?? 3 }, nowMs);
      const message = await findMessage(database.db, tenantId, messageId);
      expect(message, JSON.stringify(statuses)).toMatchObject({ updatedMs: nowMs });
    }
  };
  await fc.assert(fc.asyncProperty(fc.constantFrom(takeStatuses, takeAnyStatuses), said, check), { numRuns: RUNS });
});
