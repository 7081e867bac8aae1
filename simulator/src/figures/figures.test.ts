import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import {
  CUSTOMER,
  codeOf,
  NUMBER_ID,
  objects,
  startTestNetwork,
  type TestNetwork,
  wamidOf,
} from '../testing/network.ts';
import { fieldParams } from './figure-query.ts';

const WABA = '300400500';
const PHONE = '15550009999';
const DAY_S = 24 * 3600;
/** Noon, so that no test meets midnight. */
const NOW_MS = Date.UTC(2030, 0, 31, 12);
const TODAY_S = Date.UTC(2030, 0, 31) / 1000;

let network: TestNetwork;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-figures-'));
  await begin();
  await network.post('/_sim/numbers', { phone_number_id: NUMBER_ID, waba_id: WABA, display_phone_number: PHONE });
});
afterEach(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  const startedMs = Date.now();
  network = await startTestNetwork({ stateFolder: folder, now: () => NOW_MS + Date.now() - startedMs });
}

const between = (from: number, to: number) => `.start(${from}).end(${to})`;
const TODAY = between(TODAY_S, TODAY_S + DAY_S);

async function field(name: string, rest: string): Promise<JsonObject> {
  const answer = await network.graph('GET', `/v26.0/${WABA}?fields=${encodeURIComponent(name + rest)}`);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body[name] as JsonObject;
}

const rowsOf = async (name: string, rest: string) => objects(objects((await field(name, rest)).data)[0]?.data_points);

/** Sends, and waits until the last status has been reported. */
async function sent(body: JsonObject = {}, last = 'read'): Promise<string> {
  const id = wamidOf(await network.send(body));
  await network.receiver.until(() => network.receiver.namesOf(id).includes(last));
  return id;
}

const template = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'template',
  text: undefined,
  template: { name, language: { code: 'en' }, ...more },
});

async function approved(name: string, category = 'MARKETING', components: readonly JsonObject[] = []): Promise<string> {
  const body = { type: 'BODY', text: 'Everything is half price.' };
  const fields = { name, language: 'en', category, components: [body, ...components] };
  return String((await network.graph('POST', `/v26.0/${WABA}/message_templates`, fields)).body.id);
}

const insights = () => network.graph('POST', `/v26.0/${WABA}?is_enabled_for_insights=true`);

function templateFigures(ids: readonly string[], more = ''): ReturnType<TestNetwork['graph']> {
  const time = `start=${TODAY_S}&end=${TODAY_S + DAY_S}&granularity=DAILY`;
  return network.graph('GET', `/v26.0/${WABA}/template_analytics?${time}&template_ids=[${ids.join()}]${more}`);
}

describe('messages', () => {
  test('are counted by days and months, each status once, those of all numbers or of some', async () => {
    await sent();
    // Its statuses come in another order, and twice.
    const disordered = await sent({ to: '99900000008' });
    const isReported = (name: string) => network.receiver.namesOf(disordered).includes(name);
    await network.receiver.until(() => ['sent', 'delivered', 'read'].every(isReported));
    await sent({ to: '99900000003' }, 'failed');
    await network.send({}, '/v26.0/700800901/messages');
    const point = { start: TODAY_S, end: TODAY_S + DAY_S, sent: 3, delivered: 2 };
    expect(await field('analytics', `${TODAY}.granularity(DAY)`)).toEqual({
      phone_numbers: [PHONE],
      granularity: 'DAY',
      data_points: [point],
    });
    expect((await field('analytics', `${TODAY}.granularity(DAY).phone_numbers(["1"])`)).data_points).toEqual([]);
    const ofNumber = await field('analytics', `${TODAY}.granularity(DAY).phone_numbers(["+${PHONE}"])`);
    expect(ofNumber.data_points).toEqual([point]);
    await network.post('/_sim/clock', { advance_ms: DAY_S * 1000 });
    await sent();
    const whole = between(TODAY_S - DAY_S, TODAY_S + 2 * DAY_S);
    expect(objects((await field('analytics', `${whole}.granularity(MONTH)`)).data_points)).toEqual([
      { ...point, start: TODAY_S - DAY_S },
      { start: TODAY_S + DAY_S, end: TODAY_S + 2 * DAY_S, sent: 1, delivered: 1 },
    ]);
  });

  test('and what became of them outlive a restart', async () => {
    await sent();
    await insights();
    await network.close();
    await begin();
    const { data_points } = await field('analytics', `${TODAY}.granularity(DAY)`);
    expect(data_points).toMatchObject([{ sent: 1, delivered: 1 }]);
    expect(codeOf(await templateFigures(['1']))).toBe(100);
  });

  test('that the business wrote on its own phone count nowhere', async () => {
    const { id } = (await network.post('/_sim/echo', { to: CUSTOMER, text: 'Hello', phone_number_id: NUMBER_ID })).body;
    await network.post('/_sim/clock', { advance_ms: 2_000 });
    await network.receiver.until(() => network.receiver.namesOf(id).includes('read'));
    expect((await field('analytics', `${TODAY}.granularity(DAY)`)).data_points).toEqual([]);
  });
});

test('prices are by the dimensions that are asked for, and of what was delivered', async () => {
  await approved('sale_approved');
  await sent(template('sale_approved'));
  await sent({ ...template('sale_approved'), to: '447700900123' });
  await sent();
  await sent({ to: '99900000003' }, 'failed');
  const by = (dimension: string) =>
    rowsOf('pricing_analytics', `${TODAY}.granularity(DAILY).dimensions([${dimension}])`);
  const step = { start: TODAY_S, end: TODAY_S + DAY_S };
  expect(await by('')).toEqual([{ ...step, volume: 3, cost: 0.05 }]);
  expect(await by('"PRICING_CATEGORY"')).toEqual([
    { ...step, pricing_category: 'MARKETING', volume: 2, cost: 0.05 },
    { ...step, pricing_category: 'SERVICE', volume: 1, cost: 0 },
  ]);
  expect(await by('"PRICING_TYPE","COUNTRY"')).toEqual([
    { ...step, pricing_type: 'REGULAR', country: 'US', volume: 1, cost: 0.025 },
    { ...step, pricing_type: 'REGULAR', country: 'GB', volume: 1, cost: 0.025 },
    { ...step, pricing_type: 'FREE_CUSTOMER_SERVICE', country: 'US', volume: 1, cost: 0 },
  ]);
  expect(await by('"PHONE","TIER"')).toMatchObject([{ phone_number: PHONE, tier: '0:25000', volume: 3 }]);
  const costs = await rowsOf('pricing_analytics', `${TODAY}.granularity(MONTHLY).metric_types(["COST"])`);
  expect(costs).toEqual([{ ...step, cost: 0.05 }]);
});

test('a conversation lasts 24 hours, for each customer and category', async () => {
  await sent();
  await sent();
  await sent({ to: '447700900123' });
  await sent(template('unknown'));
  const dimensions = '"CONVERSATION_CATEGORY","CONVERSATION_DIRECTION","CONVERSATION_TYPE"';
  const rest = `.granularity(DAILY).metric_types(["CONVERSATION"]).dimensions([${dimensions}])`;
  const [service, utility] = [
    { conversation_category: 'SERVICE', conversation_direction: 'user_initiated', conversation_type: 'FREE_TIER' },
    { conversation_category: 'UTILITY', conversation_direction: 'business_initiated', conversation_type: 'REGULAR' },
  ];
  expect(await rowsOf('conversation_analytics', TODAY + rest)).toMatchObject([
    { ...service, conversation: 2 },
    { ...utility, conversation: 1 },
  ]);
  await network.post('/_sim/clock', { advance_ms: DAY_S * 1000 });
  await sent();
  const tomorrow = between(TODAY_S + DAY_S, TODAY_S + 2 * DAY_S);
  expect(await rowsOf('conversation_analytics', tomorrow + rest)).toMatchObject([{ ...service, conversation: 1 }]);
});

describe('templates', () => {
  const buttons = [{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Show me' }] }];

  test('are counted with taps on their buttons, once the account has insights', async () => {
    const id = await approved('tap_approved', 'MARKETING', buttons);
    const wamid = await sent(template('tap_approved'));
    const button = { payload: 'Show me', text: 'Show me' };
    const tap = { from: CUSTOMER, phone_number_id: NUMBER_ID, button };
    await network.post('/_sim/inbound', { ...tap, reply_to: wamid });
    await network.post('/_sim/inbound', { ...tap, reply_to: 'wamid.unknown' });
    expect(codeOf(await templateFigures([id]))).toBe(200007);
    expect((await insights()).body).toEqual({ success: true });
    const { data } = (await templateFigures([id])).body;
    expect(data).toEqual([
      {
        granularity: 'DAILY',
        product_type: 'cloud_api',
        data_points: [
          {
            ...{ template_id: id, start: TODAY_S, end: TODAY_S + DAY_S, sent: 1, delivered: 1, read: 1 },
            clicked: [{ type: 'quick_reply_button', button_content: 'Show me', count: 1 }],
            cost: [
              { type: 'amount_spent', value: 0.025 },
              { type: 'cost_per_delivered', value: 0.025 },
            ],
          },
        ],
      },
    ]);
  });

  test('come by pages, with the metrics that are asked for', async () => {
    await insights();
    const ids = [await approved('one_approved'), await approved('two_approved')];
    for (const name of ['one_approved', 'two_approved']) await sent(template(name));
    const first = (await templateFigures(ids, '&metric_types=SENT&limit=1')).body;
    expect(objects(objects(first.data)[0]?.data_points)).toMatchObject([{ template_id: ids[0], sent: 1 }]);
    const { cursors } = first.paging as { cursors: { after: string } };
    const second = (await templateFigures(ids, `&metric_types=SENT&limit=1&after=${cursors.after}`)).body;
    expect(objects(objects(second.data)[0]?.data_points)).toEqual([
      { template_id: ids[1], start: TODAY_S, end: TODAY_S + DAY_S, sent: 1 },
    ]);
    expect(second.paging).not.toHaveProperty('next');
  });
});

describe('what is not as the network takes it is refused with its error 100, and a sentence', () => {
  test.each([
    ['analytics', '', /start/],
    ['analytics', '.start(yesterday).end(2).granularity(DAY)', /start/],
    ['analytics', '.start(2).end(2).granularity(DAY)', /after start/],
    ['analytics', '.start(1).end(2).granularity(HALF_HOUR)', /granularity/],
    ['analytics', '.start(1).end(2).granularity(DAY).phone_numbers(1)', /phone_numbers/],
    ['analytics', '.start(1).end(2).granularity(DAY).phone_numbers(["me"])', /phone_numbers/],
    ['analytics', '.start(1).end(2).granularity(DAY).product_types([0])', /product_types/],
    ['pricing_analytics', '.start(1).end(2).granularity(DAY)', /granularity/],
    ['pricing_analytics', '.start(1).end(2).granularity(DAILY).dimensions(["COLOUR"])', /dimensions/],
    ['pricing_analytics', '.start(1).end(2).granularity(DAILY).metric_types(["CONVERSATION"])', /metric_types/],
    ['conversation_analytics', '.start(1).end(2).granularity(DAILY).dimensions(["TIER"])', /dimensions/],
  ])('%s%s', async (name, rest, sentence) => {
    const answer = await network.graph('GET', `/v26.0/${WABA}?fields=${encodeURIComponent(name + rest)}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 100]);
    expect(JSON.stringify(answer.body)).toMatch(sentence);
  });

  test.each([
    ['start=1&end=7776002&granularity=DAILY&template_ids=[1]', /90 days/],
    ['start=1&end=2&granularity=DAILY', /template_ids/],
    ['start=1&end=2&granularity=DAILY&template_ids=[1]', /no template/],
    ['start=1&end=2&granularity=DAILY&template_ids=[1,2,3,4,5,6,7,8,9,10,11]', /at most 10/],
    ['start=1&end=2&granularity=MONTHLY&template_ids=[1]', /granularity/],
  ])('template_analytics?%s', async (query, sentence) => {
    await insights();
    const answer = await network.graph('GET', `/v26.0/${WABA}/template_analytics?${query}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 100]);
    expect(JSON.stringify(answer.body)).toMatch(sentence);
  });

  test('insights are not switched off', async () => {
    expect(codeOf(await network.graph('POST', `/v26.0/${WABA}?is_enabled_for_insights=false`))).toBe(100);
  });
});

test('an ordered failure is that of the next request for figures', async () => {
  await network.put('/_sim/failures', { analytics: { code: 4 } });
  const path = `/v26.0/${WABA}?fields=${encodeURIComponent(`analytics${TODAY}.granularity(DAY)`)}`;
  expect(codeOf(await network.graph('GET', `/v26.0/${WABA}?fields=id`))).toBeUndefined();
  expect(codeOf(await network.graph('GET', path))).toBe(4);
  expect((await network.graph('GET', path)).status).toBe(200);
});

test('a field is found by its whole name, beside others', () => {
  const fields = 'id,pricing_analytics.start(1).end(2).dimensions(["A","B"]),name';
  expect(fieldParams(fields, 'analytics')).toBeNull();
  expect(fieldParams(fields, 'pricing_analytics')).toEqual(
    new Map([
      ['start', '1'],
      ['end', '2'],
      ['dimensions', '["A","B"]'],
    ]),
  );
  expect(fieldParams('analytics{data_points}', 'analytics')).toEqual(new Map());
});
