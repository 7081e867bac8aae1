import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let phone: string;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0 });
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  phone = freshPhone();
  await kit.simulate('PUT', '/_sim/failures', {});
});
afterAll(() => kit.close());

async function ask(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await tenant.call(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

const writes = async (from = phone): Promise<{ readonly queued: number }> =>
  (await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' })).body;
const find = async (number = phone): Promise<Answer['body']> =>
  (await ask('GET', `/v1/contacts?phone=${number}`)).data[0];

/** A contact who has written. */
async function customer(number = phone): Promise<string> {
  await writes(number);
  return (
    await kit.until(
      () => find(number),
      (contact) => contact !== undefined,
      'the customer is a contact',
    )
  ).id;
}

/** The block of a contact at the network, once it is in this state. */
async function untilBlock(id: string, state: string): Promise<Answer['body']> {
  const read = async () => (await ask('GET', `/v1/contacts/${id}`)).network_block;
  const has = (blocks: Answer['body']) => blocks.some((block: Answer['body']) => block.state === state);
  return kit.until(read, has, `the block is ${state}`);
}

const blockedAt = (number: string) => ask('GET', `/v1/phone-numbers/${number}/blocked-users`);
const eventsOf = async (id: string) =>
  (await ask('GET', '/v1/events?types=contact.network_block_changed')).data
    .map(({ data }: Answer['body']) => data)
    .filter((data: Answer['body']) => data.id === id)
    .map(({ network_block: { state, code } }: Answer['body']) => [state, code]);

describe('a contact that is blocked', () => {
  test('is blocked at the network, where her messages end, and is unblocked there too', async () => {
    const id = await customer();
    await ask('POST', `/v1/contacts/${id}/block`);
    expect(await untilBlock(id, 'blocked')).toEqual([
      {
        phone_number_id: tenant.phoneNumberId,
        recipient: phone,
        state: 'blocked',
        code: null,
        reason: null,
        changed_at: expect.any(String),
      },
    ]);
    expect((await blockedAt(tenant.phoneNumberId)).data).toEqual([{ phone, user_id: null }]);
    expect((await writes()).queued).toBe(0);
    await ask('POST', `/v1/contacts/${id}/unblock`);
    await untilBlock(id, 'not_blocked');
    expect((await writes()).queued).toBe(1);
    expect(await eventsOf(id)).toEqual([
      ['blocked', null],
      ['not_blocked', null],
    ]);
  });

  test('is refused with the reason when she has not written for a day, and is blocked once she writes', async () => {
    const id = await customer();
    await kit.simulate('PUT', '/_sim/failures', { block_users: { code: 131047 } });
    await ask('POST', `/v1/contacts/${id}/block`);
    const [refused] = await untilBlock(id, 'refused');
    expect(refused).toMatchObject({ code: 131047, reason: expect.stringContaining('24 hours') });
    await writes();
    await untilBlock(id, 'blocked');
    expect((await writes()).queued).toBe(0);
    expect(await eventsOf(id)).toEqual([
      ['refused', 131047],
      ['blocked', null],
    ]);
  });

  test.each([
    ['its list is being changed', { block_users: { times: 2, code: 139102 } }],
    ['it fails', { block_users: { times: 2, code: 131000 } }],
    ['the connection breaks', { block_users: { times: 2, fault: 'cut' } }],
  ])('is blocked at the network all the same when %s for a while', async (_label, failures) => {
    const id = await customer();
    await kit.simulate('PUT', '/_sim/failures', failures);
    await ask('POST', `/v1/contacts/${id}/block`);
    await untilBlock(id, 'blocked');
    expect(await eventsOf(id)).toEqual([['blocked', null]]);
  });

  test('is shown as refused, with code and sentence, when the list of the number is full', async () => {
    const id = await customer();
    await kit.simulate('PUT', '/_sim/failures', { block_users: { code: 139101 } });
    await ask('POST', `/v1/contacts/${id}/block`);
    const [refused] = await untilBlock(id, 'refused');
    expect(refused).toMatchObject({ code: 139101, reason: expect.stringMatching(/Unblock others first\.$/) });
    expect((await blockedAt(tenant.phoneNumberId)).data).toEqual([]);
  });

  test('keeps the block of the one that is merged into it, at the network as well', async () => {
    const other = freshPhone();
    const [id, merged] = [await customer(), await customer(other)];
    await ask('POST', `/v1/contacts/${id}/block`);
    await untilBlock(id, 'blocked');
    await ask('POST', `/v1/contacts/${id}/merge`, { contact_id: merged });
    const users = async () => (await blockedAt(tenant.phoneNumberId)).data.map((user: Answer['body']) => user.phone);
    await kit.until(users, (names) => names.length === 2, 'both numbers are blocked');
    await ask('POST', `/v1/contacts/${id}/unblock`);
    await kit.until(users, (names) => names.length === 0, 'neither is blocked');
  });

  test('stays blocked at the network when she is erased, and nothing of her is told any more', async () => {
    const id = await customer();
    await ask('POST', `/v1/contacts/${id}/block`);
    await untilBlock(id, 'blocked');
    await ask('DELETE', `/v1/contacts/${id}`);
    expect((await blockedAt(tenant.phoneNumberId)).data).toEqual([{ phone, user_id: null }]);
  });
});

describe('the blocked users of a number', () => {
  test('have pages, and only those of this number', async () => {
    const people = [freshPhone(), freshPhone(), freshPhone()];
    for (const one of people) {
      const id = await customer(one);
      await ask('POST', `/v1/contacts/${id}/block`);
      await untilBlock(id, 'blocked');
    }
    const path = `/v1/phone-numbers/${tenant.phoneNumberId}/blocked-users`;
    const seen: string[] = [];
    for (let next: string | null = `${path}?limit=2`; next !== null; ) {
      const page = await ask('GET', next);
      seen.push(...page.data.map((user: Answer['body']) => user.phone));
      const cursor: string | null = page.page.next_cursor;
      next = cursor === null ? null : `${path}?limit=2&cursor=${cursor}`;
    }
    expect(seen).toEqual(people.toReversed());
  });

  test('are those of no other tenant, and a cursor leads on in its own list alone', async () => {
    const other = await makeTestTenant(kit);
    expect((await other.call('GET', `/v1/phone-numbers/${tenant.phoneNumberId}/blocked-users`)).status).toBe(404);
    const wrong = `/v1/phone-numbers/${tenant.phoneNumberId}/blocked-users?cursor=AAAA`;
    expect((await tenant.call('GET', wrong)).body.code).toBe('validation_failed');
  });
});
