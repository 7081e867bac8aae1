import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/json';
import { idsFor, perform, planOf } from '#http/security/testing/calls';
import { makeFullTenant, rowsOf } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import {
  type ReceivedHook,
  returningChallenges,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#testing/peers/webhook-receiver';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, type TestTenant } from '#testing/test-tenant';

/*
 * Everything that one tenant can read, is sent, or leaves in the logs, while another uses every operation beside it: nothing of the other
 * is in any of it, neither what was written, nor a name, an id, a phone number or a hash.
 */
let kit: TestService;
let owner: TestTenant;
let stranger: TestTenant;
let hooks: WebhookReceiver;
const logged: string[] = [];
const answers: string[] = [];
/** What only the owner has, with the table and member that it stands in. */
let marks: ReadonlyMap<string, string>;

const CANARY = 'canary of the owner';
/** Members of bodies in which a caller writes what it likes. */
const FREE =
  /^(name|body|text|description|label|title|caption|footer|source|client_ref|campaign_name|reason|note|value)$/;

beforeAll(async () => {
  const write = (line: unknown, _encoding: string, done: () => void): void => {
    logged.push(String(line));
    done();
  };
  kit = await startTestService({
    isAlone: true,
    log: pino({ level: 'debug' }, new Writable({ write })),
    config: { webhookAllow: '127.0.0.1' },
  });
  hooks = await startWebhookReceiver();
  hooks.answer = returningChallenges;
  stranger = await makeFullTenant(kit);
  await listen(stranger, 'stranger');
  // What is there before the owner is, is not the owner's: words of the service, and what these tests write for everybody.
  await useEverything([stranger]);
  const common = new Set((await stringsOf(stranger)).keys());
  owner = await makeFullTenant(kit);
  await listen(owner, 'owner');
  await useEverything([stranger, owner]);
  marks = new Map([...(await stringsOf(owner))].filter(([text]) => !common.has(text)));
});
afterAll(async () => {
  await kit.close();
  await hooks.close();
});

/** Endpoints for all that happens to a tenant: as events, and as the network reports it. */
async function listen(tenant: TestTenant, path: string): Promise<void> {
  for (const [format, of] of [
    ['network', `${path}/network`],
    ['postrider', path],
  ]) {
    const { status } = await tenant.call('POST', '/v1/webhook-endpoints', { url: `${hooks.url}/${of}`, format });
    expect(status).toBe(201);
  }
}

/** Operation by operation, at once; the owner with marks wherever it can write. */
async function useEverything(tenants: readonly TestTenant[]): Promise<void> {
  for (const operation of described) {
    const ids = await Promise.all(tenants.map((tenant) => idsFor(kit, tenant, operation)));
    const asked = tenants.map((tenant, place) =>
      perform(kit, tenant.key, operation, { ids: ids[place] ?? {}, ...bodyOf(operation, tenant) }),
    );
    for (const [place, answer] of (await Promise.all(asked)).entries()) if (tenants[place] === stranger) keep(answer);
  }
  for (const tenant of tenants) await talk(tenant);
  for (const operation of described.filter(({ method, pathNames }) => method === 'GET' && pathNames.length === 0)) {
    keep(await perform(kit, stranger.key, operation));
  }
}

function bodyOf(operation: Described, tenant: TestTenant): { readonly json?: JsonObject } {
  const { json } = planOf(operation.id);
  return tenant === stranger || json === undefined ? {} : { json: marked(json) as JsonObject };
}

/** A customer writes, is answered, and the tenant is told of both. */
async function talk(tenant: TestTenant): Promise<void> {
  const [text, path] = tenant === stranger ? ['Hi', '/stranger'] : [CANARY, '/owner'];
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text, name: text });
  await tenant.send(from, { body: text });
  const told = async () => hooks.received.filter((hook) => hook.path === path && hook.body.includes(from));
  const isAll = (list: readonly ReceivedHook[]) =>
    ['message.received', 'message.delivered'].every((type) => list.some(({ body }) => body.includes(type)));
  await kit.until(told, isAll, `${path} is told`);
  const passedOn = async () =>
    hooks.received.filter((hook) => hook.path === `${path}/network` && hook.body.includes(from));
  const isWhole = (list: readonly ReceivedHook[]) =>
    ['messages', 'statuses'].every((items) => list.some(({ body }) => body.includes(`"${items}":[`)));
  await kit.until(passedOn, isWhole, `${path} gets the callbacks`);
}

function keep(answer: Answer): void {
  answers.push(JSON.stringify([[...answer.headers], answer.text]));
}

function marked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] =>
    FREE.test(name) && typeof member === 'string' ? [name, `${CANARY} ${member}`] : [name, marked(member as JsonValue)],
  );
  return Object.fromEntries(entries);
}

/** Shorter ones are words and numbers that anybody may have. */
const SHORTEST_MARK = 10;
/** The simulator names a customer by the last four digits of the number: customers of two tenants may have the same name. */
const SHARED_NAME = /^Customer \d{4}$/;

/** Every text in the rows of a tenant, with where it stands. */
async function stringsOf(tenant: TestTenant): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [table, lines] of Object.entries(await rowsOf(kit, tenant))) {
    for (const line of lines.split('\n')) collect(JSON.parse(line), table, found);
  }
  return found;
}

function collect(value: JsonValue, place: string, found: Map<string, string>): void {
  if (typeof value === 'string' && value.length >= SHORTEST_MARK && !SHARED_NAME.test(value)) found.set(value, place);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) collect(member as JsonValue, `${place}.${name}`, found);
}

/** The marks in texts, with where they come from. */
function marksIn(texts: readonly string[]): readonly string[] {
  // Texts repeat; one search through all of them replaces one through each.
  const whole = [...new Set(texts)].join('\n');
  return [...marks].flatMap(([mark, place]) => (whole.includes(mark) ? [`${place}: ${mark}`] : []));
}

test('the owner has marks in all that it has, and in what it wrote itself', () => {
  const tablesOf = (all: readonly (readonly [string, string])[]) =>
    new Set(all.map(([, place]) => place.split('.')[0])).size;
  expect(marks.size).toBeGreaterThan(1_000);
  expect(tablesOf([...marks])).toBeGreaterThan(35);
  expect(tablesOf([...marks].filter(([mark]) => mark.includes(CANARY)))).toBeGreaterThan(8);
});

test('none of them is in an answer to another tenant: of lists, exports, streams, reports and errors', () => {
  expect(answers.length).toBeGreaterThan(described.length);
  expect(marksIn(answers)).toEqual([]);
});

test('none is in a webhook to another tenant', () => {
  const bodiesAt = (at: string) => hooks.received.filter(({ path }) => path === at).map(({ body }) => body);
  const [events, callbacks] = [bodiesAt('/stranger'), bodiesAt('/stranger/network')];
  expect(events.length).toBeGreaterThan(10);
  expect(callbacks.length).toBeGreaterThan(1);
  expect(marksIn([...events, ...callbacks])).toEqual([]);
});

test('none is in a log line about another tenant, and what was written is in no line at all', () => {
  const about = logged.filter((line) => line.includes(stranger.tenantId) && !line.includes(owner.tenantId));
  expect(marksIn(about)).toEqual([]);
  expect(logged.filter((line) => line.includes(CANARY))).toEqual([]);
  expect(about.length).toBeGreaterThan(10);
});

test('none is in the metrics', async () => {
  const metrics = await kit.call('GET', '/metrics');
  expect([metrics.status, marksIn([metrics.text])]).toEqual([200, []]);
});
