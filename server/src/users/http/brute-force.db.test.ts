import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { GOOD_PASSWORD, makePersonWithPassword, type TestPerson } from '#testing/test-people';
import { TestClock } from '#testing/test-runtime';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/* Failures are counted in the database: whichever process they reach, there are no more than the limit. */
const clock = new TestClock();
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock, isAlone: true });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());
/** Longer than anything is counted. */
beforeEach(() => clock.advance(16 * 60_000));

const PER_ACCOUNT = 10;
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

async function guess(person: TestPerson, times: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let count = 0; count < times; count += 1) answers.push(await person.enter(`a wrong guess ${count}`));
  return answers;
}

test('after ten failures, the right password is refused too, until 15 minutes after the first', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  expect(statusesOf(await guess(person, PER_ACCOUNT))).toEqual(Array(PER_ACCOUNT).fill(401));
  const refused = await person.enter(GOOD_PASSWORD);
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([429, null]);
  const waitS = Number(refused.headers.get('retry-after'));
  expect(waitS).toBeGreaterThan(14 * 60);
  clock.advance(waitS * 1_000);
  expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
});

test('an account that nobody has is refused in the same way', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  const enter = (email: string) =>
    person.ask('POST', '/v1/sessions', { method: 'password', email, password: 'a wrong guess here' });
  const seen: (readonly [number, string])[][] = [[], []];
  for (let count = 0; count < PER_ACCOUNT + 1; count += 1) {
    for (const [index, email] of [person.email, 'nobody-at-all@example.com'].entries()) {
      clock.advance(2_000);
      const { status, text } = await enter(email);
      seen[index]?.push([status, text]);
    }
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.at(-1)?.[0]).toBe(429);
});

test('a storm of attempts at the same moment gets no more of them than the limit', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  const answers = await Promise.all(Array.from({ length: 18 }, (_, n) => person.enter(`a wrong guess ${n}`)));
  expect(answers.filter(({ status }) => status === 401).length).toBe(PER_ACCOUNT);
  expect(answers.filter(({ status }) => status === 429).length).toBe(18 - PER_ACCOUNT);
});

test('signing in forgets the failures of the account, by password and by link', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  await guess(person, PER_ACCOUNT - 1);
  expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
  clock.advance(60_000);
  await guess(person, PER_ACCOUNT);
  expect((await person.enter(GOOD_PASSWORD)).status).toBe(429);
  clock.advance(10_000);
  expect((await person.signIn()).status).toBe(201);
  expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
});

test('fifty failures from one address are enough, whoever they were for', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  let failed = 0;
  let refused: Answer | null = null;
  while (refused === null) {
    // Slowly enough for the limit of the process, fast enough for the window of the database.
    clock.advance(2_000);
    const email = `somebody${failed}@example.com`;
    const answer = await person.ask('POST', '/v1/sessions', { method: 'password', email, password: 'a guess of mine' });
    if (answer.status === 401) failed += 1;
    else refused = answer;
  }
  expect([failed, refused.status, (await person.enter(GOOD_PASSWORD)).status]).toEqual([50, 429, 429]);
});

test('signing in often is no failure', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  for (let count = 0; count < 60; count += 1) {
    clock.advance(2_000);
    expect((await person.enter(GOOD_PASSWORD)).status).toBe(201);
  }
});

test('what was counted is removed when it no longer counts, and holds no address in clear', async () => {
  const person = await makePersonWithPassword(kit, tenant);
  await guess(person, 1);
  const stored = async () =>
    (
      await kit.service.db.run<{ subject: string }>(
        { name: 'test_attempts', text: 'select * from sign_in_attempts' },
        [],
      )
    ).rows;
  const rows = await stored();
  expect(rows.length).toBeGreaterThan(1);
  expect(JSON.stringify(rows)).not.toMatch(/example\.com|127\.0\.0\.1|::1/);
  clock.advance(16 * 60_000);
  await removeOldRows(kit.rt, kit.service.db);
  expect(await stored()).toEqual([]);
});
