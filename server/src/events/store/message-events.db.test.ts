import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { queueState } from '#core/queue-state';
import type { SqlRunner } from '#database/database';
import { emitChanges, withEvents } from '#events/actions/with-events';
import type { StoredEvent } from '#events/domain/event';
import type { NewMessage } from '#messages/domain/message';
import { insertAcceptedBatch } from '#messages/store/accept-batch';
import { requeueDeadLetter } from '#messages/store/dead-letters';
import { settleOthers, settleSent } from '#messages/store/settle-batch';
import { applyStatuses, takeStatuses } from '#messages/store/status-batch';
import type { StatusRow } from '#messages/store/status-rows';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type ReadEvents, readEvents } from './events.ts';

/*
 * News of messages are told in two ways: by the statement that changes them, which keeps no more than what was new, and by the
 * transactions that change other things as well, which keep whole events. Who reads them must not see which it was.
 */

const rt = testRuntime();
const phoneNumberId = '700' as PhoneNumberId;
const error = { code: 'recipient_unreachable', message: 'x', networkCode: 131026, retryable: false } as const;
const other = { code: 'delivery_unknown', message: 'y', networkCode: null, retryable: true } as const;
const pricing = '{"category":"utility","billable":true,"model":"PMP"}';
const NOTHING = { sentMs: null, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
const WAYS = ['by the statement', 'by a transaction'] as const;
type Way = (typeof WAYS)[number];
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
});
afterAll(() => database.drop());

const text: NewMessage['content'] = { type: 'text', body: 'x', previewUrl: false };
const template = { type: 'template', template: { name: 'order_shipped', language: 'en' } } as never;

const REST = {
  replyTo: null,
  resendOf: null,
  author: null,
  sendAtMs: null,
  priority: 'normal',
  expiresMs: 9e12,
  createdMs: 1,
} as const;

/** A message of its own, of which is told in one way. */
class Subject {
  readonly messageId = rt.newId<MessageId>();
  readonly #way: Way;

  constructor(way: Way) {
    this.#way = way;
  }

  async accept(content: NewMessage['content']): Promise<void> {
    const { messageId } = this;
    const said = { campaignName: 'spring', clientRef: 'order 4711', to: '15550002222' };
    const message: NewMessage = { tenantId, messageId, content, phoneNumberId, ...said, ...REST };
    await insertAcceptedBatch(database.db, [{ idempotency: null, message }]);
  }

  async claim(): Promise<void> {
    const claim = 'update send_queue set state = 1, epoch = 1, attempts = attempts + 1 where message_id = $1';
    await this.run('test_claim', claim);
  }

  async answer(): Promise<void> {
    const row = {
      tenantId,
      messageId: this.messageId,
      networkMessageId: `w.${this.messageId}`,
      attempt: 1,
      acceptedMs: 2,
    };
    await settleSent(database.db, [row], 8);
  }

  async status(change: Partial<StatusRow>): Promise<void> {
    const { messageId } = this;
    const ids = { tenantId, messageId, phoneNumberId, networkMessageId: `w.${messageId}`, attempt: 1 };
    const batch = { rows: [{ ...ids, ...NOTHING, ...change }], nowMs: 9, reconciledTrace: '[]', batchId: rt.newId() };
    if (this.#way === 'by the statement') await takeStatuses(database.db, batch);
    else await withEvents(rt, database.db, async (tx, to) => emitChanges(to, (await applyStatuses(tx, batch)).news));
  }

  async refuse(): Promise<void> {
    const trace = { atMs: 5, event: 'refused', detail: 'x' };
    const known = {
      tenantId,
      messageId: this.messageId,
      epoch: 1,
      fromState: queueState.claimed,
      attempt: 1,
      nowMs: 5,
      trace,
    } as const;
    const settlement = { kind: 'failed', error: other } as const;
    await withEvents(rt, database.db, async (tx, to) =>
      emitChanges(to, await settleOthers(tx, [{ ...known, settlement }])),
    );
  }

  async requeue(): Promise<void> {
    const letter = { tenantId, messageId: this.messageId, nowMs: 100, trace: '[]' };
    expect(await requeueDeadLetter(database.db, letter)).toMatchObject({ status: 'queued', to: '15550002222' });
  }

  async link(): Promise<void> {
    const link =
      'update outbound_messages set conversation_id = message_id, contact_id = message_id where message_id = $1';
    await this.run('test_link', link);
  }

  async events(): Promise<readonly StoredEvent[]> {
    const all = await readEvents(database.db, { tenantId, after: 0, types: null, limit: 10_000 });
    return all.filter(({ data }) => data.id === this.messageId);
  }

  private async run(name: string, statement: string): Promise<void> {
    expect((await database.db.run({ name, text: statement }, [this.messageId])).rowCount).toBe(1);
  }
}

type Step = (subject: Subject) => Promise<void>;
const answered: Step = (subject) => subject.answer();
const sent: Step = (subject) => subject.status({ sentMs: 2 });
const delivered: Step = (subject) => subject.status({ deliveredMs: 3, pricing });
const read: Step = (subject) => subject.status({ readMs: 4 });
const failed: Step = (subject) => subject.status({ failedMs: 6, error });

const HISTORIES: Readonly<Record<string, readonly Step[]>> = {
  'was read': [answered, sent, delivered, read],
  'was read before its price was known': [answered, read, (subject) => subject.status({ deliveredMs: 3, pricing })],
  'told all at once': [(subject) => subject.status({ sentMs: 2, deliveredMs: 3, readMs: 4, pricing })],
  'failed after it was sent': [answered, sent, failed],
  'was delivered after it had failed': [answered, failed, delivered],
  'failed, was queued again and failed of something else': [
    failed,
    (one) => one.requeue(),
    (one) => one.claim(),
    (one) => one.refuse(),
  ],
  'got its conversation on the way': [answered, (subject) => subject.link(), delivered],
};

/** What an event tells, whosever it is. */
function reportedBy(subject: Subject, { type, data }: StoredEvent): JsonObject {
  const texts = JSON.stringify(data).replaceAll(subject.messageId, 'ID');
  return { type, data: JSON.parse(texts) as JsonObject };
}

test.each(
  Object.entries(HISTORIES),
)('a message that %s is told of alike by its statement and by a transaction', async (_name, steps) => {
  for (const content of [text, template]) {
    const told = [];
    for (const way of WAYS) {
      const subject = new Subject(way);
      await subject.accept(content);
      await subject.claim();
      for (const step of steps) await step(subject);
      const events = await subject.events();
      // Accepted, it is told of by what it is now; what it was when news came is kept.
      told.push(events.filter(({ type }) => type !== 'message.queued').map((event) => reportedBy(subject, event)));
    }
    expect(told[0]?.length).toBeGreaterThan(0);
    expect(told[0]).toEqual(told[1]);
  }
});

test.each(WAYS)('an event that was told %s reads the same whatever becomes of its message later', async (way) => {
  for (const steps of Object.values(HISTORIES)) {
    const subject = new Subject(way);
    await subject.accept(template);
    await subject.claim();
    let before: readonly StoredEvent[] = [];
    for (const step of steps) {
      await step(subject);
      const now = (await subject.events()).filter(({ type }) => type !== 'message.queued');
      expect(now.slice(0, before.length)).toEqual(before);
      before = now;
    }
    expect(before.length).toBeGreaterThan(0);
  }
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((one, index) => permutations(list.filter((_, at) => at !== index)).map((rest) => [one, ...rest]));
}

test.each(
  WAYS,
)('the stages of a message are each told once and in order %s, whatever is learned first and how often', async (way) => {
  for (const order of permutations([answered, sent, delivered, read])) {
    const subject = new Subject(way);
    await subject.accept(text);
    await subject.claim();
    for (const step of [...order, ...order]) await step(subject);
    const types = (await subject.events()).map(({ type }) => type);
    expect(types).toEqual(['message.queued', 'message.sent', 'message.delivered', 'message.read']);
  }
});

test('the news of a requeued message are those of a new life', async () => {
  const subject = new Subject('by the statement');
  await subject.accept(text);
  await subject.claim();
  await subject.refuse();
  await subject.requeue();
  await subject.claim();
  await subject.answer();
  expect((await subject.events()).slice(-2)).toMatchObject([
    { type: 'message.failed', data: { status: 'failed', error: { code: 'delivery_unknown' } } },
    { type: 'message.sent', data: { status: 'sent', at: '1970-01-01T00:00:00.002Z', pricing: null } },
  ]);
});

/** How many events the database makes to answer. */
async function builtFor(wish: ReadEvents): Promise<number> {
  let built = 0;
  const run: SqlRunner['run'] = async (statement, parameters) => {
    const result = await database.db.run<never>(statement, parameters);
    for (const { told } of result.rows as readonly { readonly told: readonly unknown[] }[]) built += told.length;
    return result;
  };
  expect(await readEvents({ run }, wish)).toHaveLength(wish.limit);
  return built;
}

test('a batch of messages of several tenants is a page for each, read in any portion and by types, and no more of it than is wanted', async () => {
  const others = await Promise.all(
    [1, 2].map(() => createTenant(rt, database.db, { name: 'Test', unknownResends: 1 })),
  );
  const rows = Array.from({ length: 60 }, (_, n) => {
    const owner = others[n % 2] as TenantId;
    return { tenantId: owner, messageId: rt.newId<MessageId>(), phoneNumberId, networkMessageId: `w.${n}`, attempt: 1 };
  });
  const said = { campaignName: null, clientRef: null, to: '15550002222', content: text };
  const accepted = rows.map((row): NewMessage => ({ ...row, ...said, ...REST }));
  await insertAcceptedBatch(
    database.db,
    accepted.map((message) => ({ idempotency: null, message })),
  );
  const times = { ...NOTHING, sentMs: 2, deliveredMs: 3, readMs: 4 };
  const batch = {
    rows: rows.map((row) => ({ ...row, ...times })),
    nowMs: 9,
    reconciledTrace: '[]',
    batchId: rt.newId(),
  };
  expect((await takeStatuses(database.db, batch)).told).toEqual(new Set(others));
  for (const owner of others) {
    const own = rows.filter((row) => row.tenantId === owner).map((row) => row.messageId);
    const all = await readEvents(database.db, { tenantId: owner, after: 0, types: null, limit: 1_000 });
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter(({ type }) => type === 'message.read').map(({ data }) => data.id)).toEqual(own.toSorted());
    for (const portion of [1, 7, 50]) {
      const seen: StoredEvent[] = [];
      for (;;) {
        const after = seen.at(-1)?.sequence ?? 0;
        const next = await readEvents(database.db, { tenantId: owner, after, types: null, limit: portion });
        if (next.length === 0) break;
        expect(next.length).toBeLessThanOrEqual(portion);
        seen.push(...next);
      }
      expect(seen).toEqual(all);
    }
    expect(await builtFor({ tenantId: owner, after: 40, types: null, limit: 7 })).toBe(7);
    expect(await builtFor({ tenantId: owner, after: 40, types: ['message.read'], limit: 7 })).toBe(7);
    const types = ['message.delivered', 'message.queued'] as const;
    const some = await readEvents(database.db, { tenantId: owner, after: 20, types: [...types], limit: 25 });
    expect(some).toEqual(
      all.filter(({ sequence, type }) => sequence > 20 && types.some((one) => one === type)).slice(0, 25),
    );
  }
});
