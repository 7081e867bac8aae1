import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthenticator } from '#access/actions/authenticate';
import { listAudit } from '#access/store/audit-log';
import { migrationsFolder } from '#bin/service';
import type { CallbackId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { appendCallbacks, keepUnhandledItems } from '#inbound/store/callbacks';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import type { OperatorDeps } from './command.ts';
import { runOperatorCommand } from './commands.ts';

const rt = testRuntime();
let database: TestDatabase;
let deps: OperatorDeps;
let shop: string;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  deps = { rt, db: database.db, migrationsFolder: migrationsFolder() };
  shop = String((await run('tenants.create', { name: 'Flower shop' })).id);
});
afterAll(() => database.drop());

const run = (name: string, input: JsonObject = {}) => runOperatorCommand(deps, name, input);
const firstOf = (answer: JsonObject) => (answer.data as readonly JsonObject[])[0];

describe('tenants', () => {
  test('a made tenant is listed', async () => {
    expect(firstOf(await run('tenants.list'))).toMatchObject({
      id: shop,
      name: 'Flower shop',
      unknown_resends: 1,
      window_policy: 'network',
    });
  });

  test('the window policy of a tenant can be changed, with the template that goes then', async () => {
    const wish = { tenant: 'Flower shop', window_policy: 'template', fallback_template: 'hello_again:en_US' };
    expect(await run('tenants.set', wish)).toMatchObject({
      window_policy: 'template',
      fallback_template: 'hello_again:en_US',
    });
    await expect(run('tenants.set', { ...wish, fallback_template: 'hello again' })).rejects.toThrow('name:language');
    expect(await run('tenants.set', { tenant: 'Flower shop', window_policy: 'network' })).toMatchObject({
      window_policy: 'network',
      fallback_template: null,
    });
  });

  test('the addresses of a tenant can be limited, and opened again', async () => {
    const allowed = ['198.51.100.0/24', '2001:db8::/32'];
    const wish = { tenant: 'Flower shop', allowed_ips: allowed };
    expect(await run('tenants.allow-ip', wish)).toMatchObject({ allowed_ips: allowed });
    await expect(run('tenants.allow-ip', { ...wish, allowed_ips: ['10.0.0.0/33'] })).rejects.toThrow(
      '"10.0.0.0/33" is not an address or a network',
    );
    expect(firstOf(await run('tenants.list'))).toMatchObject({ allowed_ips: allowed });
    expect(await run('tenants.allow-ip', { tenant: 'Flower shop' })).toMatchObject({ allowed_ips: [] });
  });

  test('the countries of a tenant can be limited, and opened again', async () => {
    const wish = { tenant: 'Flower shop', allowed_countries: ['de', 'AT'] };
    expect(await run('tenants.allow-countries', wish)).toMatchObject({ allowed_countries: ['DE', 'AT'] });
    await expect(run('tenants.allow-countries', { ...wish, allowed_countries: ['XX'] })).rejects.toThrow(
      '"XX" is not a country with phone numbers',
    );
    expect(firstOf(await run('tenants.list'))).toMatchObject({ allowed_countries: ['DE', 'AT'] });
    expect(await run('tenants.allow-countries', { tenant: 'Flower shop' })).toMatchObject({ allowed_countries: [] });
  });

  test('a policy that does not exist is refused', async () => {
    await expect(run('tenants.create', { name: 'x', unknown_resends: '3' })).rejects.toThrow('0, 1 or 2');
    await expect(run('tenants.create', { name: 'x', window_policy: 'template' })).rejects.toThrow('needs a fallback');
    await expect(run('tenants.create', { name: 'x', window_policy: 'none' })).rejects.toThrow(
      'network, refuse or template',
    );
  });
});

describe('keys', () => {
  test('a made key works, and is listed without itself', async () => {
    const made = await run('keys.create', { name: 'web', mode: 'test' });
    expect(made).toMatchObject({ key: expect.stringMatching(/^pr_test_/), tenant: shop });
    expect(await makeAuthenticator(rt, database.db).authenticate(String(made.key))).toMatchObject({ keyId: made.id });
    expect(JSON.stringify(await run('keys.list'))).not.toContain(String(made.key));
  });

  test('a key is limited to addresses and to numbers of its tenant', async () => {
    const number = { tenant: shop, phone_number_id: '100200300', phone: '+15550100001' };
    await run('numbers.add', number);
    const limits = { allowed_ips: ['198.51.100.0/24'], phone_number_ids: ['100200300'] };
    const made = await run('keys.create', { tenant: shop, ...limits });
    expect(made).toMatchObject(limits);
    const listed = (await run('keys.list')).data as readonly JsonObject[];
    expect(listed.find(({ id }) => id === made.id)).toMatchObject(limits);
    expect(await makeAuthenticator(rt, database.db).authenticate(String(made.key))).toMatchObject({
      allowedIps: limits.allowed_ips,
      phoneNumberIds: limits.phone_number_ids,
    });
    await expect(run('keys.create', { phone_number_ids: ['424242'] })).rejects.toThrow(
      '424242 does not name a sending number',
    );
    await expect(run('keys.create', { allowed_ips: ['office'] })).rejects.toThrow('"office" is not an address');
  });

  test('rotating gives a new key and leaves the old one for the overlap', async () => {
    const old = await run('keys.create', { scopes: ['messages:read'] });
    const fresh = await run('keys.rotate', { key: String(old.id), overlap_s: 60 });
    const authenticator = makeAuthenticator(rt, database.db);
    expect(await authenticator.authenticate(String(old.key))).not.toBeNull();
    expect(await authenticator.authenticate(String(fresh.key))).toMatchObject({ scopes: ['messages:read'] });
  });

  test('rotating without overlap ends the old key at once', async () => {
    const old = await run('keys.create');
    await run('keys.rotate', { key: String(old.id), overlap_s: 0 });
    expect(await makeAuthenticator(rt, database.db).authenticate(String(old.key))).toBeNull();
  });

  test.each(['id', 'key'] as const)('a key is revoked by its %s', async (by) => {
    const made = await run('keys.create');
    expect(await run('keys.revoke', { key: String(made[by]) })).toMatchObject({ id: made.id, status: 'revoked' });
    expect(await makeAuthenticator(rt, database.db).authenticate(String(made.key))).toBeNull();
    await expect(run('keys.revoke', { key: String(made[by]) })).rejects.toThrow('No working key matches');
  });

  test('a key may carry a rate of its own, and only scopes that exist', async () => {
    expect(await run('keys.create', { rate: 5 })).toMatchObject({ rate_per_second: 5 });
    await expect(run('keys.create', { scopes: ['messages:erase'] })).rejects.toThrow('"messages:erase" is not a scope');
  });

  test('a successor of a key that ends by itself lives as long, and the old one no longer than it would have', async () => {
    const old = await run('keys.create', { expires_in_s: 100 });
    const fresh = await run('keys.rotate', { key: String(old.id), overlap_s: 5000 });
    const keys = (await run('keys.list')).data as readonly JsonObject[];
    const endOf = (id: unknown) => Date.parse(String(keys.find((key) => key.id === id)?.expires_at));
    expect(endOf(old.id)).toBe(Date.parse(String(old.expires_at)));
    expect(endOf(fresh.id)).toBeGreaterThanOrEqual(endOf(old.id));
    expect(Date.parse(String(fresh.old_works_until))).toBe(endOf(old.id));
  });

  test('an expiry in the past cannot be asked for', async () => {
    await expect(run('keys.create', { expires_in_s: 0 })).rejects.toThrow('whole number');
  });
});

describe('numbers', () => {
  test('a number is added, paused with its reason, and resumed', async () => {
    const added = await run('numbers.add', { phone_number_id: '4201', phone: '+1 555 010 0001', rate: 20 });
    expect(added).toMatchObject({
      id: '4201',
      phone: '15550100001',
      status: 'active',
      rate_per_second: 20,
      tenant: shop,
    });
    expect(await run('numbers.pause', { phone_number_id: '4201', reason: 'Low quality' })).toMatchObject({
      status: 'paused',
      pause_reason: 'Low quality',
    });
    expect(await run('numbers.resume', { phone_number_id: '4201' })).toMatchObject({
      status: 'active',
      pause_reason: null,
    });
  });

  test('a number of another tenant is not taken over', async () => {
    const other = String((await run('tenants.create', { name: 'Bank' })).id);
    await run('numbers.add', { phone_number_id: '4202', phone: '15550100002', tenant: shop });
    await expect(run('numbers.add', { phone_number_id: '4202', phone: '15550100002', tenant: other })).rejects.toThrow(
      'another tenant',
    );
  });

  test('an unknown number is a refusal', async () => {
    await expect(run('numbers.pause', { phone_number_id: '99' })).rejects.toThrow('no sending number 99');
  });

  test('with several tenants a command needs the name or id of one', async () => {
    await expect(run('numbers.add', { phone_number_id: '4203', phone: '15550100003' })).rejects.toThrow('--tenant');
    expect(
      await run('numbers.add', { phone_number_id: '4203', phone: '15550100003', tenant: 'Flower shop' }),
    ).toMatchObject({ tenant: shop });
    await expect(run('keys.list', { tenant: 'Nobody' })).rejects.toThrow('no tenant "Nobody"');
  });
});

describe('callbacks', () => {
  test('replaying queues what was received in the span', async () => {
    const received = { receivedMs: Date.UTC(2026, 0, 1), body: Buffer.from('{}') };
    await appendCallbacks(database.db, rt.newId, [received, received]);
    await database.db.run({ name: 'test_empty_queue', text: 'delete from callback_queue' }, []);
    expect(
      await run('callbacks.replay', { since: '2026-01-02T00:00:00Z', until: '2026-01-03T00:00:00Z' }),
    ).toMatchObject({ queued: 0 });
    expect(
      await run('callbacks.replay', { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }),
    ).toMatchObject({ queued: 2 });
    expect(await run('callbacks.leftovers')).toEqual({ data: [] });
  });

  test('unhandled items of a name are shown with their content, newest first; a long one is cut', async () => {
    const [first, second] = [rt.newId<CallbackId>(), rt.newId<CallbackId>()];
    const item = { item: 0, name: 'calls', reason: 'Nothing reads this kind yet.' };
    const long = { text: 'x'.repeat(9_000) };
    await database.db.transaction((tx) => keepUnhandledItems(tx, [{ ...item, callbackId: first, raw: long }], 1_000));
    await database.db.transaction((tx) =>
      keepUnhandledItems(tx, [{ ...item, callbackId: second, raw: { id: '1' } }], 2_000),
    );
    const { data } = await run('callbacks.leftovers', { show: 'calls' });
    expect(data).toMatchObject([
      {
        callback_id: second,
        item: 0,
        reason: item.reason,
        recorded_at: '1970-01-01T00:00:02.000Z',
        content: { id: '1' },
      },
      { callback_id: first, content: expect.stringMatching(/^\{"text": "x+…$/), characters: 9_012 },
    ]);
    expect(await run('callbacks.leftovers', { show: 'calls', limit: 1 })).toEqual({ data: [(data as unknown[])[0]] });
    expect(await run('callbacks.leftovers', { show: 'flows' })).toEqual({ data: [] });
    await expect(run('callbacks.leftovers', { show: 'calls', limit: 101 })).rejects.toThrow('limit');
  });

  test.each([
    ['a time that is none', { since: 'yesterday' }],
    ['a span that ends before it starts', { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
  ])('%s is refused', async (_label, input) => {
    await expect(run('callbacks.replay', input)).rejects.toThrow('since');
  });
});

describe('dead letters', () => {
  test('requeueing asks for messages, ids that are ids, and failed ones', async () => {
    await expect(run('dead-letters.requeue', { tenant: shop })).rejects.toThrow('--all');
    await expect(run('dead-letters.requeue', { tenant: shop, ids: ['42'] })).rejects.toThrow('not a message id');
    await expect(run('dead-letters.requeue', { tenant: shop, ids: [rt.newId<string & never>()] })).rejects.toThrow(
      'None of these',
    );
    expect(await run('dead-letters.requeue', { tenant: shop, all: true })).toEqual({
      requeued: 0,
      skipped: 0,
      ids: [],
    });
    expect(await run('dead-letters.list', { tenant: shop })).toEqual({ data: [] });
    const window = { limit: 1, offset: 0, beforeId: null };
    const log = await listAudit(deps.db, shop as TenantId, { action: 'operator.read' }, window);
    expect(log.items).toMatchObject([{ origin: { actor: 'operator' }, details: { list: 'dead_letters', count: 0 } }]);
  });
});

describe('held messages', () => {
  test('are listed, begun and released, also when there are none', async () => {
    expect(await run('held.list')).toEqual({ data: [] });
    expect(await run('held.begin')).toEqual({ held: 0 });
    expect(await run('held.release', { unsent: true })).toEqual({ released: 0 });
    expect(await run('held.release', { tenant: shop })).toEqual({ released: 0 });
    await expect(run('held.release', { tenant: 'nobody' })).rejects.toThrow('There is no tenant');
    const { work } = await run('diagnose');
    expect(work).toMatchObject({ history: { id: 1, reason: 'operator' }, held: 0 });
  });
});

describe('diagnosis', () => {
  test('it tells schema and work, and changes nothing', async () => {
    const diagnosis = await run('diagnose');
    expect(diagnosis).toMatchObject({ kind: database.db.kind, pending_migrations: [] });
    expect(diagnosis.work).toMatchObject({ queue: { waiting: 0, due: 0, claimed: 0, unknown: 0, oldest_due_s: null } });
    expect(diagnosis.schema_version).toBe(diagnosis.newest_known);
  });
});

describe('analytics', () => {
  test('a check compares sums with messages and events, and tells which differ', async () => {
    const today = '(extract(epoch from now())::bigint / 86400 * 96)::integer';
    const spoil = `insert into analytics_message_days (tenant_id, dimension, key, quarter, accepted)
      values ($1, 'type', 'text', ${today}, 3)`;
    const spoilOther = `insert into analytics_conversation_days (tenant_id, dimension, key, quarter, opened)
      values ($1, 'all', '', ${today}, 2)`;
    expect(await run('analytics.check', { tenant: shop })).toMatchObject({
      days: 31,
      complete: true,
      checked: 0,
      data: [],
    });
    await deps.db.run({ name: 'test_spoil_sum', text: spoil }, [shop]);
    await deps.db.run({ name: 'test_spoil_other_sum', text: spoilOther }, [shop]);
    expect(await run('analytics.check', { tenant: shop, days: 2 })).toMatchObject({
      checked: 2,
      data: [
        { dimension: 'type', key: 'text', measure: 'accepted', sum: 3, facts: 0 },
        { dimension: 'all', key: '', measure: 'opened', sum: 2, facts: 0 },
      ],
    });
    await expect(run('analytics.check', { tenant: shop, days: 0 })).rejects.toThrow('from 1 to 366');
  });
});
