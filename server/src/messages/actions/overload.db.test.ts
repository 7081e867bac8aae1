import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlRunner } from '#database/database';
import { TestClock } from '#testing/test-runtime';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const BATCH = 1_000;
/** One fills the statements in flight, one what may wait behind them. */
const BATCHES = 2;
const SURPLUS = 60;

const clock = new TestClock(Date.now());
let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api' }, clock });
});
afterAll(() => kit.close());

/** From now on statements that accept messages wait until they are released. */
function holdAccepts(): { readonly held: () => number; readonly release: () => void } {
  const { db } = kit.service;
  const run: SqlRunner['run'] = db.run;
  let held = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = () => {
      Object.assign(db, { run });
      resolve();
    };
  });
  const gated: SqlRunner['run'] = async (statement, parameters) => {
    if (statement.name === 'accept_batch') {
      held += 1;
      await released;
    }
    return run(statement, parameters);
  };
  Object.assign(db, { run: gated });
  return { held: () => held, release };
}

const post = ({ call }: TestTenant) => call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });
const postBatch = ({ call }: TestTenant) =>
  call('POST', '/v1/messages/batch', {
    messages: Array.from({ length: BATCH }, () => ({ to: freshPhone(), body: 'Hi' })),
  });

async function storedOf({ tenantId }: TestTenant): Promise<number> {
  const text = 'select count(*)::integer as count from outbound_messages where tenant_id = $1';
  const { rows } = await kit.service.db.run<{ count: number }>({ name: 'test_count', text }, [tenantId]);
  return rows[0]?.count ?? 0;
}

function expectOverloaded(answers: readonly Answer[]): void {
  for (const { status, headers, body } of answers) {
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'overloaded']);
  }
}

/** Posts, one after the other without waiting for answers, until one is refused. A burst is taken before that. */
async function postUntilRefused(tenant: TestTenant): Promise<readonly Promise<Answer>[]> {
  const posts: Promise<Answer>[] = [];
  let isRefused = false;
  const another = async (): Promise<boolean> => {
    clock.advance(100);
    const posted = post(tenant).then((answer) => {
      isRefused ||= answer.status === 503;
      return answer;
    });
    posts.push(posted);
    return isRefused;
  };
  await kit.until(another, Boolean, 'a refusal');
  return posts;
}

test('while the database stores nothing, what comes beyond the queue is refused immediately, and every 202 is stored', async () => {
  const [first, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  for (const tenant of [first, other]) expect((await post(tenant)).status).toBe(202);
  const gate = holdAccepts();
  let answered = 0;
  const waiting = Array.from({ length: BATCHES }, () =>
    postBatch(first).finally(() => {
      answered += 1;
    }),
  );
  await kit.until(
    async () => gate.held(),
    (held) => held === 2,
    'two statements in flight',
  );
  const early = await postUntilRefused(other);
  const surplus = Array.from({ length: SURPLUS }, (_, index) => post(index % 2 === 0 ? first : other));
  expectOverloaded(await Promise.all(surplus));
  expectOverloaded([await postBatch(other)]);
  expect(answered).toBe(0);
  gate.release();
  for (const { status, body } of await Promise.all(waiting)) {
    expect(status).toBe(200);
    expect(body.data.filter((item: Answer['body']) => item.status === 202)).toHaveLength(BATCH);
  }
  const stored = (await Promise.all(early)).filter(({ status }) => status === 202);
  expect(await storedOf(first)).toBe(1 + BATCHES * BATCH);
  expect(await storedOf(other)).toBe(1 + stored.length);
  expect((await post(first)).status).toBe(202);
});
