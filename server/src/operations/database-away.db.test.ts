import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '#storage/postgres';
import { callbackBody, countRows, inboundText, postCallback } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** Ends every connection of the service's database but our own. */
const TERMINATE =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';

/** Runs statements on the server that holds the database of `kit`, from outside of that database. */
async function administer(kit: TestService, work: (client: pg.Client, name: string) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await work(client, new URL(kit.rt.config.databaseUrl).pathname.slice(1));
  } finally {
    await client.end();
  }
}

/** Takes the database away for good (embedded), or shuts its door until `bringBack` (PostgreSQL). */
async function takeAway(kit: TestService): Promise<void> {
  if (!onPostgres) return kit.service.db.close();
  await administer(kit, async (client, name) => {
    await client.query(`alter database ${name} with allow_connections false`);
    await client.query(TERMINATE, [name]);
  });
}

async function bringBack(kit: TestService): Promise<void> {
  await administer(
    kit,
    async (client, name) => void (await client.query(`alter database ${name} with allow_connections true`)),
  );
}

function expectAway(answer: Answer, code = 'storage_unavailable'): void {
  expect(answer).toMatchObject({ status: 503, body: { code } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/select|insert|pg_|postgres|PGlite/i);
}

describe('while the database is away', () => {
  let kit: TestService;
  let tenant: TestTenant;
  let id: string;

  beforeAll(async () => {
    // Nothing is in flight and nobody asks by himself: what is seen here is what a caller meets.
    kit = await startTestService({ config: { roles: 'api,receiver' } });
    tenant = await makeTestTenant(kit);
    id = await tenant.send(freshPhone());
    await takeAway(kit);
  });
  afterAll(async () => {
    if (onPostgres) await bringBack(kit);
    await kit.close().catch(() => undefined);
  });

  test('a message is answered 503 with Retry-After, never 202', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' })),
    );
    for (const answer of answers) expectAway(answer);
  });

  test('a callback is answered 503, so that the network sends it again', async () => {
    const body = callbackBody({
      phoneNumberId: tenant.phoneNumberId,
      messages: [inboundText('wamid.AWAY', freshPhone())],
    });
    expectAway(await postCallback(kit, body));
  });

  test.each([
    ['a message', () => `/v1/messages/${id}`],
    ['its trace', () => `/v1/messages/${id}/trace`],
    ['a list', () => '/v1/messages/outbound'],
  ])('reading %s is answered 503, never as if it were not there', async (_label, path) => {
    expectAway(await tenant.call('GET', path()));
  });

  test('the process says that it is alive and not ready', async () => {
    expect((await kit.call('GET', '/healthz')).status).toBe(200);
    expect((await kit.call('GET', '/readyz')).status).toBe(503);
  });
});

// The embedded database has no connections that could be ended.
describe.skipIf(!onPostgres)('PostgreSQL', () => {
  let kit: TestService;
  let tenant: TestTenant;

  beforeAll(async () => {
    kit = await startTestService({ config: { unknownWaitS: 1 } });
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(() => kit.close());

  test('away and back again: everything works without a restart, and nothing of the 503s is stored', async () => {
    const before = await countRows(kit.service.db, 'outbound_messages');
    await takeAway(kit);
    const refused = () => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });
    for (const answer of await Promise.all([refused(), refused(), refused()])) expectAway(answer);
    await bringBack(kit);
    await kit.until(
      () => kit.call('GET', '/readyz'),
      (answer) => answer.status === 200,
      'it is ready',
    );
    expect(await countRows(kit.service.db, 'outbound_messages')).toBe(before);
    const id = await tenant.send(freshPhone());
    await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is sent and reported');
  });

  test('ending all connections again and again: every answer is a 202 or a 503, every 202 is there and is sent once', async () => {
    const answers: Answer[] = [];
    await administer(kit, async (client, name) => {
      for (let round = 0; round < 12; round += 1) {
        const posts = Array.from({ length: 25 }, () =>
          tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' }),
        );
        await client.query(TERMINATE, [name]);
        answers.push(...(await Promise.all(posts)));
      }
    });
    expect(answers.filter((answer) => answer.status !== 202 && answer.status !== 503)).toEqual([]);
    const accepted = answers.filter((answer) => answer.status === 202).map((answer) => answer.body.id);
    expect(accepted.length).toBeGreaterThan(0);
    for (const id of accepted) await tenant.untilMessage(id, (m) => m.status === 'sent', 'a 202 is sent');
    const ids = (await tenant.ledger()).map((entry) => entry.biz_opaque_callback_data.split('.')[0]);
    expect(accepted.filter((id) => ids.filter((one) => one === id).length !== 1)).toEqual([]);
  });

  test('refusing the line for notifications is asked once a second, however often it refuses', async () => {
    const door = await startDoor(kit.rt.config.databaseUrl);
    const db = openPostgres({ url: door.url, poolSize: 1, log: kit.rt.log });
    const unlisten = await db.listen('test', () => undefined);
    door.slam();
    await kit.until(
      async () => door.knocks.length,
      (count) => count >= 5,
      'it knocked five times',
    );
    await unlisten?.();
    await db.close();
    await door.close();
    const [first = 0, , , , fifth = 0] = door.knocks;
    expect(fifth - first).toBeGreaterThan(3_000);
  });
});

/** A door in front of PostgreSQL: open at first, then slammed in the face of everyone. */
async function startDoor(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const knocks: number[] = [];
  const inside = new Set<Socket>();
  let open = true;
  const server = createServer((visitor) => {
    visitor.on('error', () => undefined);
    if (!open) {
      knocks.push(performance.now());
      visitor.destroy();
      return;
    }
    inside.add(visitor);
    const host = connect(Number(target.port), target.hostname).on('error', () => undefined);
    visitor.pipe(host).pipe(visitor);
    visitor.on('close', () => host.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    knocks,
    slam: () => {
      open = false;
      for (const visitor of inside) visitor.destroy();
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
