import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventId } from '#events/domain/event';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { recordEvents } from '#testing/test-events';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

const bodiesOf = (answer: Answer) => answer.body.data.map((event: Answer['body']) => event.data.body);
const texts = (...bodies: string[]) => bodies.map((body) => ({ data: { body } }));
const fresh = () => makeTestTenant(kit);

describe('GET /v1/events', () => {
  test('gives events in the order of their commits, page by page, each as the envelope says', async () => {
    const tenant = await fresh();
    await recordEvents(kit, tenant.tenantId, texts('a', 'b'));
    await recordEvents(kit, tenant.tenantId, texts('c'));
    const first = await tenant.call('GET', '/v1/events?limit=2');
    expect(bodiesOf(first)).toEqual(['a', 'b']);
    expect(first.body.page).toEqual({ limit: 2, has_more: true, next_cursor: first.body.data[1].id });
    expect(first.body.data[0]).toMatchObject({ sequence: 1, type: 'message.received', api_version: '1.0.0' });
    const second = await tenant.call('GET', `/v1/events?after=${first.body.page.next_cursor}`);
    expect(bodiesOf(second)).toEqual(['c']);
    expect(second.body.page.has_more).toBe(false);
    const one = await tenant.call('GET', `/v1/events/${second.body.data[0].id}`);
    expect(one.body).toEqual(second.body.data[0]);
  });

  test('gives only the types that are asked for, and its cursor passes over the others', async () => {
    const tenant = await fresh();
    const other = { type: 'message.queued', data: { ...queued } } as const;
    await recordEvents(kit, tenant.tenantId, [other, { data: { body: 'wanted' } }, other]);
    const answer = await tenant.call('GET', '/v1/events?types=message.received');
    expect(bodiesOf(answer)).toEqual(['wanted']);
    const all = await tenant.call('GET', '/v1/events');
    expect(answer.body.page.next_cursor).toBe(all.body.data[2].id);
    const failed = await tenant.call('GET', '/v1/events?types=message.failed');
    expect(failed.body).toMatchObject({ data: [], page: { next_cursor: all.body.data[2].id } });
  });

  test('waits for an event and answers as soon as it is committed', async () => {
    const tenant = await fresh();
    const waiting = tenant.call('GET', '/v1/events?wait=30');
    await recordEvents(kit, tenant.tenantId, texts('at last'));
    expect(bodiesOf(await waiting)).toEqual(['at last']);
  });

  test('answers an empty list with the same cursor when the wait is over', async () => {
    const tenant = await fresh();
    await recordEvents(kit, tenant.tenantId);
    const { next_cursor: cursor } = (await tenant.call('GET', '/v1/events')).body.page;
    const answer = await tenant.call('GET', `/v1/events?after=${cursor}&wait=1`);
    expect(answer.body).toEqual({ data: [], page: { limit: 50, has_more: false, next_cursor: cursor } });
  });

  test('refuses what is no event, no type, or no longer there, and tells others nothing', async () => {
    const [tenant, stranger] = [await fresh(), await fresh()];
    await recordEvents(kit, tenant.tenantId, texts('old'));
    const { id } = (await tenant.call('GET', '/v1/events')).body.data[0];
    expect((await stranger.call('GET', `/v1/events/${id}`)).status).toBe(404);
    expect((await stranger.call('GET', `/v1/events?after=${id}`)).body.code).toBe('validation_failed');
    expect((await tenant.call('GET', '/v1/events?types=parcel.lost')).body.details[0].path).toBe('query.types');
    expect((await callApi(kit.service.url, 'GET', '/v1/events')).status).toBe(401);
  });

  test('a place that a restored database does not have is refused, also when newer events have its number', async () => {
    const tenant = await fresh();
    await recordEvents(kit, tenant.tenantId, texts('kept'));
    const kept = (await tenant.call('GET', '/v1/events')).body.data[0].id;
    const lost = eventId(tenant.tenantId, 2, kit.rt.clock.now() - 1);
    const refused = { status: 410, body: { code: 'events_expired' } };
    const asked = () => tenant.call('GET', `/v1/events?after=${lost}`);
    expect(await asked()).toMatchObject(refused);
    await recordEvents(kit, tenant.tenantId, texts('second', 'third'));
    expect(await asked()).toMatchObject(refused);
    expect(await tenant.call('GET', '/v1/events/stream', undefined, { 'last-event-id': lost })).toMatchObject(refused);
    expect(bodiesOf(await tenant.call('GET', `/v1/events?after=${kept}`))).toEqual(['second', 'third']);
  });

  test('a stream and a reader that waits end when the database behind them was restored', async () => {
    const tenant = await fresh();
    await recordEvents(kit, tenant.tenantId, texts('first', 'second'));
    const last = (await tenant.call('GET', '/v1/events')).body.page.next_cursor;
    const stream = await open(tenant.key, `?after=${last}`);
    await stream.until('retry');
    const { db } = kit.service;
    await db.transaction(async (tx) => {
      const text = (table: string, set: string) => `${table} where tenant_id = $1 ${set}`;
      await tx.run({ name: 't1', text: text('delete from event_pages', 'and last_seq > 1') }, [tenant.tenantId]);
      await tx.run({ name: 't2', text: 'update event_heads set last_seq = 1 where tenant_id = $1' }, [tenant.tenantId]);
    });
    await recordEvents(kit, tenant.tenantId, texts('of the restored database'));
    await expect(stream.until('of the restored database')).rejects.toThrow();
    expect(await tenant.call('GET', `/v1/events?after=${last}&wait=5`)).toMatchObject({ status: 410 });
  });

  test('keeps events for 30 days, and says so when some that a reader has not seen were removed', async () => {
    const tenant = await fresh();
    const nowMs = kit.rt.clock.now();
    const daysAgo = (days: number) => {
      const clock = { ...kit.rt.clock, now: () => nowMs - days * 24 * 3_600_000 };
      return { ...kit, rt: { ...kit.rt, clock } };
    };
    await recordEvents(daysAgo(31), tenant.tenantId, texts('long ago'));
    await recordEvents(daysAgo(31), tenant.tenantId, texts('long ago too'));
    await recordEvents(daysAgo(29), tenant.tenantId, texts('kept'));
    const old = (await tenant.call('GET', '/v1/events')).body.data;
    expect((await removeOldRows(kit.rt, kit.service.db)).eventPages).toBe(2);
    expect(await tenant.call('GET', `/v1/events?after=${old[0].id}`)).toMatchObject({
      status: 410,
      body: { code: 'events_expired' },
    });
    expect((await tenant.call('GET', `/v1/events/${old[0].id}`)).status).toBe(410);
    const stream = await tenant.call('GET', '/v1/events/stream', undefined, { 'last-event-id': old[0].id });
    expect(stream).toMatchObject({ status: 410, body: { code: 'events_expired' } });
    expect(bodiesOf(await tenant.call('GET', `/v1/events?after=${old[1].id}`))).toEqual(['kept']);
    expect(bodiesOf(await tenant.call('GET', '/v1/events'))).toEqual(['kept']);
  });
});

const queued = {
  id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  status: 'queued',
  type: 'text',
  to: '447700900123',
  phone_number_id: '106540352242922',
  campaign_name: null,
  client_ref: null,
  template: null,
  author: null,
  conversation_id: null,
  contact_id: null,
};

interface Stream {
  /** The next piece; null at the end. */
  next(): Promise<string | null>;
  /** Reads until the text came. */
  until(text: string): Promise<string>;
  close(): Promise<void>;
}

async function open(key: string, query = '', headers: Record<string, string> = {}): Promise<Stream> {
  const all = { authorization: `Bearer ${key}`, ...headers };
  const response = await fetch(`${kit.service.url}/v1/events/stream${query}`, { headers: all });
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value ?? null;
  return {
    next,
    until: async (text) => {
      let seen = '';
      while (!seen.includes(text)) {
        const piece = await next();
        if (piece === null) throw new Error(`The stream ended after ${seen}`);
        seen += piece;
      }
      return seen;
    },
    close: () => reader.cancel(),
  };
}

describe('GET /v1/events/stream', () => {
  test('gives what happens from now on, and after a break goes on behind Last-Event-ID', async () => {
    const tenant = await fresh();
    await recordEvents(kit, tenant.tenantId, texts('before'));
    const stream = await open(tenant.key);
    await recordEvents(kit, tenant.tenantId, texts('during'));
    const seen = await stream.until('during');
    expect(seen).not.toContain('before');
    await stream.close();
    await recordEvents(kit, tenant.tenantId, texts('away'));
    const id = /id: (\S+)\nevent/.exec(seen)?.[1] ?? '';
    expect(seen).toContain('event: message.received\n');
    const again = await open(tenant.key, '', { 'last-event-id': id });
    expect(await again.until('away')).not.toContain('during');
    await again.close();
  });

  test('gives only the types that are asked for', async () => {
    const tenant = await fresh();
    const stream = await open(tenant.key, '?types=message.received');
    const other = { type: 'message.queued', data: { ...queued } } as const;
    await recordEvents(kit, tenant.tenantId, [other, { data: { body: 'wanted' } }, other]);
    await recordEvents(kit, tenant.tenantId, texts('the last'));
    const seen = await stream.until('the last');
    expect([...seen.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual([
      'message.received',
      'message.received',
    ]);
    await stream.close();
  });

  test('is ended by its time and by the end of its key', async () => {
    const tenant = await fresh();
    const made = await tenant.call('POST', '/v1/api-keys', { name: 'reader', scopes: ['events:read'] });
    const stream = await open(made.body.key);
    const limited = await open(tenant.key, '?for=1');
    await stream.next();
    await tenant.call('DELETE', `/v1/api-keys/${made.body.id}`);
    expect(await stream.next()).toBeNull();
    await limited.next();
    expect(await limited.next()).toBeNull();
  });

  test('a key holds ten streams and no more until one ends', async () => {
    const tenant: TestTenant = await fresh();
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(tenant.key)));
    const refused = await tenant.call('GET', '/v1/events/stream');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    await Promise.all(streams.map((stream) => stream.close()));
    const next = await kit.until(
      () => open(tenant.key).catch(() => null),
      (stream) => stream !== null,
      'a place is free again',
    );
    await next?.close();
  });
});
