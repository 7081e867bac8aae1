import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/json';
import { idsFor, pathOf, perform, planOf, text } from '#http/security/testing/calls';
import { make, rowsOf } from '#http/security/testing/world';
import { type Described, described, describedForPeople, servedMethods } from '#http/testing/described';
import { sendExamples } from '#messages/http/schemas/send-examples';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { openRaw } from '#testing/peers/raw-connection';
import { addExampleAgents } from '#testing/test-agents';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  // Without the notifier: every endpoint that is made would go through all that happens after it.
  kit = await startTestService({ config: { roles: 'api,receiver,ingester,dispatcher,campaigner,maintenance' } });
  tenant = await makeTestTenant(kit);
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

const posts = described.filter(({ method }) => method === 'POST');
const takesForm = ({ id }: Described): boolean => planOf(id).form === true;
const jsonPosts = posts.filter((operation) => !takesForm(operation));
const lists = described.filter(({ query }) => query.some(({ name }) => name === 'limit'));
/** What a caller has no say in, and names that programs fall over. */
const NOT_THEIRS = ['tenant_id', 'id', 'status', 'created_at', 'price', 'role', 'constructor', 'toString'];

/** What the path of an operation names. Made once for all tests, since nothing that is refused changes it. */
const madeIds = new Map<string, ReturnType<typeof idsFor>>();
function idsOf(operation: Described): ReturnType<typeof idsFor> {
  const made = madeIds.get(operation.id) ?? idsFor(kit, tenant, operation);
  madeIds.set(operation.id, made);
  return made;
}

/** Posts bytes as JSON, whatever they are. */
async function postRaw(
  operation: Described,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const ids = await idsOf(operation);
  const all = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json', ...headers };
  return callApi(kit.service.url, operation.method, pathOf(operation, ids), Buffer.from(body), all);
}

function expectRefused(label: string, answer: Answer, status: number): void {
  expect([label, answer.status, typeof answer.body?.error, typeof answer.body?.code]).toEqual([
    label,
    status,
    'string',
    'string',
  ]);
}

describe('fields that are not the caller’s to set are a 400, and nothing is stored', () => {
  test.each(posts)('in the body of $id', async (operation) => {
    const ids = await idsOf(operation);
    const before = await rowsOf(kit, tenant);
    for (const name of NOT_THEIRS) {
      const own = takesForm(operation) ? {} : (planOf(operation.id).json ?? {});
      const answer = await perform(kit, tenant.key, operation, { ids, json: { ...own, [name]: 'mine' } });
      expectRefused(name, answer, 400);
      expect(answer.body.details?.map(({ path }: { path: string }) => path)).toEqual([`body.${name}`]);
    }
    expect(await rowsOf(kit, tenant)).toEqual(before);
  });

  test.each(described)('in the query of $id', async (operation) => {
    const ids = await idsOf(operation);
    const before = await rowsOf(kit, tenant);
    const answer = await perform(kit, tenant.key, operation, { ids, search: '?tenant_id=1&constructor=2' });
    expectRefused('query', answer, 400);
    expect(await rowsOf(kit, tenant)).toEqual(before);
  });

  test.each(Object.entries(sendExamples))('in any object of the message %s', async (_name, {
    value,
  }: { value: JsonObject }) => {
    const before = await rowsOf(kit, tenant);
    for (const [place, body] of withFieldAnywhere(value, 'tenant_id')) {
      const answer = await tenant.call('POST', '/v1/messages', body);
      expectRefused(place, answer, 400);
    }
    expect(await rowsOf(kit, tenant)).toEqual(before);
  });

  test('in a message of a batch, which stops no other', async () => {
    const messages = [{ ...text, tenant_id: 'x' }, text];
    const { status, body } = await tenant.call('POST', '/v1/messages/batch', { messages });
    expect([status, body.data.map((item: { status: number }) => item.status)]).toEqual([200, [400, 202]]);
  });
});

/** Objects whose keys are the caller's own words. */
const FREE = ['variables'];

/** Copies with one more field, in each object of the value in turn. */
function withFieldAnywhere(value: JsonValue, name: string, place = 'body'): (readonly [string, JsonValue])[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Array.isArray(value) ? [] : [[place, { ...value, [name]: 'x' }] as const];
  const inside = Object.entries(value).flatMap(([key, item]) => {
    if (FREE.includes(key)) return [];
    const copies = withFieldAnywhere(item, name, `${place}.${key}`);
    return copies.map(([where, copy]) => [where, replaced(value, key, copy)] as const);
  });
  return [...here, ...inside];
}

function replaced(value: JsonObject | readonly JsonValue[], key: string, by: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? by : item));
  return { ...value, [key]: by };
}

const NOBODYS = '0190a6f2-0000-7000-8000-00000000dead';
const NOTHING = '{"error":"The resource does not exist.","code":"not_found"}';

const malformed: readonly (readonly [label: string, body: string | Buffer])[] = [
  ['half an object', '{"to":'],
  ['a comma too many', '{"to":"1",}'],
  ['a comment', '{/* hi */}'],
  ['a single quote', "{'to':1}"],
  ['an array', '[]'],
  ['a text', '"hello"'],
  ['a number', '42'],
  ['a number beyond all', '{"amount":1e400,"name":1e400,"to":1e400,"overlap_s":1e400,"typing":1e400}'],
  ['a number of 60,000 digits', `{"amount":${'9'.repeat(60_000)},"overlap_s":${'9'.repeat(60_000)}}`],
  ['nesting of 5,000', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['arrays of 50,000', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['its prototype', '{"__proto__":{"tenant_id":"x"}}'],
  ['its constructor’s prototype', '{"constructor":{"prototype":{"x":1}}}'],
  ['U+0000', '{"to":"a\\u0000b","name":"a\\u0000b","typing":"a\\u0000b","overlap_s":"\\u0000","amount":"\\u0000"}'],
  ['half a surrogate pair', '{"to":"\\ud800","name":"\\ud800","typing":"\\ud800","overlap_s":"\\ud800"}'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['100,000 unknown fields', `{${Array.from({ length: 10_000 }, (_item, index) => `"f${index}":1`).join(',')}}`],
];

describe('a body that is no valid JSON of its kind is a 400', () => {
  test.each(jsonPosts)('at $id', async (operation) => {
    const ids = await idsOf(operation);
    const path = pathOf(operation, ids);
    const stored = await rowsOf(kit, tenant);
    for (const [label, body] of malformed) {
      const headers = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' };
      expectRefused(label, await callApi(kit.service.url, 'POST', path, Buffer.from(body), headers), 400);
    }
    expect(await rowsOf(kit, tenant)).toEqual(stored);
  });
});

describe('a body of another content type is a 415', () => {
  test.each(posts)('at $id', async (operation) => {
    const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonx'];
    for (const type of takesForm(operation) ? [...types, 'application/json'] : [...types, 'multipart/form-data']) {
      expectRefused(type, await postRaw(operation, '{}', { 'content-type': type }), 415);
    }
  });

  test.each(jsonPosts)('also when it is compressed, which would hide its size, at $id', async (operation) => {
    expectRefused('gzip', await postRaw(operation, '{}', { 'content-encoding': 'gzip' }), 415);
  });
});

describe('a body that is too large is a 413, and nothing is kept', () => {
  const MIB = 1024 * 1024;
  /** Most bodies end at 1 MiB or sooner; a flow may be 10 MB. */
  const tooLarge = ({ id }: Described) => (id === 'createFlow' ? 12 : 2) * MIB + 1;

  test.each(jsonPosts)('at $id', async (operation) => {
    expectRefused('padded', await postRaw(operation, '{}'.padEnd(tooLarge(operation))), 413);
  });

  test.each(posts.filter(takesForm))('at $id', async ({ path }) => {
    const before = await rowsOf(kit, tenant);
    const answer = await uploadFile(kit, tenant.key, jpegBytes(16 * 1024 * 1024 + 1), { path });
    expectRefused('file', answer, 413);
    expect(await rowsOf(kit, tenant)).toEqual(before);
  });
});

describe('after a body that is refused, the connection answers the next request or ends', () => {
  const SIZES = [20_000, 288 * 1024, 1024 * 1024 + 1];

  test.each(described.filter(({ method }) => method !== 'GET'))('at $id', async (operation) => {
    const path = pathOf(operation, await idsOf(operation));
    const type = takesForm(operation) ? 'multipart/form-data; boundary=a' : 'application/json';
    for (const bytes of SIZES) {
      const { socket, arrived, closed } = await openRaw(kit.service.url);
      const headers = `host: a\r\nauthorization: Bearer ${tenant.key}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}`;
      socket.write(`${operation.method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n${'x'.repeat(bytes)}`);
      socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
      const answers = await arrived(/\{"status":"ok"\}/).catch(() => closed);
      socket.destroy();
      expect(answers).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });
});

describe('a method that a path does not serve is a 405 that names those it does', () => {
  test.each(servedMethods)('at %s', async (path, served) => {
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    const operation = [...described, ...describedForPeople].find((one) => one.path === path);
    const url = kit.service.url + path.replace(/\{\w+\}/g, kit.rt.newId<string>());
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].filter((name) => !allow.includes(name))) {
      const answer = await bare(method, url, { authorization: `Bearer ${tenant.key}` });
      expect([operation?.path, method, answer.statusCode]).toEqual([path, method, 405]);
      expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(allow.toSorted());
    }
  });

  test('and a header cannot turn one method into another', async () => {
    const id = await make(kit, tenant, 'image');
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    expect((await tenant.call('GET', `/v1/media/${id}?_method=DELETE`, undefined, headers)).status).toBe(400);
    expect((await tenant.call('GET', `/v1/media/${id}`, undefined, headers)).status).toBe(200);
    expect((await tenant.call('GET', `/v1/media/${id}`)).status).toBe(200);
  });
});

/** One request with any method, which `fetch` would not send. */
async function bare(method: string, url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const sent = request(url, { method, headers, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

describe('parameters beyond their limits are a 4xx', () => {
  const pages = [
    'limit=0',
    'limit=-1',
    'limit=1001',
    'limit=1e9',
    'limit=NaN',
    'limit=',
    'limit=1&limit=2',
    'limit=1.5',
    'limit=1e400',
    'limit=Infinity',
  ];
  const offsets = [
    'offset=-1',
    'offset=1e400',
    'offset=-Infinity',
    'offset=99999999999999999999',
    'offset=x',
    'cursor=',
    'cursor=x',
    'offset=1&cursor=x',
  ];
  const cursors = [
    `cursor=${'A'.repeat(43)}`,
    `cursor=${'A'.repeat(5_000)}`,
    'cursor=%00',
    "cursor=';--",
    'cursor=%F0%9F%92%A9',
  ];

  test.each(lists)('of the page at $id', async (operation) => {
    const ids = await idsOf(operation);
    for (const search of [...pages, ...offsets, ...cursors]) {
      expectRefused(search, await perform(kit, tenant.key, operation, { ids, search: `?${search}` }), 400);
    }
  });

  test.each(
    described.filter(({ pathNames }) => pathNames.length > 0),
  )('of the path at $id, answered as what does not exist', async (operation) => {
    for (const id of ['1', '0', 'null', "' or 1=1", '../../etc/passwd', 'x'.repeat(400), '\u0000', '💩', '{id}']) {
      for (const name of operation.pathNames) {
        const ids = { ...Object.fromEntries(operation.pathNames.map((each) => [each, NOBODYS])), [name]: id };
        const answer = await perform(kit, tenant.key, operation, { ids });
        expect([name, id, answer.status, answer.text]).toEqual([name, id, 404, NOTHING]);
      }
    }
  });

  test.each(described.filter(({ scope }) => scope !== null))('in headers and number at $id', async (operation) => {
    const ids = await idsOf(operation);
    const many = Array.from({ length: 2_000 }, (_item, index) => `p${index}=1`).join('&');
    const tooMany = await perform(kit, tenant.key, operation, { ids, search: `?${many.slice(0, 8_000)}` });
    expectRefused('many parameters', tooMany, 400);
    const long = await perform(kit, tenant.key, operation, { ids, headers: { 'x-long': 'x'.repeat(30_000) } });
    expectRefused('a long header', long, 431);
    if (!operation.headerNames.includes('Idempotency-Key')) return;
    for (const key of ['x'.repeat(256), 'two words', '']) {
      const answer = await perform(kit, tenant.key, operation, { ids, headers: { 'idempotency-key': key } });
      // fetch trims: an empty header is none to some servers, here it is a fault.
      expectRefused(`the key ${key.slice(0, 9)}`, answer, 400);
    }
  });
});
