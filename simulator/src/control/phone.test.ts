import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CUSTOMER, NUMBER_ID, objects, startTestNetwork, type TestNetwork, wamidOf } from '../testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const behave = (behavior: object) => network.put('/_sim/phone/behavior', { peer: CUSTOMER, ...behavior });
const phone = async () => (await network.get(`/_sim/phone?peer=${CUSTOMER}`)).body;
const write = (content: object) =>
  network.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, ...content });

async function statusesOf(body = {}): Promise<readonly unknown[]> {
  const id = wamidOf(await network.send(body));
  await network.quiet();
  return network.receiver.namesOf(id);
}

describe('how a customer treats messages', () => {
  test('refusing makes them fail as undeliverable, for this customer only', async () => {
    expect((await behave({ refuse: true })).body).toMatchObject({ peer: CUSTOMER, refuse: true, late: false });
    expect(await statusesOf()).toEqual(['failed']);
    expect(network.receiver.statuses[0]?.errors).toMatchObject([{ code: 131026 }]);
    expect(await statusesOf({ to: '15550009999' })).toEqual(['sent', 'delivered', 'read']);
    await behave({ refuse: false });
    expect(await statusesOf()).toEqual(['sent', 'delivered', 'read']);
  });

  test('out of order reports the last first', async () => {
    await behave({ out_of_order: true });
    expect(await statusesOf()).toEqual(['read', 'delivered', 'sent']);
  });

  test('late reports delivery ten seconds later', async () => {
    await behave({ late: true });
    const id = wamidOf(await network.send());
    await network.receiver.until(() => network.receiver.namesOf(id).length > 0);
    await network.post('/_sim/clock', { advance_ms: 9_000 });
    expect(network.receiver.namesOf(id)).toEqual(['sent']);
    await network.post('/_sim/clock', { advance_ms: 2_000 });
    await network.receiver.until(() => network.receiver.namesOf(id).length === 3);
  });

  test('reading by hand leaves messages unread until somebody reads them, up to one or all', async () => {
    await behave({ read_by_hand: true });
    const ids = [wamidOf(await network.send()), wamidOf(await network.send()), wamidOf(await network.send())];
    await network.quiet();
    expect(network.receiver.namesOf(ids[0])).toEqual(['sent', 'delivered']);
    expect(objects((await phone()).data).map(({ read }) => read)).toEqual([false, false, false]);
    expect((await network.post('/_sim/phone/read', { peer: CUSTOMER, up_to: ids[1] })).body).toEqual({ read: 2 });
    expect((await network.post('/_sim/phone/read', { peer: CUSTOMER })).body).toEqual({ read: 1 });
    expect((await network.post('/_sim/phone/read', { peer: CUSTOMER })).body).toEqual({ read: 0 });
    await network.quiet();
    for (const id of ids) expect(network.receiver.namesOf(id)).toEqual(['sent', 'delivered', 'read']);
    expect(objects((await phone()).data).map(({ read }) => read)).toEqual([true, true, true]);
  });

  test.each([
    [{ peer: 'Ada' }, 'Give "peer"'],
    [{ peer: CUSTOMER, refuse: 'yes' }, '"refuse" must be true or false.'],
    [{ peer: CUSTOMER, rude: true }, 'Unknown field "rude"'],
  ])('%j is refused with a sentence and changes nothing', async (body, sentence) => {
    const answer = await network.put('/_sim/phone/behavior', body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
    expect((await phone()).behavior).toMatchObject({ refuse: false });
  });
});

describe('what a customer sends', () => {
  test.each([
    [{ location: { latitude: 52.5, longitude: 13.4 } }, { type: 'location', location: { latitude: 52.5 } }],
    [{ reaction: { message_id: 'wamid.X', emoji: '👍' } }, { type: 'reaction', reaction: { emoji: '👍' } }],
    [{ button: { payload: 'Yes', text: 'Yes' } }, { type: 'button', button: { payload: 'Yes' } }],
    [
      { button_reply: { id: 'yes', title: 'Yes' } },
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'yes' } } },
    ],
    [
      { list_reply: { id: 'a', title: 'A' } },
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'a' } } },
    ],
  ])('%j is written as the network writes it', async (content, message) => {
    await write(content);
    await network.receiver.until(() => network.receiver.messages.length === 1);
    expect(network.receiver.messages[0]).toMatchObject(message);
  });

  test('an answer names what it answers, be it a text or a file', async () => {
    await write({ text: 'Yes', reply_to: 'wamid.X' });
    const media = { mime_type: 'audio/ogg; codecs=opus', data: 'T2dnUw==', voice: true };
    await write({ media, reply_to: 'wamid.X' });
    await network.receiver.until(() => network.receiver.messages.length === 2);
    const context = { from: '15550800900', id: 'wamid.X' };
    expect(network.receiver.messages).toMatchObject([
      { type: 'text', context },
      { type: 'audio', audio: { voice: true }, context },
    ]);
  });

  test.each([
    [{ location: 'here' }, '"location" must be an object'],
    [{ location: {}, text: 'Hi' }, 'Give "location" or another content, not both.'],
    [{}, 'Give "text"'],
  ])('%j is refused with a sentence', async (content, sentence) => {
    const answer = await write(content);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

test('the phone shows what the business has read, and while it writes', async () => {
  const { body: first } = await write({ text: 'Hi' });
  await network.post('/_sim/clock', { advance_ms: 1_000 });
  const { body: second } = await write({ text: 'Anybody there?' });
  const receipt = { status: 'read', message_id: first.id, type: undefined, text: undefined, to: undefined };
  await network.send(receipt);
  expect(objects((await phone()).data).map(({ read }) => read)).toEqual([true, false]);
  await network.send({ ...receipt, message_id: second.id, typing_indicator: { type: 'text' } });
  expect(await phone()).toMatchObject({ typing: [NUMBER_ID], data: [{ read: true }, { read: true }] });
  await network.send({ text: { body: 'Yes!' } });
  expect(await phone()).toMatchObject({ typing: [] });
});

test('a thread keeps the order of what happens within one millisecond, also after a restart', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'simulator-thread-'));
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  const directionsOf = async (network: TestNetwork) =>
    objects((await network.get(`/_sim/phone?peer=${CUSTOMER}`)).body.data).map(({ direction }) => direction);
  try {
    const first = await startTestNetwork({ stateFolder });
    const customerWrites = () =>
      first.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, text: 'Is it ready?' });
    await first.send();
    await customerWrites();
    await first.send();
    await first.post('/_sim/echo', { phone_number_id: NUMBER_ID, to: CUSTOMER, text: 'Written on our own phone.' });
    await first.send();
    await customerWrites();
    await first.send();
    const order = ['received', 'written', 'received', 'received', 'received', 'written', 'received'];
    expect(await directionsOf(first)).toEqual(order);
    await first.close();
    const second = await startTestNetwork({ stateFolder });
    expect(await directionsOf(second)).toEqual(order);
    await second.close();
  } finally {
    clock.mockRestore();
    rmSync(stateFolder, { recursive: true, force: true });
  }
});
