import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#runtime/config';
import { type FiguresClient, makeFiguresClient } from './figures-client.ts';

const DAY_S = 24 * 3600;
const at = { networkAccountId: '300400500600', token: 'token' };
const period = { startMs: 0, endMs: DAY_S * 1000 };
const wish = { period, interval: 'day', phones: ['16505550111', '16505550112'] } as const;
const PHONES = '.phone_numbers(["16505550111","16505550112"])';

let server: Server;
let client: FiguresClient;
/** Path and query of each request, in order. */
let seen: URL[] = [];
/** The next answers, in order; the last one stays. */
let answers: readonly (readonly [status: number, content: unknown])[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(new URL(request.url ?? '', 'http://network'));
    const [status, content] = answers[Math.min(seen.length, answers.length) - 1] ?? [500, ''];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof content === 'string' ? content : JSON.stringify(content));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const networkUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = makeFiguresClient({ ...readConfig({}), networkUrl });
});
afterAll(async () => {
  await client.close();
  server.close();
});

function answerWith(...given: typeof answers): void {
  answers = given;
  seen = [];
}

const fieldsAsked = () => seen.map((url) => url.searchParams.get('fields'));

describe('the network is asked', () => {
  test('for messages, prices and conversations in its own words', async () => {
    answerWith([200, { id: at.networkAccountId }]);
    await client.messageFigures(at, wish);
    await client.messageFigures(at, { ...wish, interval: 'month' });
    await client.priceFigures(at, wish, 'phone_number_id');
    await client.conversationFigures(at, { ...wish, interval: 'month' }, 'category');
    const time = `.start(0).end(${DAY_S})`;
    expect(fieldsAsked()).toEqual([
      `analytics${time}.granularity(DAY)${PHONES}`,
      `analytics${time}.granularity(MONTH)${PHONES}`,
      `pricing_analytics${time}.granularity(DAILY)${PHONES}.metric_types(["COST","VOLUME"]).dimensions(["PHONE"])`,
      `conversation_analytics${time}.granularity(MONTHLY)${PHONES}.metric_types(["COST","CONVERSATION"]).dimensions(["CONVERSATION_CATEGORY"])`,
    ]);
    expect(seen[0]?.pathname).toMatch(/^\/v\d+\.\d+\/300400500600$/);
  });

  test('for ten templates at once, and for their further pages', async () => {
    const point = (template_id: string) => ({ template_id, start: 0, end: DAY_S, sent: 1 });
    const page = (ids: readonly string[], after: string | null) => ({
      data: [{ data_points: ids.map(point) }],
      paging: after === null ? {} : { cursors: { after }, next: 'https://…' },
    });
    answerWith([200, page(['1', '2'], 'QQ')], [200, page(['3'], null)], [200, page(['11'], null)]);
    const networkTemplateIds = Array.from({ length: 11 }, (_, place) => String(place + 1));
    const asked = await client.templateFigures(at, { period, networkTemplateIds });
    expect(asked.ok && asked.value.map((one) => one.networkTemplateId)).toEqual(['1', '2', '3', '11']);
    expect(seen.map(({ searchParams }) => [searchParams.get('template_ids'), searchParams.get('after')])).toEqual([
      ['[1,2,3,4,5,6,7,8,9,10]', null],
      ['[1,2,3,4,5,6,7,8,9,10]', 'QQ'],
      ['[11]', null],
    ]);
  });

  test('for nothing when there are no templates', async () => {
    answerWith([500, '']);
    expect(await client.templateFigures(at, { period, networkTemplateIds: [] })).toEqual({ ok: true, value: [] });
    expect(seen).toEqual([]);
  });
});

test.each([
  ['no JSON', '<html>'],
  ['no points', { id: '1', analytics: { granularity: 'DAY' } }],
  ['a point without a time', { id: '1', analytics: { data_points: [{ sent: 1 }] } }],
])('an answer with %s counts as none', async (_label, content) => {
  answerWith([200, content]);
  const asked = await client.messageFigures(at, wish);
  expect(asked).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
});

test('a refusal has the code and the words of the network', async () => {
  const error = { code: 200007, type: 'OAuthException', message: 'Template insights are not enabled.' };
  answerWith([400, { error }]);
  const asked = await client.templateFigures(at, { period, networkTemplateIds: ['1'] });
  const failure = { kind: 'refused', networkCode: 200007, details: error.message, rule: { retryClass: 'never' } };
  expect(asked).toMatchObject({ ok: false, failure });
});
