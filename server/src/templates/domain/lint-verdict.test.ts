import { type Simulator, startSimulator } from '@postrider/simulator/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { inUpperCase, objectsOf, type TemplateDefinition, textAt } from './definition.ts';
import { lintTemplate } from './lint.ts';

/** The simulator's own reading of the network's rules is asked about each shape: P11, "templates correct before they cost". */
const ACCOUNT = '300400500600';
const SHAPES = 320;
const SEED = 20;

let sim: Simulator;
let handle = '';
beforeAll(async () => {
  sim = await startSimulator({ callbackUrl: null });
  handle = await uploadSample();
});
afterAll(() => sim.close());

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<JsonObject> {
  const authorization = 'OAuth token-of-the-test';
  const response = await fetch(`${sim.url}/v26.0/${path}`, {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
  return (await response.json()) as JsonObject;
}

async function uploadSample(): Promise<string> {
  const png = new Uint8Array(Buffer.from('89504e470d0a1a0a', 'hex'));
  const { id } = await post(`900800/uploads?file_length=${png.length}&file_type=image/png`, '');
  return textAt(await post(String(id), png, { file_offset: '0' }), 'h');
}

const body = (text: string, ...samples: readonly string[]): JsonObject => ({
  type: 'BODY',
  text,
  example: { body_text: [samples] },
});
const named = (text: string, ...names: readonly string[]): JsonObject => ({
  type: 'BODY',
  text,
  example: { body_text_named_params: names.map((name) => ({ param_name: name, example: 'x' })) },
});
const picture = (): JsonObject => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } });
const reply = (text: string): JsonObject => ({ type: 'QUICK_REPLY', text });
const card = (text: string): JsonObject => ({
  components: [picture(), { type: 'BODY', text }, { type: 'BUTTONS', buttons: [reply('Take it')] }],
});

const filledCard = (): JsonObject => ({
  components: [
    picture(),
    body('Rose {{1}} in {{2}} sizes', 'red', 'three'),
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Look', url: 'https://shop.example/{{1}}', example: ['a17'] }] },
  ],
});

const bases: readonly (() => Omit<TemplateDefinition, 'name'>)[] = [
  () => make({ components: [body('Hello {{1}}, your order {{2}} is ready.', 'Ada', 'A-17')] }),
  () =>
    make({
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-17'] } },
        body('Your order is ready.'),
        { type: 'FOOTER', text: 'Reply STOP to end this' },
        {
          type: 'BUTTONS',
          buttons: [
            reply('Where is it?'),
            reply('Thanks'),
            { type: 'URL', text: 'Track', url: 'https://shop.example/t/{{1}}', example: ['A-17'] },
            { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '15550100001' },
          ],
        },
      ],
    }),
  () =>
    make({
      parameterFormat: 'named',
      components: [picture(), named('Hello {{first_name}}, order {{order_no}} is ready.', 'first_name', 'order_no')],
    }),
  () =>
    make({
      category: 'authentication',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 10 },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
      ],
    }),
  () =>
    make({
      category: 'marketing',
      components: [body('New in our shop.'), { type: 'CAROUSEL', cards: [card('This one'), card('That one')] }],
    }),
  () =>
    make({
      category: 'marketing',
      components: [body('New in our shop.'), { type: 'CAROUSEL', cards: [filledCard(), filledCard()] }],
    }),
  () =>
    make({
      category: 'marketing',
      components: [
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Two days left', has_expiration: true } },
        body('Ten percent with the code.'),
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'COPY_CODE', example: 'SAVE10' },
            { type: 'CATALOG', text: 'Look' },
          ],
        },
      ],
    }),
];

function make(change: Partial<TemplateDefinition>): Omit<TemplateDefinition, 'name'> {
  return {
    language: 'en_US',
    category: 'utility',
    parameterFormat: 'positional',
    components: [],
    messageTtlS: null,
    ...change,
  };
}

/** Values that are at, above or beside what is allowed. */
const texts: readonly JsonValue[] = [
  '',
  'Plain words only',
  'x'.repeat(25),
  'x'.repeat(26),
  '\u{1F600}'.repeat(3),
  'x'.repeat(60),
  'x'.repeat(61),
  'x'.repeat(1024),
  'x'.repeat(1025),
  'x'.repeat(160),
  'x'.repeat(161),
  'one\ntwo\nthree\nfour',
  'two\nlines',
  '*bold* words',
  'Hello {{1}}',
  '{{1}} at the start is no good',
  'Side {{1}} {{2}} by side here',
  'a {{1}}, {{2}}.',
  'Gap {{2}} in numbers here',
  'Named {{first_name}} and {{order_no}} here',
  'Twice {{1}} and again {{1}} here',
  'Bad {{First Name}} name here',
  'https://shop.example/{{1}}',
  'https://shop.example/{{1}}/more',
  'ftp://shop.example/',
  'Thanks',
  42,
  null,
];
const kinds: readonly JsonValue[] = [
  'QUICK_REPLY',
  'URL',
  'OTP',
  'FLOW',
  'COPY_CODE',
  'PHONE_NUMBER',
  'CATALOG',
  'NEWS',
];
const formats: readonly JsonValue[] = ['TEXT', 'IMAGE', 'VIDEO', 'LOCATION', 'PRODUCT', 'SONG'];
const types: readonly JsonValue[] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER', 'POEM'];

const valuesFor: Readonly<Record<string, readonly JsonValue[]>> = {
  text: texts,
  url: texts,
  example: [
    null,
    ['x'],
    { body_text: [['a', 'b', 'c']] },
    { body_text: [[]] },
    { header_text: ['a'] },
    'code',
    'x'.repeat(16),
    {},
  ],
  phone_number: ['15550100001', '1'.repeat(21), '', null],
  type: [...kinds, ...types],
  format: formats,
  otp_type: ['ONE_TAP', 'NO_TAP', null],
  code_expiration_minutes: [1, 90, 91, 0, 'ten'],
  limited_time_offer: [{ text: 'x'.repeat(16) }, { text: 'x'.repeat(17) }, {}, null],
  cards: [[], null],
  buttons: [
    [],
    null,
    Array.from({ length: 10 }, (_, i) => reply(`b${i}`)),
    Array.from({ length: 11 }, (_, i) => reply(`b${i}`)),
  ],
};

interface Spot {
  readonly holder: Record<string, JsonValue>;
  readonly key: string;
}

/** Every member that can be changed, cards and buttons included. */
function spotsIn(value: JsonValue): readonly Spot[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => spotsIn(item));
  if (!isJsonObject(value)) return [];
  const holder = value as Record<string, JsonValue>;
  const own = Object.keys(holder).filter((key) => Object.hasOwn(valuesFor, key));
  return [...own.map((key) => ({ holder, key })), ...Object.values(holder).flatMap((item) => spotsIn(item))];
}

type Mutation = readonly [kind: number, spot: number, value: number];

function mutated(
  base: Omit<TemplateDefinition, 'name'>,
  mutations: readonly Mutation[],
): Omit<TemplateDefinition, 'name'> {
  let shape = structuredClone(base);
  for (const [kind, spot, value] of mutations) shape = mutate(shape, [kind, spot, value]);
  return { ...shape, components: inUpperCase(objectsOf(shape.components)) };
}

function mutate(
  shape: Omit<TemplateDefinition, 'name'>,
  [kind, spot, value]: Mutation,
): Omit<TemplateDefinition, 'name'> {
  const components = [...shape.components];
  const at = spot % Math.max(1, components.length);
  if (kind === 0) return { ...shape, components: components.filter((_, index) => index !== at) };
  if (kind === 1) return { ...shape, components: [...components, structuredClone(components[at] ?? {})] };
  if (kind === 2) {
    const category = (['authentication', 'marketing', 'utility'] as const)[value % 3] ?? 'utility';
    return { ...shape, category };
  }
  if (kind === 3) return { ...shape, parameterFormat: value % 2 === 0 ? 'named' : 'positional' };
  if (kind === 4) return { ...shape, language: ['en', 'en-US', 'EN', 'pt_BR'][value % 4] ?? 'en' };
  if (kind === 5) return { ...shape, messageTtlS: [29, 30, 2_592_000, 2_592_001][value % 4] ?? null };
  const spots = spotsIn(components as JsonValue);
  const { holder, key } = spots[spot % Math.max(1, spots.length)] ?? { holder: {}, key: 'text' };
  const choices = valuesFor[key] ?? texts;
  holder[key] = structuredClone(choices[value % choices.length] ?? null);
  return { ...shape, components };
}

const shapes = fc.tuple(
  fc.nat({ max: bases.length - 1 }),
  fc.array(fc.tuple(fc.nat({ max: 13 }), fc.nat(200), fc.nat(200)), { maxLength: 3 }),
);

async function verdictOfNetwork(definition: TemplateDefinition): Promise<string | null> {
  const { name, language, category, parameterFormat, components, messageTtlS } = definition;
  const asked = {
    name,
    language,
    category: category.toUpperCase(),
    parameter_format: parameterFormat.toUpperCase(),
    components,
    ...(messageTtlS === null ? {} : { message_send_ttl_seconds: messageTtlS }),
  };
  const answer = await post(`${ACCOUNT}/message_templates`, JSON.stringify(asked), {
    'content-type': 'application/json',
  });
  const { error } = answer as { readonly error?: { readonly error_data: { readonly details: string } } };
  return error === undefined ? null : error.error_data.details;
}

test('P11: the local verdict is that of the network on every mutated shape', async () => {
  const sampled = fc.sample(shapes, { numRuns: SHAPES, seed: SEED });
  const differing: JsonObject[] = [];
  let taken = 0;
  for (const [index, [base, mutations]] of sampled.entries()) {
    const shape = mutated((bases[base] ?? bases[0])?.() ?? make({}), mutations);
    const definition = { ...shape, name: `shape_${index}` };
    const network = await verdictOfNetwork(definition);
    const { faults } = lintTemplate(definition);
    if (network === null) taken += 1;
    if ((network === null) !== (faults.length === 0)) {
      differing.push({
        index,
        network,
        local: faults.map(({ at, message }) => `${at} ${message}`),
        shape: shape as unknown as JsonObject,
      });
    }
  }
  expect(differing).toEqual([]);
  // Neither side may win by saying always the same.
  expect(taken).toBeGreaterThan(SHAPES / 8);
  expect(taken).toBeLessThan((SHAPES * 7) / 8);
});
