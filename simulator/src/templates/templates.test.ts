import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../json.ts';
import { PNG } from '../testing/files.ts';
import { type Answer, CUSTOMER, codeOf, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

const WABA = '300400500600';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BODY = {
  type: 'BODY',
  text: 'Hello {{1}}, your order {{2}} is ready.',
  example: { body_text: [['Ada', 'A-17']] },
};
const ORDER = { name: 'order_ready', language: 'en_US', category: 'UTILITY', components: [BODY] };

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  network.receiver.posts.length = 0;
});
afterAll(() => network.close());

const create = (change: JsonObject = {}): Promise<Answer> =>
  network.graph('POST', `/v26.0/${WABA}/message_templates`, { ...ORDER, ...change });
const created = async (change: JsonObject = {}): Promise<string> => String((await create(change)).body.id);
const node = async (id: string, fields = 'status,category,quality_score,rejected_reason'): Promise<JsonObject> =>
  (await network.graph('GET', `/v26.0/${id}?fields=${fields}`)).body;
const advance = (ms: number): Promise<unknown> => network.post('/_sim/clock', { advance_ms: ms });
const subcodeOf = (answer: Answer): unknown =>
  isJsonObject(answer.body.error) ? (answer.body.error.error_subcode ?? answer.body.error.code) : null;
const texts = (...values: readonly string[]): JsonObject => ({
  type: 'body',
  parameters: values.map((text) => ({ type: 'text', text })),
});
const send = (components: readonly JsonObject[], change: JsonObject = {}): Promise<Answer> =>
  network.send({
    text: undefined,
    type: 'template',
    template: { name: 'order_ready', language: { code: 'en_US' }, components, ...change },
  });

/** The events of a callback field, in order of arrival. */
const events = (field: string): readonly JsonObject[] =>
  network.receiver.posts.flatMap((post) => {
    const entry = objects((JSON.parse(post.text) as JsonObject).entry)[0];
    const change = objects(entry?.changes)[0];
    return change?.field === field && isJsonObject(change.value) ? [{ ...change.value, entry_id: entry?.id }] : [];
  });

test('a template is pending, then approved and reported so', async () => {
  await network.put('/_sim/templates/review', { delay_ms: 60_000 });
  const answer = await create();
  expect(answer.body).toEqual({ id: expect.stringMatching(/^\d{15}$/), status: 'PENDING', category: 'UTILITY' });
  const id = String(answer.body.id);
  expect((await node(id)).status).toBe('PENDING');
  await advance(60_000);
  expect((await node(id)).status).toBe('APPROVED');
  await network.receiver.until(() => events('message_template_status_update').length === 1);
  expect(events('message_template_status_update')[0]).toEqual({
    message_template_id: Number(id),
    message_template_name: 'order_ready',
    message_template_language: 'en_US',
    event: 'APPROVED',
    reason: 'NONE',
    message_template_category: 'UTILITY',
    entry_id: WABA,
  });
  expect(network.receiver.posts.every((post) => network.signed(post))).toBe(true);
});

test('the outcome follows the name, else what was ordered', async () => {
  const rejected = await created({ name: 'promo_rejected' });
  const pending = await created({ name: 'promo_pending' });
  await network.put('/_sim/templates/review', { outcome: 'REJECTED', reason: 'PROMOTIONAL' });
  const ordered = await created();
  expect(await node(rejected)).toMatchObject({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
  expect((await node(pending)).status).toBe('PENDING');
  expect(await node(ordered)).toMatchObject({ status: 'REJECTED', rejected_reason: 'PROMOTIONAL' });
});

test('the network may choose another category', async () => {
  await network.put('/_sim/templates/review', { category: 'MARKETING' });
  expect((await create()).body.category).toBe('MARKETING');
});

const body = (text: string, example?: unknown): JsonObject => ({
  type: 'BODY',
  text,
  ...(example === undefined ? {} : { example }),
});
const withButtons = (...buttons: readonly JsonObject[]): JsonObject => ({
  components: [BODY, { type: 'BUTTONS', buttons }],
});
const reply = (text: string): JsonObject => ({ type: 'QUICK_REPLY', text });
const link = (change: JsonObject): JsonObject => ({ type: 'URL', text: 'Open', url: 'https://a.example/', ...change });
const REFUSED: readonly (readonly [string, JsonObject, number])[] = [
  ['a name with capitals', { name: 'Order' }, 100],
  ['a language with a hyphen', { language: 'en-US' }, 100],
  ['an unknown category', { category: 'NEWS' }, 100],
  ['no body', { components: [{ type: 'FOOTER', text: 'f' }] }, 2388072],
  ['two bodies', { components: [BODY, BODY] }, 100],
  ['a body of 1025', { components: [body('b'.repeat(1025))] }, 2388040],
  ['a variable at the end', { components: [body('Hello {{1}}', { body_text: [['a']] })] }, 2388299],
  [
    'two variables side by side',
    { components: [body('Hello {{1}} {{2}} there', { body_text: [['a', 'b']] })] },
    2388299,
  ],
  ['more variables than words', { components: [body('a {{1}}, {{2}}.', { body_text: [['a', 'b']] })] }, 2388293],
  ['a gap in the numbers', { components: [body('Hello {{2}} there', { body_text: [['a']] })] }, 100],
  [
    'a named variable in a positional template',
    { components: [body('Hello {{name}} there', { body_text: [['a']] })] },
    100,
  ],
  ['a variable without an example', { components: [body('Hello {{1}} there')] }, 100],
  ['a header of 61', { components: [{ type: 'HEADER', format: 'TEXT', text: 'h'.repeat(61) }, BODY] }, 2388040],
  ['a picture without a handle', { components: [{ type: 'HEADER', format: 'IMAGE' }, BODY] }, 2388047],
  [
    'a handle that nobody gave out',
    { components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }, BODY] },
    2388047,
  ],
  ['a footer with a variable', { components: [BODY, { type: 'FOOTER', text: 'by {{1}}' }] }, 2388073],
  ['eleven buttons', withButtons(...Array.from({ length: 11 }, (_, i) => reply(`b${i}`))), 100],
  ['three links', withButtons(link({}), link({}), link({})), 100],
  ['a label of 26', withButtons(reply('x'.repeat(26))), 2388040],
  ['quick replies that are apart', withButtons(reply('a'), link({}), reply('b')), 100],
  [
    'a link with a variable in the middle',
    withButtons(link({ url: 'https://a.example/{{1}}/b', example: ['x'] })),
    100,
  ],
  ['a link with a variable without an example', withButtons(link({ url: 'https://a.example/{{1}}' })), 100],
  [
    'an authentication template without its button',
    { category: 'AUTHENTICATION', components: [{ type: 'BODY' }] },
    100,
  ],
];

test.each(REFUSED)('a template is refused: %s', async (_label, change, subcode) => {
  const answer = await create(change);
  expect([answer.status, codeOf(answer), subcodeOf(answer)]).toEqual([400, 100, subcode]);
  expect((await network.get('/_sim/templates')).body.data).toEqual([]);
});

test('a name exists once per language', async () => {
  await create();
  expect(subcodeOf(await create())).toBe(2388024);
  expect((await create({ language: 'de' })).status).toBe(200);
});

test('a header file from a resumable upload comes back as an address', async () => {
  const address = await network.graph('POST', `/v26.0/1/uploads?file_length=${PNG.length}&file_type=image/png`);
  const handle = await fetch(`${network.simulator.url}/v26.0/${address.body.id}`, {
    method: 'POST',
    headers: { authorization: 'OAuth token', file_offset: '0' },
    body: new Uint8Array(PNG),
  });
  const { h } = (await handle.json()) as { h: string };
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } };
  const id = await created({ components: [header, BODY] });
  const [kept] = objects((await node(id, 'components')).components);
  expect(kept?.example).toEqual({ header_handle: [expect.stringMatching(/^https:\/\//)] });
});

test('templates are listed by pages whose addresses can be followed', async () => {
  for (const language of ['en', 'de', 'fr']) await create({ language });
  const path = `/v26.0/${WABA}/message_templates?fields=language&limit=2`;
  const first = (await network.graph('GET', path)).body;
  expect(objects(first.data).map((one) => one.language)).toEqual(['en', 'de']);
  const next = isJsonObject(first.paging) ? String(first.paging.next) : '';
  const second = (await network.graph('GET', next.slice(network.simulator.url.length))).body;
  expect(objects(second.data).map((one) => one.language)).toEqual(['fr']);
  expect(isJsonObject(second.paging) && second.paging.next).toBeUndefined();
  const summaryOf = async (query: string): Promise<unknown> =>
    (await network.graph('GET', `/v26.0/${WABA}/message_templates?language=de&summary=${query}`)).body.summary;
  const counts = { total_count: 3, message_template_count: 3, message_template_limit: 250 };
  expect(await summaryOf(Object.keys(counts).join())).toEqual(counts);
  expect(await summaryOf('true')).toEqual({ ...counts, are_translations_complete: true });
  expect(await summaryOf('total_count')).toEqual({ total_count: 3 });
});

test('an approved template can be edited once a day, without changing its category', async () => {
  const id = await created();
  const edit = (change: JsonObject): Promise<Answer> => network.graph('POST', `/v26.0/${id}`, change);
  const components = [{ ...BODY, text: 'Good day {{1}}, the order {{2}} is here.' }];
  expect(codeOf(await edit({ category: 'MARKETING' }))).toBe(100);
  expect((await edit({ components })).body).toEqual({ success: true });
  expect(codeOf(await edit({ components }))).toBe(100);
  await advance(DAY_MS);
  expect((await edit({ components })).status).toBe(200);
});

test('a deleted name is locked for 30 days when it had been approved', async () => {
  await create();
  await create({ language: 'de' });
  expect((await network.graph('DELETE', `/v26.0/${WABA}/message_templates?name=order_ready`)).body).toEqual({
    success: true,
  });
  expect(codeOf(await create())).toBe(100);
  await advance(30 * DAY_MS);
  expect((await create()).status).toBe(200);
});

test('one language can be deleted by its id', async () => {
  const id = await created();
  const other = await created({ language: 'de' });
  await network.graph('DELETE', `/v26.0/${WABA}/message_templates?hsm_id=${id}&name=order_ready`);
  expect(codeOf(await network.graph('GET', `/v26.0/${id}`))).toBe(100);
  expect((await network.graph('GET', `/v26.0/${other}`)).status).toBe(200);
});

test('red quality pauses for 3 and 6 hours and then disables', async () => {
  const id = await created();
  const red = (): Promise<Answer> => network.post('/_sim/templates', { id, quality: 'RED' });
  await red();
  expect(codeOf(await send([texts('Ada', 'A-17')]))).toBe(132015);
  await advance(3 * HOUR_MS);
  expect((await send([texts('Ada', 'A-17')])).status).toBe(200);
  await red();
  await advance(3 * HOUR_MS);
  expect((await node(id)).status).toBe('PAUSED');
  expect((await network.graph('POST', `/v26.0/${id}/unpause`)).body).toEqual({ success: true });
  await red();
  expect(codeOf(await send([texts('Ada', 'A-17')]))).toBe(132016);
  await advance(30 * DAY_MS);
  expect((await node(id)).status).toBe('DISABLED');
  await network.receiver.until(() => events('message_template_status_update').length >= 6);
  expect(
    events('message_template_status_update').map(({ event, other_info: info }) => [event, (info as JsonObject)?.title]),
  ).toEqual([
    ['APPROVED', undefined],
    ['PAUSED', 'FIRST_PAUSE'],
    ['APPROVED', 'UNPAUSE'],
    ['PAUSED', 'SECOND_PAUSE'],
    ['APPROVED', undefined],
    ['DISABLED', 'DISABLED'],
  ]);
  expect(events('message_template_quality_update')[0]).toMatchObject({
    previous_quality_score: 'UNKNOWN',
    new_quality_score: 'RED',
  });
});

test('a change of category is reported', async () => {
  const id = await created();
  await network.post('/_sim/templates', { id, category: 'MARKETING' });
  await network.receiver.until(() => events('template_category_update').length === 1);
  expect(events('template_category_update')[0]).toMatchObject({
    previous_category: 'UTILITY',
    new_category: 'MARKETING',
  });
  expect(await node(id)).toMatchObject({ category: 'MARKETING' });
});

test('a template message is paid by its category', async () => {
  await create({ category: 'MARKETING' });
  await send([texts('Ada', 'A-17')]);
  await network.receiver.until(() => network.receiver.statuses.length === 3);
  expect(network.receiver.statuses.find(({ status }) => status === 'sent')?.pricing).toMatchObject({
    category: 'marketing',
    billable: true,
  });
});

test('a send must fit the template that was created', async () => {
  await create();
  expect((await send([texts('Ada', 'A-17')])).status).toBe(200);
  expect(codeOf(await send([texts('Ada')]))).toBe(132000);
  expect(codeOf(await send([]))).toBe(132000);
  const wrong = {
    type: 'body',
    parameters: [
      { type: 'payload', payload: 'x' },
      { type: 'text', text: 'y' },
    ],
  };
  expect(codeOf(await send([wrong]))).toBe(132012);
  expect(codeOf(await send([texts('x'.repeat(33_000), 'y')]))).toBe(132005);
  expect(codeOf(await send([texts('Ada', 'A-17')], { language: { code: 'de' } }))).toBe(132001);
});

test('named parameters, headers and buttons must fit too', async () => {
  const named = {
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      {
        type: 'BODY',
        text: 'Hello {{who}}, it is ready.',
        example: { body_text_named_params: [{ param_name: 'who', example: 'A' }] },
      },
      { type: 'BUTTONS', buttons: [link({ url: 'https://a.example/{{1}}', example: ['x'] }), reply('Later')] },
    ],
  };
  await create(named);
  const header = { type: 'header', parameters: [{ type: 'location', location: { latitude: 1, longitude: 2 } }] };
  const who = (name: string): JsonObject => ({
    type: 'body',
    parameters: [{ type: 'text', parameter_name: name, text: 'Ada' }],
  });
  const button = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] };
  expect((await send([header, who('who'), button])).status).toBe(200);
  expect(codeOf(await send([header, who('name'), button]))).toBe(100);
  expect(codeOf(await send([who('who'), button]))).toBe(132000);
  expect(codeOf(await send([header, who('who')]))).toBe(132000);
  const text = { type: 'header', parameters: [{ type: 'text', text: 'x' }] };
  expect(codeOf(await send([text, who('who'), button]))).toBe(132012);
});

test('an edited template keeps its old form until the review is over', async () => {
  const id = await created();
  await network.put('/_sim/templates/review', { outcome: 'PENDING' });
  await network.graph('POST', `/v26.0/${id}`, { components: [{ type: 'BODY', text: 'No variables any more.' }] });
  expect((await node(id)).status).toBe('PENDING');
  expect((await send([texts('Ada', 'A-17')])).status).toBe(200);
  await network.post('/_sim/templates', { id, status: 'APPROVED' });
  expect((await send([])).status).toBe(200);
});

test("the customers' phones show the texts of a template with its parameters", async () => {
  await create({ components: [{ type: 'HEADER', format: 'TEXT', text: 'News' }, BODY] });
  await send([texts('Ada', 'A-17')]);
  const [item] = objects((await network.get(`/_sim/phone?peer=${CUSTOMER}`)).body.data);
  expect(item?.rendered).toBe('News\nHello Ada, your order A-17 is ready.');
});

test('an unknown template is accepted, unless templates are strict', async () => {
  expect((await send([])).status).toBe(200);
  await network.put('/_sim/config', { strict_templates: true });
  const strict = await send([]);
  await network.put('/_sim/config', { strict_templates: false });
  expect([strict.status, codeOf(strict)]).toEqual([404, 132001]);
});
