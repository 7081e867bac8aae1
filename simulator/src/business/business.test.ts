import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf, NUMBER_ID, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(() => network.post('/_sim/reset', {}));
afterAll(() => network.close());

const profile = `/v26.0/${NUMBER_ID}/whatsapp_business_profile`;
const PRODUCT = { messaging_product: 'whatsapp' };

async function handleOf(bytes: Buffer, type: string): Promise<string> {
  const query = new URLSearchParams({ file_length: String(bytes.length), file_type: type });
  const { id } = (await network.graph('POST', `/v26.0/555/uploads?${query}`)).body;
  const response = await fetch(`${network.simulator.url}/v26.0/${id}`, {
    method: 'POST',
    headers: { authorization: 'OAuth token', file_offset: '0' },
    body: new Uint8Array(bytes),
  });
  return String(((await response.json()) as { h: string }).h);
}

test('a profile keeps what is not changed, shows what is asked for, and its picture can be looked at', async () => {
  const bytes = Buffer.from('not really a picture');
  const handle = await handleOf(bytes, 'image/png');
  const full = { about: 'Flowers', email: 'a@b.example', websites: ['https://b.example'], vertical: 'RETAIL' };
  expect((await network.graph('POST', profile, { ...PRODUCT, ...full, address: 'Here' })).body).toEqual({
    success: true,
  });
  await network.graph('POST', profile, { ...PRODUCT, address: '', profile_picture_handle: handle });
  const [shown] = objects((await network.graph('GET', profile)).body.data);
  expect(shown).toEqual({ ...PRODUCT, ...full, profile_picture_url: expect.stringContaining(NUMBER_ID) });
  const picture = await fetch(String(shown?.profile_picture_url));
  expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/png', String(bytes)]);
  const [one] = objects((await network.graph('GET', `${profile}?fields=about`)).body.data);
  expect(one).toEqual({ ...PRODUCT, about: 'Flowers' });
});

test.each([
  ['without its product', { messaging_product: undefined, about: 'Flowers' }],
  ['an empty about', { about: '' }],
  ['an about of 140 characters', { about: 'x'.repeat(140) }],
  ['an address of 257 characters', { address: 'x'.repeat(257) }],
  ['a description of 513 characters', { description: 'x'.repeat(513) }],
  ['what is no email address', { email: 'somebody' }],
  ['three websites', { websites: ['https://a.example', 'https://b.example', 'https://c.example'] }],
  ['a website without a scheme', { websites: ['a.example'] }],
  ['a line of business that is not in the list', { vertical: 'FLOWERS' }],
  ['a handle that was never given', { profile_picture_handle: '4::aW' }],
])('a profile is refused %s, and stays as it was', async (_label, fields) => {
  await network.graph('POST', profile, { ...PRODUCT, about: 'Before' });
  const refused = await network.graph('POST', profile, { ...PRODUCT, about: 'After', ...fields });
  expect([refused.status, codeOf(refused)]).toEqual([400, 100]);
  expect(objects((await network.graph('GET', profile)).body.data)).toEqual([{ ...PRODUCT, about: 'Before' }]);
});

test('a film is no profile picture', async () => {
  const handle = await handleOf(Buffer.from('film'), 'video/mp4');
  expect(codeOf(await network.graph('POST', profile, { ...PRODUCT, profile_picture_handle: handle }))).toBe(100);
});

const node = `/v26.0/${NUMBER_ID}`;
const codes = `${node}/message_qrdls`;

test('ice breakers, commands and the welcome are set one without the other, and shown with the number', async () => {
  const commands = [{ command_name: 'hours', command_description: 'When we are open' }];
  await network.graph('POST', `${node}/conversational_automation`, { prompts: ['Hello'], commands });
  await network.graph('POST', `${node}/conversational_automation?enable_welcome_message=true`);
  await network.graph('POST', `${node}/conversational_automation`, { prompts: [] });
  expect((await network.graph('GET', `${node}?fields=conversational_automation`)).body).toEqual({
    conversational_automation: { enable_welcome_message: true, prompts: [], commands },
    id: NUMBER_ID,
  });
});

test.each([
  { prompts: ['1', '2', '3', '4', '5'] },
  { prompts: ['x'.repeat(81)] },
  { prompts: ['Flowers 🌷'] },
  { commands: Array.from({ length: 31 }, () => ({ command_name: 'a', command_description: 'b' })) },
  { commands: [{ command_name: 'x'.repeat(33), command_description: 'b' }] },
  { commands: [{ command_name: 'a', command_description: 'x'.repeat(257) }] },
])('what is offered to customers keeps the limits of the network (%#)', async (fields) => {
  expect(codeOf(await network.graph('POST', `${node}/conversational_automation`, fields))).toBe(100);
});

test('a QR code keeps its link when its text changes, has a picture when asked, and ends when it is deleted', async () => {
  const made = await network.graph('POST', codes, { prefilled_message: 'Hello', generate_qr_image: 'PNG' });
  const { code, deep_link_url: link } = made.body;
  expect(made.body.qr_image_url).toMatch(/png$/);
  expect((await network.graph('POST', codes, { code, prefilled_message: 'Hi' })).body.deep_link_url).toBe(link);
  const shown = { code, prefilled_message: 'Hi', deep_link_url: link };
  expect((await network.graph('GET', `${codes}/${code}`)).body).toEqual({ data: [shown] });
  const listed = await network.graph('GET', `${codes}?fields=code,qr_image_url.format(SVG),creation_time`);
  expect(objects(listed.body.data)).toEqual([
    { ...shown, qr_image_url: expect.any(String), creation_time: expect.any(Number) },
  ]);
  expect((await network.graph('DELETE', `${codes}/${code}`)).body).toEqual({ success: true });
  expect((await network.graph('GET', `${codes}/${code}`)).body).toEqual({ data: [] });
  expect(codeOf(await network.graph('DELETE', `${codes}/${code}`))).toBe(100);
  expect(codeOf(await network.graph('POST', codes, { prefilled_message: 'x'.repeat(141) }))).toBe(100);
  expect(codeOf(await network.graph('POST', codes, { prefilled_message: 'Hi', generate_qr_image: 'GIF' }))).toBe(100);
});

test('a username belongs to one number, and moves when that is asked for', async () => {
  const other = '/v26.0/700800999/username';
  expect((await network.graph('GET', `${node}/username`)).body).toEqual({});
  expect((await network.graph('POST', `${node}/username`, { username: 'Flower.shop' })).body).toEqual({
    status: 'approved',
  });
  expect(codeOf(await network.graph('POST', other, { username: 'flower.SHOP' }))).toBe(147005);
  await network.graph('POST', other, { username: 'flower.shop', transfer_action: 'force_transfer' });
  expect((await network.graph('GET', `${node}/username`)).body).toEqual({});
  await network.graph('DELETE', other);
  expect((await network.graph('GET', other)).body).toEqual({});
  for (const username of [
    'ab',
    '12345',
    '.shop',
    'shop.',
    'my..shop',
    'www.shop',
    'shop.com',
    'x'.repeat(36),
    'sh op',
  ]) {
    expect(codeOf(await network.graph('POST', other, { username }))).toBe(100);
  }
});

test('another display name waits for its review, and counts once the number has it', async () => {
  const fields = '?fields=verified_name,new_display_name,new_name_status';
  await network.graph('POST', node, { new_display_name: 'Flower shop' });
  expect((await network.graph('GET', node + fields)).body).toMatchObject({ new_name_status: 'PENDING_REVIEW' });
  await network.post('/_sim/numbers', { phone_number_id: NUMBER_ID, verified_name: 'Flower shop' });
  expect((await network.graph('GET', node + fields)).body).toMatchObject({
    verified_name: 'Flower shop',
    new_display_name: 'Flower shop',
    new_name_status: 'APPROVED',
  });
});
