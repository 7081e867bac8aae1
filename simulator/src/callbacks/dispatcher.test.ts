import { afterEach, beforeEach, expect, test } from 'vitest';
import { CUSTOMER, NUMBER_ID, objects, startTestNetwork, type TestNetwork, wamidOf } from '../testing/network.ts';
import { backoffMs } from './dispatcher.ts';

let network: TestNetwork;
beforeEach(async () => {
  network = await startTestNetwork();
});
afterEach(() => network.close());

test('a message is reported as sent, delivered and read, in the exact shape of the network, signed', async () => {
  const id = wamidOf(await network.send({ biz_opaque_callback_data: 'm=é/1' }));
  await network.receiver.until(() => network.receiver.statuses.length === 3);
  const { posts } = network.receiver;
  expect(posts.every((post) => network.signed(post))).toBe(true);
  expect(posts[0]?.text).toMatch(
    /^\{"object":"whatsapp_business_account","entry":\[\{"id":"300400500600","changes":\[\{"value":\{"messaging_product":"whatsapp","metadata":\{"display_phone_number":"15550800900","phone_number_id":"700800900"\},"contacts":\[.*\],"statuses":\[.*\]\},"field":"messages"\}\]\}\]\}$/,
  );
  expect(posts[0]?.text).toContain('"biz_opaque_callback_data":"m=\\u00e9/1"');
  const common = {
    id,
    timestamp: expect.stringMatching(/^\d{10}$/),
    recipient_id: CUSTOMER,
    recipient_user_id: expect.stringMatching(/^US\.\d{21}$/),
    biz_opaque_callback_data: 'm=é/1',
  };
  const pricing = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' };
  // Posts on different connections may overtake each other.
  expect(network.receiver.statuses).toContainEqual({ ...common, status: 'sent', pricing });
  expect(network.receiver.statuses).toContainEqual({ ...common, status: 'delivered', pricing });
  expect(network.receiver.statuses).toContainEqual({ ...common, status: 'read' });
  expect(objects(posts[0]?.value.contacts)).toEqual([
    { profile: { name: 'Customer 2222' }, wa_id: CUSTOMER, user_id: expect.stringMatching(/^US\./) },
  ]);
});

test('a template is priced as utility, and callback data that was not given is not returned', async () => {
  await network.send({ type: 'template', template: { name: 'a', language: { code: 'en' } } });
  await network.receiver.until(() => network.receiver.statuses.length === 3);
  const sent = network.receiver.statuses.find(({ status }) => status === 'sent');
  expect(sent).toMatchObject({ pricing: { billable: true, category: 'utility' } });
  expect(sent).not.toHaveProperty('biz_opaque_callback_data');
});

test('a reaction is only sent, and a message to a user id names no phone anywhere', async () => {
  const reaction = wamidOf(await network.send({ type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } }));
  await network.send({ to: undefined, recipient: 'US.134912086553' });
  await network.quiet();
  expect(network.receiver.namesOf(reaction)).toEqual(['sent']);
  const hidden = network.receiver.statuses.filter((status) => status.recipient_user_id === 'US.134912086553');
  expect(hidden).toHaveLength(3);
  expect(hidden.every((status) => !('recipient_id' in status))).toBe(true);
});

test('what becomes due together leaves together, one number per POST and never more than the batch size', async () => {
  await network.put('/_sim/config', { sent_ms: 60_000, delivered_ms: 60_000, read_ms: 60_000, callback_batch_max: 7 });
  for (let i = 0; i < 10; i++) await network.send({ to: `1555000300${i}` }, `/${i % 2 === 0 ? '111' : '222'}/messages`);
  await network.post('/_sim/clock', { advance_ms: 61_000 });
  await network.receiver.until(() => network.receiver.statuses.length === 30);
  const sizes = network.receiver.posts.map((post) => objects(post.value.statuses).length);
  expect(sizes.toSorted()).toEqual([1, 1, 7, 7, 7, 7]);
});

test('no more callbacks are open at once than there are connections, and the next one leaves as soon as one is answered', async () => {
  const settings = {
    callback_connections: 3,
    callback_batch_max: 1,
    sent_ms: 60_000,
    delivered_ms: 60_000,
    read_ms: 60_000,
  };
  await network.put('/_sim/config', settings);
  const { receiver } = network;
  receiver.holds = true;
  for (let i = 0; i < 3; i++) await network.send({ to: `1555000400${i}` });
  await network.post('/_sim/clock', { advance_ms: 61_000 });
  for (let arrived = 3; arrived <= 9; arrived++) {
    await receiver.until(() => receiver.posts.length >= arrived);
    // Whatever else is on its way has arrived after these.
    for (let i = 0; i < 20; i++) await network.get('/_sim/stats');
    expect(receiver.held).toHaveLength(3);
    receiver.answerHeld();
  }
  receiver.answerHeld();
  receiver.answerHeld();
  await network.quiet();
  expect(receiver.statuses).toHaveLength(9);
});

test('a receiver that fails gets the same statuses again until it answers 200; 201 is a failure too', async () => {
  network.receiver.answers.push(500, 201, 404, 503, 500);
  const id = wamidOf(await network.send());
  await network.quiet();
  expect(network.receiver.namesOf(id).toSorted()).toEqual(['delivered', 'read', 'sent']);
  const stats = (await network.get('/_sim/stats')).body;
  expect(stats).toMatchObject({ callbacks_failed: 5, statuses_sent: 3, callbacks_dropped: 0 });
});

test('after a first immediate repeat the waits double from 0.2 s to 10 s', () => {
  expect([1, 2, 3, 4, 7, 8, 9, 1000].map(backoffMs)).toEqual([0, 200, 400, 800, 6400, 10_000, 10_000, 10_000]);
});

test('a status is given up only after seven days of failing', async () => {
  network.receiver.answers.push(...Array.from({ length: 1000 }, () => 500));
  await network.put('/_sim/config', { delivered_ms: 0, read_ms: 0 });
  await network.send();
  const failures = async (): Promise<number> => Number((await network.get('/_sim/stats')).body.callbacks_failed);
  for (let hours = 0; hours < 7 * 24 - 1; hours++) {
    const before = await failures();
    await network.post('/_sim/clock', { advance_ms: 3_600_000 });
    while ((await failures()) === before);
  }
  expect((await network.get('/_sim/stats')).body).toMatchObject({ callbacks_dropped: 0, callbacks_pending: 1 });
  await network.post('/_sim/clock', { advance_ms: 2 * 3_600_000 });
  await network.quiet();
  expect((await network.get('/_sim/stats')).body).toMatchObject({ callbacks_dropped: 1, callbacks_pending: 0 });
});

test('a receiver that does not answer in time counts as failed', async () => {
  await network.put('/_sim/config', { callback_timeout_ms: 30 });
  network.receiver.answers.push(0);
  const id = wamidOf(await network.send());
  while (Number((await network.get('/_sim/stats')).body.callbacks_failed) === 0);
  await network.put('/_sim/config', { callback_timeout_ms: 60_000 });
  await network.quiet();
  // A busy machine may have missed the limit for others, too, which are then repeated.
  expect(new Set(network.receiver.namesOf(id))).toEqual(new Set(['sent', 'delivered', 'read']));
});

test('a receiver that is not there gets everything when it is back', async () => {
  await network.put('/_sim/config', { callback_url: 'http://127.0.0.1:9/nobody' });
  const id = wamidOf(await network.send());
  while (Number((await network.get('/_sim/stats')).body.callbacks_failed) < 3);
  expect(network.receiver.posts).toEqual([]);
  await network.put('/_sim/config', { callback_url: network.callbackUrl });
  await network.quiet();
  expect(network.receiver.namesOf(id).toSorted()).toEqual(['delivered', 'read', 'sent']);
});

test('a backlog of many messages arrives whole, in big batches, when the receiver is back', async () => {
  await network.put('/_sim/config', { callback_url: 'http://127.0.0.1:9/nobody' });
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => network.send({ to: `1555${3_000_000 + round * 50 + i}` })));
  }
  await network.put('/_sim/config', { callback_url: network.callbackUrl });
  await network.quiet();
  const reported = new Set(network.receiver.statuses.map((status) => `${status.id} ${status.status}`));
  expect(reported.size).toBe(3000);
  expect(network.receiver.statuses).toHaveLength(3000);
});

test('slashes are escaped when the switch is on, and the signature covers the escaped bytes', async () => {
  await network.put('/_sim/config', { escape_slashes: true });
  await network.send({ biz_opaque_callback_data: 'a/b' });
  await network.receiver.until(() => network.receiver.statuses.length === 3);
  const [post] = network.receiver.posts;
  expect(post?.text).toContain('"biz_opaque_callback_data":"a\\/b"');
  expect(post !== undefined && network.signed(post)).toBe(true);
});

test('without a callback address nothing is posted and nothing piles up', async () => {
  await network.put('/_sim/config', { callback_url: null });
  await network.send({}, `/${NUMBER_ID}/messages`);
  expect((await network.get('/_sim/stats')).body).toMatchObject({ accepted: 1, callbacks_pending: 0 });
});
