import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { CUSTOMER, codeOf, NUMBER_ID, startTestNetwork, type TestNetwork, wamidOf } from './testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const always = (fault: string, more: JsonObject = {}): JsonObject => ({ probability: 1, fault, ...more });
const chaos = (steps: JsonObject, more: JsonObject = {}) => network.put('/_sim/chaos', { steps, ...more });

test.each([
  ['a chosen code', always('error', { code: 130497 }), 403, 130497],
  ['the default code', always('error'), 500, 131016],
  ['a chosen HTTP status', always('error', { code: 130429, status: 429 }), 429, 130429],
  ['a server fault', always('status5xx'), 503, 2],
  ['a rate limit', always('rate_limit'), 400, 130429],
])('send fault: %s; nothing is accepted', async (_label, rule, status, code) => {
  await chaos({ send: [rule] });
  const answer = await network.send();
  expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  expect(await network.ledger()).toEqual([]);
});

test('send fault: an answer that is not JSON', async () => {
  await chaos({ send: [always('non_json')] });
  await expect(network.send()).rejects.toThrow(/JSON/);
  expect(await network.ledger()).toEqual([]);
});

test('send fault: dropped before the accept leaves nothing behind', async () => {
  await chaos({ send: [always('drop_before_accept')] });
  await expect(network.send()).rejects.toThrow();
  expect(await network.ledger()).toEqual([]);
});

test('send fault: accepted, then dropped: it is in the ledger and its statuses come', async () => {
  await chaos({ send: [always('accept_then_drop')] });
  await expect(network.send({ biz_opaque_callback_data: 'm=7' })).rejects.toThrow();
  const [entry] = await network.ledger();
  await network.quiet();
  expect(entry?.biz_opaque_callback_data).toBe('m=7');
  expect(network.receiver.namesOf(entry?.id).toSorted()).toEqual(['delivered', 'read', 'sent']);
});

test('send fault: garbage of every kind accepts nothing', async () => {
  await chaos({ send: [always('garbage')] }, { seed: 3 });
  for (let n = 0; n < 60; n += 1) await network.send().catch(() => undefined);
  expect(await network.ledger()).toEqual([]);
});

test('send fault: an accept that is answered with garbage is in the ledger, and nothing in the answer denies it', async () => {
  await chaos({ send: [always('accept_then_garbage')] }, { seed: 3 });
  for (let n = 0; n < 60; n += 1) {
    const answer = await network.send().catch(() => null);
    expect(answer === null || answer.status < 300 || answer.status >= 500).toBe(true);
  }
  expect(await network.ledger()).toHaveLength(60);
});

test.each(['hang', 'drip'])('send fault: %s never ends the answer, and nothing is accepted', async (fault) => {
  await chaos({ send: [always(fault, { delay_ms: 5 })] });
  const signal = AbortSignal.timeout(200);
  const send = fetch(`${network.simulator.url}/${NUMBER_ID}/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer token' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to: CUSTOMER, text: { body: 'Hi' } }),
    signal,
  }).then((answer) => answer.text());
  await expect(send).rejects.toThrow(/abort|timeout/i);
  expect(await network.ledger()).toEqual([]);
});

test('a send fault of one sending number leaves the others alone', async () => {
  await network.post('/_sim/numbers', { phone_number_id: '111222444' });
  const rule = always('error', { phone_number_id: '111222444' });
  expect((await chaos({ send: [rule] })).body).toMatchObject({ steps: { send: [rule] } });
  const other = await network.send();
  const named = await network.send({}, '/v26.0/111222444/messages');
  expect([other.status, codeOf(named)]).toEqual([200, 131016]);
});

test('send fault: a delay comes before any other fault', async () => {
  await chaos({ send: [always('delay', { delay_ms: 60 }), always('error')] });
  const start = performance.now();
  expect((await network.send()).status).toBe(500);
  expect(performance.now() - start).toBeGreaterThan(55);
});

test('status fault: duplicate reports each status twice', async () => {
  await chaos({ status: [always('duplicate')] });
  const id = wamidOf(await network.send());
  await network.quiet();
  expect(network.receiver.namesOf(id).toSorted()).toEqual(['delivered', 'delivered', 'read', 'read', 'sent', 'sent']);
});

test('status fault: lost reports none', async () => {
  await chaos({ status: [always('lost')] });
  await network.send();
  await network.quiet();
  expect(network.receiver.statuses).toEqual([]);
});

test('status fault: reorder lets a later status overtake', async () => {
  await chaos({ status: [always('reorder')] });
  await network.put('/_sim/config', { delivered_ms: 200, read_ms: 400 });
  const id = wamidOf(await network.send());
  await network.put('/_sim/config', { delivered_ms: 10, read_ms: 20 });
  await network.receiver.until(() => network.receiver.statuses.length === 3);
  expect(network.receiver.namesOf(id)).toEqual(['sent', 'read', 'delivered']);
});

test('status fault: delay moves the callback, not the time in it', async () => {
  await chaos({ status: [always('delay', { delay_ms: 600_000 })] });
  const startSeconds = Math.floor(Date.now() / 1000);
  await network.send();
  await network.quiet();
  const reported = network.receiver.statuses.map((status) => Number(status.timestamp));
  expect(reported).toHaveLength(3);
  expect(reported.every((seconds) => seconds - startSeconds < 60)).toBe(true);
});

test('status fault: batch lets the statuses of many messages leave together', async () => {
  await chaos({ status: [always('batch', { delay_ms: 3_600_000 })] });
  for (let i = 0; i < 5; i++) await network.send({ to: `1555000300${i}` });
  await network.quiet();
  expect(network.receiver.statuses).toHaveLength(15);
  expect(network.receiver.posts.length).toBeLessThanOrEqual(2);
});

test('status fault: before_response reports the first statuses before the answer', async () => {
  await network.put('/_sim/config', { sent_ms: 600_000, delivered_ms: 600_000, read_ms: 600_000 });
  await chaos({ status: [always('before_response')] });
  const id = wamidOf(await network.send());
  const known = network.receiver.namesOf(id);
  await network.put('/_sim/config', { sent_ms: 0, delivered_ms: 10, read_ms: 20 });
  expect(known).toEqual(['sent', 'delivered']);
});

test('callback fault: duplicate posts the same bytes twice', async () => {
  await chaos({ callback: [always('duplicate')] });
  await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi', phone_number_id: NUMBER_ID });
  await network.receiver.until(() => network.receiver.posts.length === 2);
  expect(network.receiver.posts[0]?.text).toBe(network.receiver.posts[1]?.text);
});

test('callback fault: cut breaks the body off; the callback is repeated until it is whole', async () => {
  await chaos({ callback: [always('cut')] });
  const broken = network.receiver.broken;
  const id = wamidOf(await network.send());
  await network.receiver.until(() => network.receiver.broken >= broken + 2);
  expect(network.receiver.statuses).toEqual([]);
  await chaos({});
  await network.quiet();
  expect(network.receiver.namesOf(id).toSorted()).toEqual(['delivered', 'read', 'sent']);
});

test('callback fault: duplicate with a delay posts the second time after it', async () => {
  await chaos({ callback: [always('duplicate', { delay_ms: 50 })] });
  const start = performance.now();
  await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi', phone_number_id: NUMBER_ID });
  await network.receiver.until(() => network.receiver.posts.length === 2);
  expect(performance.now() - start).toBeGreaterThan(45);
});

test('callback fault: delay holds a post back', async () => {
  await chaos({ callback: [always('delay', { delay_ms: 50 })] });
  const start = performance.now();
  await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi', phone_number_id: NUMBER_ID });
  await network.receiver.until(() => network.receiver.posts.length === 1);
  expect(performance.now() - start).toBeGreaterThan(45);
});

test('the same seed disturbs the same sends', async () => {
  const run = async (): Promise<readonly number[]> => {
    await chaos({ send: [{ probability: 0.4, fault: 'error' }] }, { seed: 99 });
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) statuses.push((await network.send()).status);
    return statuses;
  };
  const first = await run();
  expect(await run()).toEqual(first);
  expect(new Set(first)).toEqual(new Set([200, 500]));
});

test('with the window on, a free-form message to a silent customer fails later with 131047; a template does not', async () => {
  await chaos({}, { window: true });
  const silent = wamidOf(await network.send());
  const template = wamidOf(await network.send({ type: 'template', template: { name: 'a', language: { code: 'en' } } }));
  await network.post('/_sim/inbound', { from: CUSTOMER, text: 'Hi', phone_number_id: NUMBER_ID });
  const open = wamidOf(await network.send());
  await network.post('/_sim/clock', { advance_ms: 24 * 3_600_000 });
  const closedAgain = wamidOf(await network.send());
  await network.quiet();
  const reported = [silent, template, open, closedAgain].map((id) => network.receiver.namesOf(id).toSorted());
  const arrived = ['delivered', 'read', 'sent'];
  expect(reported).toEqual([['failed'], arrived, arrived, ['failed']]);
  const failed = network.receiver.statuses.find((status) => status.id === silent);
  expect(failed).toMatchObject({ recipient_id: CUSTOMER, errors: [{ code: 131047, title: 'Re-engagement message' }] });
  expect(failed).not.toHaveProperty('recipient_user_id');
  expect(failed).not.toHaveProperty('pricing');
});

test('a plan is shown as it was put, and a reset switches it off', async () => {
  const plan = { seed: 5, window: true, steps: { send: [always('delay', { delay_ms: 5 })], status: [], callback: [] } };
  expect((await network.put('/_sim/chaos', plan)).body).toEqual(plan);
  expect((await network.get('/_sim/chaos')).body).toEqual(plan);
  await network.post('/_sim/reset', {});
  expect((await network.get('/_sim/chaos')).body).toMatchObject({ window: false, steps: { send: [] } });
});

test.each([
  [{ stepz: {} }, 'Unknown field "stepz" in the body'],
  [{ steps: [] }, '"steps" must be an object'],
  [{ steps: { send: {} } }, '"send" must be an array of objects'],
  [{ steps: { send: [{ probability: 1, fault: 'explode' }] } }, '"fault" of steps.send[0] must be one of error,'],
  [{ steps: { status: [{ fault: 'lost' }] } }, 'steps.status[0] needs a "probability" from 0 to 1'],
  [{ steps: { send: [{ probability: 2, fault: 'error' }] } }, '"probability" must be a number from 0 to 1'],
  [
    { steps: { send: [{ probability: 1, fault: 'error', code: 5 }] } },
    '"code" of steps.send[0] is no known error code',
  ],
  [{ seed: -1 }, '"seed" must be a number from 0'],
])('a plan with a fault is refused with a sentence: %j', async (plan, sentence) => {
  const answer = await network.put('/_sim/chaos', plan);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain(sentence);
});
