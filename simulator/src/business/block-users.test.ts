import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { userIdOfPhone } from '../recipient.ts';
import { codeOf, NUMBER_ID, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(() => network.post('/_sim/reset', {}));
afterAll(() => network.close());

const list = `/v26.0/${NUMBER_ID}/block_users`;
const CUSTOMER = '447700900123';
const users = (...names: string[]) => ({
  messaging_product: 'whatsapp',
  block_users: names.map((user) => ({ user })),
});
const write = async (from = CUSTOMER) =>
  (await network.post('/_sim/inbound', { from, text: 'Hello', phone_number_id: NUMBER_ID })).body;
const namesIn = async (query = '') =>
  objects((await network.graph('GET', `${list}${query}`)).body.data).map(({ wa_id: name }) => name);

test('a blocked customer can neither write nor call nor be written to, until she is unblocked', async () => {
  await write();
  expect((await network.graph('POST', list, users(`+${CUSTOMER}`))).body).toEqual({
    messaging_product: 'whatsapp',
    block_users: { added_users: [{ input: `+${CUSTOMER}`, wa_id: CUSTOMER }] },
  });
  expect(await write()).toMatchObject({ id: null, queued: 0 });
  const call = await network.post('/_sim/calls', { from: CUSTOMER, phone_number_id: NUMBER_ID });
  expect(call.body).toMatchObject({ id: null, queued: 0 });
  const message = { messaging_product: 'whatsapp', to: CUSTOMER, type: 'text', text: { body: 'Hello' } };
  expect(codeOf(await network.graph('POST', `/v26.0/${NUMBER_ID}/messages`, message))).toBe(130403);
  expect((await network.graph('DELETE', list, users(CUSTOMER))).body.block_users).toEqual({
    removed_users: [{ input: CUSTOMER, wa_id: CUSTOMER }],
  });
  expect(await write()).toMatchObject({ queued: 1 });
});

test('of several users, those who wrote within 24 hours are blocked, and the others are named with their reasons', async () => {
  await write();
  const answer = await network.graph('POST', list, users(CUSTOMER, '447700900124', 'nobody'));
  expect([answer.status, codeOf(answer)]).toEqual([400, 139100]);
  expect(answer.body.block_users).toMatchObject({
    added_users: [{ wa_id: CUSTOMER }],
    failed_users: [
      { input: '447700900124', wa_id: '447700900124', errors: [{ code: 131047 }] },
      { input: 'nobody', errors: [{ code: 131009 }] },
    ],
  });
  expect(await namesIn()).toEqual([CUSTOMER]);
});

test('blocking or unblocking somebody twice changes nothing', async () => {
  await write();
  for (const method of ['POST', 'POST', 'DELETE', 'DELETE'] as const)
    expect((await network.graph(method, list, users(CUSTOMER))).status).toBe(200);
  expect(await namesIn()).toEqual([]);
});

test('the list has pages, newest first, and another number has its own', async () => {
  const customers = ['447700900125', '447700900126', '447700900127'];
  for (const customer of customers) {
    await write(customer);
    await network.graph('POST', list, users(customer));
  }
  const first = (await network.graph('GET', `${list}?limit=2`)).body;
  const { cursors } = first.paging as { cursors: { after: string } };
  expect(objects(first.data).map(({ wa_id: name }) => name)).toEqual(['447700900127', '447700900126']);
  expect(await namesIn(`?limit=2&after=${cursors.after}`)).toEqual(['447700900125']);
  const other = await network.graph('GET', `/v26.0/${NUMBER_ID}1/block_users`);
  expect(other.body.data).toEqual([]);
});

test.each([
  ['without its product', { ...users(CUSTOMER), messaging_product: undefined }],
  ['without users', { ...users(), block_users: undefined }],
  ['an empty list', users()],
  ['1,001 users', users(...Array.from({ length: 1_001 }, () => CUSTOMER))],
  ['a user without a name', { ...users(), block_users: [{}] }],
])('a request is refused %s, and blocks nobody', async (_label, body) => {
  await write();
  expect(codeOf(await network.graph('POST', list, body))).toBe(100);
  expect(await namesIn()).toEqual([]);
});

test('a user ID and the phone that it belongs to are one customer', async () => {
  await write();
  await network.graph('POST', list, users(CUSTOMER));
  const hidden = { user_id: userIdOfPhone(CUSTOMER), text: 'Hello', phone_number_id: NUMBER_ID };
  expect((await network.post('/_sim/inbound', hidden)).body).toMatchObject({ id: null, queued: 0 });
  await network.graph('DELETE', list, users(hidden.user_id));
  expect(await namesIn()).toEqual([]);
});
