import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { codeOf, objects, startTestNetwork, type TestNetwork } from '../testing/network.ts';

const WABA = '300400500600';
const COLLECT = {
  name: 'my_collection',
  language: 'en_US',
  category: 'UTILITY',
  library_template_name: 'ready_for_collection',
  library_template_button_inputs: [
    { type: 'URL', url: { base_url: 'https://shop.example/{{1}}', url_suffix_example: 'https://shop.example/way' } },
    { type: 'PHONE_NUMBER', phone_number: '+4930123456' },
  ],
};

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
beforeEach(() => network.post('/_sim/reset', {}));
afterAll(() => network.close());

const take = (change: JsonObject = {}) =>
  network.graph('POST', `/v26.0/${WABA}/message_templates`, { ...COLLECT, ...change });
const list = async (query: string): Promise<readonly string[]> => {
  const { body } = await network.graph('GET', `/v26.0/message_template_library?${query}`);
  return objects(body.data).map(({ name, language }) => `${name}/${language}`);
};

test('the library is narrowed down by everything that the network takes', async () => {
  expect(await list('name=delivery_on_its_way')).toEqual(['delivery_on_its_way/en_US', 'delivery_on_its_way/es']);
  expect(await list('language=es')).toEqual(['delivery_on_its_way/es']);
  expect(await list('topic=PAYMENTS&industry=E_COMMERCE')).toEqual(['payment_received/en_US']);
  expect(await list('usecase=feedback_survey')).toEqual(['how_was_it/en_US']);
  expect(await list('search=invoice')).toEqual(['payment_received/en_US']);
  expect(await list('search=nothing%20like%20it')).toEqual([]);
});

test('the library has pages', async () => {
  const path = '/v26.0/message_template_library?limit=4';
  const first = (await network.graph('GET', path)).body as { data: []; paging: { cursors: { after: string } } };
  const second = (await network.graph('GET', `${path}&after=${first.paging.cursors.after}`)).body;
  expect([objects(first.data).length, objects(second.data).length]).toEqual([4, 2]);
});

test('a template from the library is approved at once, and its buttons lead where the business says', async () => {
  const { id, ...answer } = (await take()).body;
  expect(answer).toEqual({ status: 'APPROVED', category: 'UTILITY' });
  const { body } = await network.graph('GET', `/v26.0/${id}?fields=library_template_name,components`);
  expect(body).toMatchObject({ library_template_name: 'ready_for_collection' });
  expect(objects(body.components).map(({ type }) => type)).toEqual(['HEADER', 'BODY', 'BUTTONS']);
  expect(objects(body.components)[2]).toEqual({
    type: 'BUTTONS',
    buttons: [
      { type: 'URL', text: 'Find the way', url: 'https://shop.example/{{1}}', example: ['https://shop.example/way'] },
      { type: 'PHONE_NUMBER', text: 'Call the shop', phone_number: '+4930123456' },
    ],
  });
});

test('inputs may come as text of a form', async () => {
  const inputs = JSON.stringify(COLLECT.library_template_button_inputs);
  expect((await take({ library_template_button_inputs: inputs })).status).toBe(200);
});

test.each([
  ['another name', { library_template_name: 'no_such_template' }],
  ['a language that it has not', { language: 'de' }],
  ['another category', { category: 'MARKETING' }],
  ['components of its own', { components: [{ type: 'BODY', text: 'Hello there, how are you?' }] }],
  ['a missing input', { library_template_button_inputs: COLLECT.library_template_button_inputs.slice(0, 1) }],
  ['inputs in another order', { library_template_button_inputs: COLLECT.library_template_button_inputs.toReversed() }],
  [
    'an input too many',
    {
      library_template_button_inputs: [
        ...COLLECT.library_template_button_inputs,
        { type: 'PHONE_NUMBER', phone_number: '+4930123456' },
      ],
    },
  ],
  [
    'an address that is none',
    {
      library_template_button_inputs: [
        { type: 'URL', url: { base_url: 'shop' } },
        ...COLLECT.library_template_button_inputs.slice(1),
      ],
    },
  ],
  ['inputs that are no list', { library_template_button_inputs: { type: 'URL' } }],
])('%s is refused', async (_what, change) => {
  expect(codeOf(await take(change))).toBe(100);
});

test('a template whose text was edited is no longer one of the library', async () => {
  const { id } = (await take()).body;
  const components = [{ type: 'BODY', text: 'Your order {{1}} is here.', example: { body_text: [['A-17']] } }];
  expect((await network.graph('POST', `/v26.0/${id}`, { components })).status).toBe(200);
  const { body } = await network.graph('GET', `/v26.0/${id}?fields=library_template_name`);
  expect(body.library_template_name).toBeUndefined();
});
