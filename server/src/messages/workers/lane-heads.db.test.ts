import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import type { DispatcherId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { type Candidate, findCandidates } from '#messages/store/send-queue';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { FULL_READ_MS, LaneHeads, MARGIN_MS } from './lane-heads.ts';

const NUMBERS = ['7000' as PhoneNumberId, '7001' as PhoneNumberId] as const;
const LIMIT = 4;
const HOUR_MS = 3_600_000;
const clock = new TestClock();
const rt = testRuntime({}, clock);
const owner = rt.newId<DispatcherId>();
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  const numbers = 'select $1::uuid, unnest($2::text[])';
  await run(
    'numbers',
    `insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms) ${numbers}, '1', 1`,
    [NUMBERS],
  );
  await run('lanes', `insert into lane_owners (tenant_id, lane_id, owner_id, epoch) ${numbers}, $3::uuid, 1`, [
    NUMBERS,
    owner,
  ]);
});
afterAll(() => database.drop());

async function run(name: string, text: string, parameters: readonly unknown[] = []): Promise<void> {
  await database.db.run({ name: `test_heads_${name}`, text }, [tenantId, ...parameters]);
}

/** Both lanes are open and nothing waits. */
async function startAnew(): Promise<void> {
  await run('empty', 'delete from send_queue where tenant_id = $1');
  for (const lane of [0, 1]) await pause(lane, false);
}

const lanes = () => NUMBERS.map((phoneNumberId) => ({ tenantId, phoneNumberId }));
const idsOf = (found: readonly Candidate[]) => found.map(({ messageId }) => messageId);

async function queue(lane: number, priority: number, dueMs: number): Promise<MessageId> {
  const messageId = rt.newId<MessageId>();
  const columns = 'tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone';
  const values = [messageId, NUMBERS[lane], priority, dueMs, dueMs + HOUR_MS];
  await run('queue', `insert into send_queue (${columns}) values ($1, $2, $3, $4, $5, $6, '447700900123')`, values);
  return messageId;
}

const lane = fc.nat({ max: 1 });
const place = fc.nat({ max: 7 });
const ms = (max: number) => fc.nat({ max });
const step = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), lane, priority: fc.nat({ max: 2 }), lateMs: ms(MARGIN_MS) }),
  fc.record({ kind: fc.constant('schedule' as const), lane, inMs: ms(2 * MARGIN_MS) }),
  fc.record({ kind: fc.constant('take' as const), place }),
  fc.record({ kind: fc.constant('end' as const), place, as: fc.constantFrom('sent', 'put back', 'retried') }),
  fc.record({ kind: fc.constant('pause' as const), lane, paused: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), forMs: ms(2 * FULL_READ_MS) }),
  fc.record({ kind: fc.constant('look' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A dispatcher in small: it reads, takes what it found, and ends what it took. */
class World {
  readonly #heads = new LaneHeads(rt, database.db, owner);
  #found: readonly Candidate[] = [];
  readonly #taken: Candidate[] = [];

  async take(step: Step): Promise<void> {
    if (step.kind === 'post') await queue(step.lane, step.priority, clock.now() - step.lateMs);
    if (step.kind === 'schedule') await queue(step.lane, 1, clock.now() + step.inMs);
    if (step.kind === 'wait') clock.advance(step.forMs);
    if (step.kind === 'take') await this.#takeUp(this.#found[step.place]);
    if (step.kind === 'end') await this.#end(step.as, this.#taken.splice(step.place, 1)[0]);
    if (step.kind === 'pause') await pause(step.lane, step.paused);
    if (step.kind === 'look') await this.look();
  }

  /** Finds the same as a read from the start. */
  async look(): Promise<void> {
    this.#found = await this.#heads.find(lanes(), LIMIT);
    const query = { owner, lanes: lanes(), nowMs: clock.now(), limit: LIMIT };
    const all = await findCandidates(database.db, query);
    expect(idsOf(this.#found)).toEqual(idsOf(all));
  }

  async #takeUp(one: Candidate | undefined): Promise<void> {
    if (one === undefined || this.#taken.includes(one)) return;
    await run('take', 'update send_queue set state = 1, epoch = 1 where tenant_id = $1 and message_id = $2', [
      one.messageId,
    ]);
    this.#taken.push(one);
  }

  async #end(as: string, one: Candidate | undefined): Promise<void> {
    if (one === undefined) return;
    const { messageId, dueMs } = one;
    const again = 'update send_queue set state = 0, epoch = null, due_ms = $3 where tenant_id = $1 and message_id = $2';
    if (as === 'sent')
      await run('sent', 'delete from send_queue where tenant_id = $1 and message_id = $2', [messageId]);
    else await run('again', again, [messageId, as === 'put back' ? dueMs : clock.now()]);
    this.#heads.mayBeBack(one);
  }
}

async function pause(lane: number, paused: boolean): Promise<void> {
  const phoneNumberId = NUMBERS[lane] ?? '';
  await setNumberPaused(database.db, { tenantId, phoneNumberId, pauseReason: paused ? 'A test.' : null });
}

test('after any sequence of late posts, put-backs, retries, schedules and pauses, a read finds what one from the start does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await startAnew();
      const world = new World();
      for (const step of steps) {
        await world.take(step);
        if (step.kind !== 'look') await world.look();
      }
    }),
    { numRuns: 40 },
  );
});

test('a message that is put back during a read is found by the next one', async () => {
  await startAnew();
  const heads = new LaneHeads(rt, database.db, owner);
  const old = await queue(0, 1, clock.now() - HOUR_MS);
  const [message] = await heads.find(lanes(), LIMIT);
  await run('hide', 'update send_queue set state = 1, epoch = 1 where tenant_id = $1');
  await queue(0, 1, clock.now());
  const looking = heads.find(lanes(), LIMIT);
  if (message !== undefined) heads.mayBeBack(message);
  expect(idsOf(await looking)).not.toContain(old);
  await run('show', 'update send_queue set state = 0, epoch = null where tenant_id = $1');
  expect(idsOf(await heads.find(lanes(), LIMIT))).toContain(old);
});

test('a message that is queued with a due time of long ago is found within five seconds', async () => {
  await startAnew();
  const heads = new LaneHeads(rt, database.db, owner);
  await queue(0, 1, clock.now());
  await heads.find(lanes(), LIMIT);
  const old = await queue(0, 1, clock.now() - HOUR_MS);
  clock.advance(FULL_READ_MS);
  expect(idsOf(await heads.find(lanes(), LIMIT))).toContain(old);
});

test('a lane that comes back is read from the start', async () => {
  await startAnew();
  const heads = new LaneHeads(rt, database.db, owner);
  await queue(0, 1, clock.now());
  await heads.find(lanes(), LIMIT);
  const old = await queue(0, 1, clock.now() - HOUR_MS);
  heads.forget([`${tenantId}/${NUMBERS[0]}`]);
  expect(idsOf(await heads.find(lanes(), LIMIT))).toContain(old);
});
