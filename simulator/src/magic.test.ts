import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { type Answer, codeOf, objects, startTestNetwork, type TestNetwork, wamidOf } from './testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const numberOf = (last: number): string => `9990000${String(last).padStart(4, '0')}`;
const sendTo = (last: number, more: JsonObject = {}): Promise<Answer> => network.send({ to: numberOf(last), ...more });

test.each([
  [1, ['delivered', 'read', 'sent']],
  [2, ['delivered', 'sent']],
  [3, ['failed']],
  [4, ['failed']],
  [5, ['failed']],
  [12, ['delivered', 'read', 'sent']],
  [13, ['delivered', 'read', 'sent']],
  [14, ['delivered', 'sent']],
  [21, ['delivered', 'read', 'sent']],
])('recipient %i gets exactly %j', async (last, names) => {
  const answer = await sendTo(last);
  await network.quiet();
  expect(answer.status).toBe(200);
  expect(network.receiver.namesOf(wamidOf(answer)).toSorted()).toEqual(names);
});

test.each([
  [3, 131026],
  [4, 131047],
  [5, 131049],
])('recipient %i fails with %i', async (last, code) => {
  await sendTo(last);
  await network.receiver.until(() => network.receiver.statuses.length === 1);
  expect(network.receiver.statuses[0]).toMatchObject({ status: 'failed', errors: [{ code }] });
  expect(network.receiver.posts[0]?.value).not.toHaveProperty('contacts');
});

test('recipient 6 is refused with 131056 for 30 seconds, then accepted', async () => {
  expect(codeOf(await sendTo(6))).toBe(131056);
  await network.post('/_sim/clock', { advance_ms: 29_000 });
  expect(codeOf(await sendTo(6))).toBe(131056);
  await network.post('/_sim/clock', { advance_ms: 1_000 });
  expect((await sendTo(6)).status).toBe(200);
});

test.each([
  [7, 130429, 400, 3],
  [11, 131016, 500, 2],
])('recipient %i is refused with %i (HTTP %i) %i times, then accepted, then refused again', async (last, code, status, times) => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < times; i++) {
      const refused = await sendTo(last);
      expect([refused.status, codeOf(refused)]).toEqual([status, code]);
    }
    expect((await sendTo(last)).status).toBe(200);
  }
  expect(await network.ledger()).toHaveLength(2);
});

test('recipient 7 counts for each business number alone', async () => {
  for (let i = 0; i < 3; i++) await sendTo(7);
  expect(codeOf(await network.send({ to: numberOf(7) }, '/v26.0/555/messages'))).toBe(130429);
  expect((await sendTo(7)).status).toBe(200);
});

test('recipient 8 reports its statuses out of order and twice', async () => {
  const id = wamidOf(await sendTo(8));
  await network.receiver.until(() => network.receiver.statuses.length === 6);
  const names = network.receiver.namesOf(id);
  expect(names[0]).toBe('read');
  expect(names.toSorted()).toEqual(['delivered', 'delivered', 'read', 'read', 'sent', 'sent']);
});

test('recipient 9 is reported as delivered before the answer arrives', async () => {
  const id = wamidOf(await sendTo(9));
  expect(network.receiver.namesOf(id).slice(0, 2)).toEqual(['sent', 'delivered']);
  await network.quiet();
  expect(network.receiver.namesOf(id)).toEqual(['sent', 'delivered', 'read']);
});

test('recipient 9 is answered after a second when the receiver stays silent', async () => {
  network.receiver.answers.push(0);
  const start = performance.now();
  expect((await sendTo(9)).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThan(990);
});

test('recipient 10 is accepted without an answer, and reported as delivered later', async () => {
  await expect(sendTo(10, { biz_opaque_callback_data: 'm=10' })).rejects.toThrow();
  const [entry] = await network.ledger();
  expect(network.receiver.statuses).toEqual([]);
  await network.quiet();
  expect(network.receiver.namesOf(entry?.id).toSorted()).toEqual(['delivered', 'sent']);
  expect(network.receiver.statuses[0]?.biz_opaque_callback_data).toBe('m=10');
});

test('recipient 14 is delivered after 60 seconds of the simulated clock', async () => {
  const id = wamidOf(await sendTo(14));
  await network.receiver.until(() => network.receiver.statuses.length === 1);
  await network.post('/_sim/clock', { advance_ms: 50_000 });
  expect(network.receiver.namesOf(id)).toEqual(['sent']);
  await network.post('/_sim/clock', { advance_ms: 10_000 });
  await network.receiver.until(() => network.receiver.statuses.length === 2);
  expect(network.receiver.namesOf(id)).toEqual(['sent', 'delivered']);
});

test('recipient 15 answers STOP', async () => {
  await sendTo(15);
  await network.receiver.until(() => network.receiver.messages.length === 1);
  expect(network.receiver.messages[0]).toMatchObject({ from: numberOf(15), type: 'text', text: { body: 'STOP' } });
});

test('recipient 16 answers with an image', async () => {
  await sendTo(16);
  await network.receiver.until(() => network.receiver.messages.length === 1);
  expect(network.receiver.messages[0]).toMatchObject({
    type: 'image',
    image: {
      id: expect.stringMatching(/^\d{15}$/),
      mime_type: 'image/jpeg',
      sha256: expect.stringMatching(/^[\w+/]{43}=$/),
    },
  });
});

const BUTTONS = {
  type: 'interactive',
  interactive: {
    type: 'button',
    body: { text: 'When?' },
    action: { buttons: ['am', 'pm'].map((id) => ({ type: 'reply', reply: { id, title: id.toUpperCase() } })) },
  },
};
const LIST = {
  type: 'interactive',
  interactive: {
    type: 'list',
    body: { text: 'When?' },
    action: { button: 'Slots', sections: [{ title: 'A', rows: [{ id: 's1', title: 'One', description: 'First' }] }] },
  },
};
const TEMPLATE = {
  type: 'template',
  template: {
    name: 'track',
    language: { code: 'en' },
    components: [
      { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'track:1' }] },
    ],
  },
};

test.each([
  [
    'button',
    BUTTONS,
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'am', title: 'AM' } } },
  ],
  ['row', LIST, { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 's1', title: 'One' } } }],
  ['quick reply', TEMPLATE, { type: 'button', button: { payload: 'track:1' } }],
])('recipient 17 taps the first %s, quoting the message', async (_label, body, expected) => {
  const id = wamidOf(await sendTo(17, { text: undefined, ...body }));
  await network.receiver.until(() => network.receiver.messages.length === 1);
  expect(network.receiver.messages[0]).toMatchObject({ ...expected, context: { from: '15550800900', id } });
});

test('recipient 17 has nothing to tap on a text', async () => {
  await sendTo(17);
  await network.quiet();
  expect(network.receiver.messages).toEqual([]);
});

test('recipient 18 sends ten images in one callback', async () => {
  await sendTo(18);
  await network.receiver.until(() => network.receiver.messages.length > 0);
  const album = network.receiver.posts.map((post) => objects(post.value.messages)).filter((list) => list.length > 0);
  expect(album.map((list) => list.length)).toEqual([10]);
  expect(new Set(network.receiver.messages.map((message) => message.id)).size).toBe(10);
});

test('recipient 19 shows only a user id', async () => {
  await sendTo(19);
  await network.receiver.until(() => network.receiver.messages.length === 1 && network.receiver.statuses.length === 3);
  const callbacks = network.receiver.posts.map((post) => post.text.replace(/wamid\.[^"]+/g, '')).join();
  expect(callbacks).not.toContain(numberOf(19));
  expect(network.receiver.messages[0]).not.toHaveProperty('from');
  expect(network.receiver.messages[0]?.from_user_id).toBe(network.receiver.statuses[0]?.recipient_user_id);
});

test('recipient 20 pauses a template after three sends; texts are still accepted', async () => {
  for (let i = 0; i < 3; i++) expect((await sendTo(20, TEMPLATE)).status).toBe(200);
  expect(codeOf(await sendTo(20, TEMPLATE))).toBe(132015);
  expect((await sendTo(20)).status).toBe(200);
});
