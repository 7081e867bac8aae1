import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { freshPhone, makeTestTenant, type TestTenant } from '../../server/src/testing/test-tenant.ts';
import {
  AuthenticationError,
  BadRequestError,
  type ClientOptions,
  NotFoundError,
  Postrider,
  PreconditionFailedError,
} from './index.ts';
import { type CuttingProxy, startCuttingProxy } from './testing/cutting-proxy.ts';

/** The beginning of a JPEG picture. */
const JPEG_HEADER = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');

let kit: TestService;
let proxy: CuttingProxy;
beforeAll(async () => {
  kit = await startTestService();
  proxy = await startCuttingProxy(kit.service.url);
});
afterAll(async () => {
  await proxy.close();
  await kit.close();
});

/** A tenant of the test's own, and a client with its key that goes through the proxy. */
async function fresh(options: ClientOptions = {}): Promise<{ tenant: TestTenant; pr: Postrider }> {
  const tenant = await makeTestTenant(kit);
  return { tenant, pr: new Postrider({ apiKey: tenant.key, baseUrl: proxy.url, ...options }) };
}

const outbound = async (pr: Postrider, to: string) => (await pr.messages.listOutbound({ to })).data;

describe('a call', () => {
  test('sends a message and reads it back, with the ID of the request', async () => {
    const { tenant, pr } = await fresh();
    const to = freshPhone();
    const accepted = await pr.messages.send({ to, body: 'Hello', phone_number_id: tenant.phoneNumberId });
    const { data, response, requestId, isReplay } = await pr.messages.get(accepted.id).withResponse();
    expect(data).toMatchObject({ id: accepted.id, direction: 'outbound', to, body: 'Hello' });
    expect(response.status).toBe(200);
    expect(requestId).toBe(response.headers.get('x-request-id'));
    expect(isReplay).toBe(false);
  });

  test('passes on what the service warns of: nobody has written to this number within a day', async () => {
    const { tenant, pr } = await fresh();
    const call = pr.messages.send({ to: freshPhone(), body: 'Hello', phone_number_id: tenant.phoneNumberId });
    const { warnings } = await call.withResponse();
    expect(warnings).toEqual(['window_closed']);
    expect((await pr.teams.list().withResponse()).warnings).toEqual([]);
  });

  test('says which client it is, and for which agent', async () => {
    const { pr } = await fresh();
    const agent = await pr.agents.create({ name: 'Ada', role: 'agent' });
    await pr.conversations.list({}, { agentId: agent.id });
    expect(proxy.passed.at(-1)?.headers).toMatchObject({
      'postrider-client': 'sdk/0.1.0',
      'x-agent-id': agent.id,
    });
  });

  test('takes IDs, then a query, and leaves out what is undefined', async () => {
    const { pr } = await fresh();
    const at = new Date('2030-01-01T00:00:00.000Z');
    await pr.messages.listOutbound({ to: '447700900123', status: undefined, created_after: at.toISOString() });
    expect(proxy.passed.at(-1)?.path).toBe(
      '/v1/messages/outbound?to=447700900123&created_after=2030-01-01T00%3A00%3A00.000Z',
    );
  });

  test('takes the query of an operation with a body among its options', async () => {
    const { pr } = await fresh();
    const phone = freshPhone();
    await pr.contacts.create({ phone, name: 'Ada' });
    const contact = await pr.contacts.create({ phone, name: 'Bea' }, { query: { on_conflict: 'update' } });
    expect(contact).toMatchObject({ phone, name: 'Bea' });
  });

  test('changes only the version that it names', async () => {
    const { pr } = await fresh();
    const team = await pr.teams.create({ name: 'Support' });
    await pr.teams.update(team.id, { name: 'Help' }, { ifMatch: team.version });
    const late = pr.teams.update(team.id, { name: 'Late' }, { ifMatch: team.version });
    await expect(late).rejects.toBeInstanceOf(PreconditionFailedError);
    expect(await pr.teams.get(team.id)).toMatchObject({ name: 'Help' });
  });

  test('uploads a file and downloads it as it was', async () => {
    const { pr } = await fresh();
    const bytes = Uint8Array.from([...JPEG_HEADER, ...Buffer.from(randomUUID())]);
    const uploaded = await pr.media.upload({ file: new File([bytes], 'parcel.jpg', { type: 'image/jpeg' }) });
    const content = await pr.media.getContent(uploaded.media_id);
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(bytes);
    expect(await pr.media.get(uploaded.media_id)).toMatchObject({ filename: 'parcel.jpg', mime_type: 'image/jpeg' });
  });

  test('imports a table as text, and exports it as a response', async () => {
    const { pr } = await fresh();
    const phone = freshPhone();
    const begun = await pr.imports.create(`phone,name\n${phone},Ada\n`, { query: { mode: 'upsert' } });
    await kit.until(
      () => pr.imports.get(begun.id),
      ({ status }) => status === 'completed',
      'the import is done',
    );
    const table = await pr.contacts.export({ format: 'csv' });
    expect(await table.text()).toContain(phone);
  });

  test('makes any request for which there is no verb', async () => {
    const { pr } = await fresh();
    const made = await pr.request<{ id: string }>({ method: 'post', path: '/v1/teams', body: { name: 'Support' } });
    expect(await pr.teams.get(made.id)).toMatchObject({ name: 'Support' });
  });

  test('shows every request to an observer, with its answer', async () => {
    const seen: unknown[] = [];
    const { pr } = await fresh({ observe: ({ method, url, status }) => seen.push([method, url, status]) });
    await pr.messages.get(randomUUID()).catch(() => undefined);
    expect(seen).toEqual([['GET', expect.stringContaining(`${proxy.url}/v1/messages/`), 404]]);
  });
});

describe('a call whose connection breaks', () => {
  test.each(['cut the answer', 'cut within the answer'] as const)('%s: takes effect once', async (fate) => {
    const { tenant, pr } = await fresh();
    const to = freshPhone();
    proxy.next(fate, fate);
    const before = proxy.passed.length;
    const { data, isReplay } = await pr.messages
      .send({ to, body: 'Once', phone_number_id: tenant.phoneNumberId })
      .withResponse();
    const tries = proxy.passed.slice(before).map(({ headers }) => headers['idempotency-key']);
    expect(tries).toEqual([tries[0], tries[0], tries[0]]);
    expect(isReplay).toBe(true);
    expect(await outbound(pr, to)).toMatchObject([{ id: data.id }]);
  });

  test('has a key of its own each time: the same call twice takes effect twice', async () => {
    const { tenant, pr } = await fresh();
    const to = freshPhone();
    const send = () => pr.messages.send({ to, body: 'Twice', phone_number_id: tenant.phoneNumberId });
    await Promise.all([send(), send()]);
    expect(await outbound(pr, to)).toHaveLength(2);
  });

  test('takes effect once however often it is made with a key of the caller', async () => {
    const { tenant, pr } = await fresh();
    const to = freshPhone();
    const send = () =>
      pr.messages.send({ to, body: 'Once', phone_number_id: tenant.phoneNumberId }, { idempotencyKey: `order-${to}` });
    const first = await send();
    expect(await send()).toEqual(first);
    expect(await outbound(pr, to)).toHaveLength(1);
  });
});

describe('a list', () => {
  test('gives its first page when awaited, all its items when walked through, and its pages', async () => {
    const { pr } = await fresh();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await pr.teams.create({ name });
    const newest = names.toReversed();
    const first = await pr.teams.list({ limit: 2 });
    expect(first.data.map(({ name }) => name)).toEqual(newest.slice(0, 2));
    const found: string[] = [];
    for await (const { name } of pr.teams.list({ limit: 2 })) found.push(name);
    expect(found).toEqual(newest);
    const sizes: number[] = [];
    for await (const { data } of pr.teams.list({ limit: 2 }).pages()) sizes.push(data.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  test('asks for no page that nobody needs', async () => {
    const { pr } = await fresh();
    for (const name of ['a', 'b', 'c']) await pr.teams.create({ name });
    const before = proxy.passed.length;
    for await (const team of pr.teams.list({ limit: 1 })) if (team.name === 'b') break;
    expect(proxy.passed.length - before).toBe(2);
  });

  test('that begins at an offset continues behind it', async () => {
    const { pr } = await fresh();
    for (const name of ['a', 'b', 'c', 'd']) await pr.teams.create({ name });
    const found: string[] = [];
    for await (const { name } of pr.teams.list({ limit: 1, offset: 1 })) found.push(name);
    expect(found).toEqual(['c', 'b', 'a']);
  });

  test('of events goes on after its cursor, oldest first', async () => {
    const { pr } = await fresh();
    for (const name of ['a', 'b', 'c']) await pr.teams.create({ name });
    const sequences: number[] = [];
    for await (const { sequence } of pr.events.list({ limit: 1 })) sequences.push(sequence);
    expect(sequences).toEqual([1, 2, 3]);
  });

  test('that is asked for with a body keeps it from page to page', async () => {
    const { pr } = await fresh();
    for (const name of ['Ada', 'Bea', 'Cyd']) await pr.contacts.create({ phone: freshPhone(), name, tags: ['vip'] });
    await pr.contacts.create({ phone: freshPhone(), name: 'Dan' });
    const when = { field: 'contact.tags', match: 'has', value: 'vip' } as const;
    const found: (string | null)[] = [];
    for await (const { name } of pr.contacts.search({ when }, { query: { limit: 1 } })) found.push(name);
    expect(found).toEqual(['Cyd', 'Bea', 'Ada']);
  });

  test('that comes all at once can be walked through like any other', async () => {
    const { pr } = await fresh();
    await pr.chatbotRules.create({
      name: 'Greeting',
      trigger: { on: 'message.received' },
      when: { field: 'text', match: 'word', value: 'hello' },
      // biome-ignore lint/suspicious/noThenProperty: the field of a rule
      then: [{ action: 'tag', add: ['greeted'] }],
    });
    const names: string[] = [];
    for await (const { name } of pr.chatbotRules.list()) names.push(name);
    expect(names).toEqual(['Greeting']);
  });
});

describe('what the service refuses', () => {
  test('is an error with its code and every problem of the request', async () => {
    const { pr } = await fresh();
    const refused = pr.messages.send({ to: 'nobody', body: '' });
    const error = await refused.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      name: 'BadRequestError',
      code: 'validation_failed',
      status: 400,
      requestId: expect.any(String),
      details: expect.arrayContaining([{ path: 'body.to', message: expect.any(String) }]),
    });
  });

  test('is told apart by its class: a wrong key, something that is not there', async () => {
    const { pr } = await fresh();
    await expect(pr.messages.get(randomUUID())).rejects.toBeInstanceOf(NotFoundError);
    const wrong = new Postrider({ apiKey: 'pr_live_wrong', baseUrl: kit.service.url });
    await expect(wrong.messages.get(randomUUID())).rejects.toThrow(AuthenticationError);
    await expect(wrong.messages.get(randomUUID())).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('is refused without a request when an ID is missing or would lead elsewhere', async () => {
    const { pr } = await fresh();
    const before = proxy.passed.length;
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await expect(pr.messages.get(id)).rejects.toThrow('messages.get needs every ID of /v1/messages/{id}');
    }
    expect(proxy.passed.length).toBe(before);
    await expect(pr.messages.get('../teams')).rejects.toThrow(NotFoundError);
    expect(proxy.passed.at(-1)?.path).toBe('/v1/messages/..%2Fteams');
  });
});
