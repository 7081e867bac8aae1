import { type Simulator, startSimulator } from '@postrider/simulator/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { fakeApi } from '#http/testing/fake-api';
import { post } from '#http/testing/post-message';
import type { TemplateText } from '#templates/domain/definition';
import { fitSend, sendShape } from '#templates/domain/send';

const ACCOUNT = '300400500600';
const SENDS = 400;
const SEED = 7;
const NAME = 'new_in_shop_approved';

const samples = (...names: readonly string[]) => ({
  body_text_named_params: names.map((name) => ({ param_name: name, example: 'x' })),
});
const card = () => ({
  components: [
    { type: 'HEADER', format: 'PRODUCT' },
    { type: 'BODY', text: 'A {{colour}} one.', example: samples('colour') },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Look', url: 'https://shop.example/{{1}}', example: ['a17'] },
        { type: 'QUICK_REPLY', text: 'Take it' },
      ],
    },
  ],
});
const template: TemplateText = {
  category: 'marketing',
  parameterFormat: 'named',
  components: [
    { type: 'BODY', text: 'New for {{name}} today.', example: samples('name') },
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Two days', has_expiration: true } },
    { type: 'CAROUSEL', cards: [card(), card()] },
  ],
  messageTtlS: null,
};

const named = (name: string, text: string) => ({ type: 'text', parameter_name: name, text });
const cardSent = (index: number) => ({
  card_index: index,
  components: [
    { type: 'header', parameters: [{ type: 'product', product: { catalog_id: '1', product_retailer_id: 'a' } }] },
    { type: 'body', parameters: [named('colour', 'red')] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'a17' }] },
    { type: 'button', sub_type: 'quick_reply', index: 1, parameters: [{ type: 'payload', payload: 'take' }] },
  ],
});
const END = { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_900_000_000_000 } };
const sent = (): JsonValue[] =>
  structuredClone([
    { type: 'body', parameters: [named('name', 'Ada')] },
    { type: 'limited_time_offer', parameters: [END] },
    { type: 'carousel', cards: [cardSent(1), cardSent(0)] },
  ]);

/** Values that are at, above or beside what is allowed. */
const valuesFor: Readonly<Record<string, readonly JsonValue[]>> = {
  text: ['', 'x', 'two\nlines', 'a     b', 'x'.repeat(900), 'x'.repeat(1020), 'x'.repeat(2000), 'x'.repeat(2001), 7],
  parameter_name: ['name', 'colour', 'other'],
  card_index: [0, 1, 2, 9, 10],
  index: ['0', '1', 0, 1, 2, '9'],
  type: ['header', 'body', 'button', 'carousel', 'text', 'payload', 'product', 'limited_time_offer', 'poem'],
  sub_type: ['url', 'quick_reply', 'swipe'],
  limited_time_offer: [{}, { expiration_time_ms: 'soon' }],
  payload: ['x'.repeat(256), 'x'.repeat(257)],
};

type Mutation = readonly [kind: number, spot: number, value: number];

/** Puts another value in, leaves something out, or gives it twice. */
function mutate(components: JsonValue[], [kind, spot, value]: Mutation): void {
  const { lists, members } = spotsIn(components);
  const list = lists[spot % lists.length] ?? [];
  const place = value % Math.max(1, list.length);
  if (kind === 0) list.splice(place, 1);
  else if (kind === 1) list.push(structuredClone(list[place] ?? {}));
  else {
    const [holder, key] = members[spot % Math.max(1, members.length)] ?? [{}, 'text'];
    const choices = valuesFor[key] ?? [];
    holder[key] = structuredClone(choices[value % choices.length] ?? null);
  }
}

interface Spots {
  readonly lists: JsonValue[][];
  readonly members: [holder: Record<string, JsonValue>, key: string][];
}

function spotsIn(value: JsonValue, found: Spots = { lists: [], members: [] }): Spots {
  if (Array.isArray(value)) found.lists.push(value);
  const members = isJsonObject(value) ? (value as Record<string, JsonValue>) : {};
  for (const key of Object.keys(members)) if (Object.hasOwn(valuesFor, key)) found.members.push([members, key]);
  for (const inner of Array.isArray(value) ? value : Object.values(members)) spotsIn(inner, found);
  return found;
}

let sim: Simulator;
beforeAll(async () => {
  // However fast this machine sends them.
  sim = await startSimulator({ callbackUrl: null, numberRate: 0 });
  const { parameterFormat, category, components } = template;
  const answer = await atNetwork(`${ACCOUNT}/message_templates`, {
    name: NAME,
    language: 'en',
    category: category.toUpperCase(),
    parameter_format: parameterFormat.toUpperCase(),
    components,
  });
  expect(answer).toMatchObject({ id: expect.any(String) });
});
afterAll(() => sim.close());

async function atNetwork(path: string, body: object): Promise<JsonObject> {
  const headers = { authorization: 'Bearer token-of-the-test', 'content-type': 'application/json' };
  const response = await fetch(`${sim.url}/v26.0/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as JsonObject;
}

/** Null when the message would be sent. */
async function verdictOfNetwork(index: number, components: readonly JsonValue[]): Promise<string | null> {
  const { error } = await atNetwork('700800900/messages', {
    messaging_product: 'whatsapp',
    to: String(15_550_100_000 + index),
    type: 'template',
    template: { name: NAME, language: { code: 'en' }, components },
  });
  return isJsonObject(error) ? JSON.stringify(error) : null;
}

const api = fakeApi();
const shape = sendShape(template);

/** What the request is refused for, and else what the template is. */
async function localVerdict(components: readonly JsonValue[]): Promise<readonly string[]> {
  const asked = { name: NAME, language: 'en', components };
  const answer = await post(api, { to: '447700900123', type: 'template', template: asked });
  if (answer.statusCode !== 202) return [answer.body];
  const fit = fitSend(shape, { name: NAME, language: 'en', components: components as readonly JsonObject[] });
  return fit.faults.map(({ path, message }) => `${path}: ${message}`);
}

const mutations = fc.array(fc.tuple(fc.nat(6), fc.nat(500), fc.nat(500)), { maxLength: 2 });

test('P11: a send with cards is refused here when the network would refuse it, and only then', async () => {
  const differing: unknown[] = [];
  let taken = 0;
  for (const [index, changes] of fc.sample(mutations, { numRuns: SENDS, seed: SEED }).entries()) {
    const components = sent();
    for (const change of changes) mutate(components, change);
    const [network, local] = [await verdictOfNetwork(index, components), await localVerdict(components)];
    if (network === null) taken += 1;
    if ((network === null) !== (local.length === 0))
      differing.push(JSON.stringify({ index, network, local, components }));
  }
  expect(differing).toEqual([]);
  // Neither side may win by saying always the same.
  expect(taken).toBeGreaterThan(SENDS / 8);
  expect(taken).toBeLessThan((SENDS * 7) / 8);
});
