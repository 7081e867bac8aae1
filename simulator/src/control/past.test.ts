import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../json.ts';
import { CUSTOMER, codeOf, NUMBER_ID, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

const SYNC = `/v26.0/${NUMBER_ID}/smb_app_data`;
const OTHER = '15550003333';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const ask = (sync_type: string) => network.graph('POST', SYNC, { messaging_product: 'whatsapp', sync_type });

/** The values of all changes of a field that were reported. */
async function reported(field: string): Promise<readonly JsonObject[]> {
  await network.quiet();
  return network.receiver.posts.flatMap(({ text }) => {
    const entries = objects(JSON.parse(text).entry).flatMap(({ changes }) => objects(changes));
    return entries.flatMap((change) => (change.field === field && isJsonObject(change.value) ? [change.value] : []));
  });
}

test('the book of a phone is handed over when it is asked for, once', async () => {
  const contacts = [{ phone: `+${CUSTOMER}`, name: 'Ann Lee' }];
  await network.post('/_sim/past', { phone_number_id: NUMBER_ID, contacts });
  const answer = await ask('smb_app_state_sync');
  expect(answer).toMatchObject({
    status: 200,
    body: { messaging_product: 'whatsapp', request_id: expect.any(String) },
  });
  expect(await reported('smb_app_state_sync')).toMatchObject([
    {
      metadata: { phone_number_id: NUMBER_ID },
      state_sync: [
        {
          type: 'contact',
          action: 'add',
          contact: { full_name: 'Ann Lee', first_name: 'Ann', phone_number: CUSTOMER },
          metadata: { timestamp: expect.stringMatching(/^\d{10}$/) },
        },
      ],
    },
  ]);
  const again = await ask('smb_app_state_sync');
  expect([again.status, codeOf(again)]).toEqual([400, 2593107]);
  expect((await ask('everything')).status).toBe(400);
});

test('messages come by age in three phases, with marks for files, and then the files', async () => {
  const image = { type: 'image', image: { id: '900800', mime_type: 'image/jpeg' } };
  const messages = [
    { with: CUSTOMER, text: 'Hello', hours_ago: 1 },
    { with: CUSTOMER, text: 'We open at nine', from_business: true, hours_ago: 24 * 30 },
    { with: OTHER, message: image, hours_ago: 24 * 3 },
    { with: OTHER, text: 'Old', hours_ago: 24 * 120 },
  ];
  await network.post('/_sim/past', { phone_number_id: NUMBER_ID, messages });
  await ask('history');
  const values = await reported('history');
  const portions = values.flatMap(({ history }) => objects(history));
  expect(portions.map(({ metadata }) => metadata)).toEqual([
    { phase: 0, chunk_order: 1, progress: 33 },
    { phase: 1, chunk_order: 1, progress: 67 },
    { phase: 2, chunk_order: 1, progress: 100 },
  ]);
  const told = portions.flatMap(({ threads }) => objects(threads)).flatMap((thread) => objects(thread.messages));
  expect(told).toMatchObject([
    { from: CUSTOMER, type: 'text', history_context: { status: 'READ' } },
    { from: '15550800900', to: CUSTOMER, text: { body: 'We open at nine' } },
    { from: OTHER, type: 'media_placeholder' },
    { from: OTHER, text: { body: 'Old' } },
  ]);
  expect(objects(values.at(-1)?.messages)).toMatchObject([{ id: told[2]?.id, from: OTHER, ...image }]);
});

test('a business that does not share its messages is reported as such', async () => {
  await network.post('/_sim/past', { phone_number_id: NUMBER_ID, refuses: true });
  expect((await ask('history')).status).toBe(200);
  expect(await reported('history')).toMatchObject([{ history: [{ errors: [{ code: 2593109 }] }] }]);
});

test.each([
  [{ contacts: [{ phone: CUSTOMER }] }, 'Every contact needs "phone" and "name".'],
  [{ messages: [{ with: '12', text: 'Hi' }] }, '"with" must be a phone number of 7 to 15 digits.'],
  [{ messages: [{ with: CUSTOMER }] }, 'Every message needs "text", or "message" with a message object.'],
  [{ past: [] }, 'Unknown field "past" in the body; known fields: phone_number_id, contacts, messages, refuses.'],
])('a past %j is refused with a sentence', async (body, sentence) => {
  expect(await network.post('/_sim/past', body)).toMatchObject({ status: 400, body: { error: sentence } });
});
