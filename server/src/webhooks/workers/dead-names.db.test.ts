import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { type NameAnswer, type NameServer, startNameServer } from '#testing/peers/name-server';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/peers/webhook-receiver';
import { endpointKeyring as keyring, makeEndpoint } from '#testing/test-endpoints';
import { receivedData } from '#testing/test-events';
import { testRuntime } from '#testing/test-runtime';
import { listDeliveriesPage } from '#webhooks/store/webhook-deliveries';
import { makeNotifier } from './notifier.ts';

const DEAD = 130;
const ALIVE = 'shop.example';
const allowed = { webhookAllow: ALIVE };
const EVENTS = 20;
/** Far less than the names of the other tenant take one after another; far more than a busy machine needs. */
const WAITED_MS = 8_000;

let database: TestDatabase;
let receiver: WebhookReceiver;
let names: NameServer;
let questions = 0;
let half: () => void = () => undefined;
const halfAsked = new Promise<void>((resolve) => {
  half = resolve;
});

function answerFor(name: string): NameAnswer {
  if (name === ALIVE) return ['127.0.0.1'];
  questions += 1;
  if (questions === DEAD / 2) half();
  return 'silence';
}

beforeAll(async () => {
  [database, receiver, names] = await Promise.all([
    openTestDatabase(testRuntime()),
    startWebhookReceiver(),
    startNameServer(answerFor),
  ]);
});
afterAll(() => Promise.all([database.drop(), receiver.close(), names.close()]));

const makeTenant = (rt: Runtime, name: string) =>
  createTenant(rt, database.db, { name, unknownResends: 0, windowPolicy: 'network' });

const emit = (rt: Runtime, tenantId: TenantId) =>
  withEvents(rt, database.db, async (_tx, events) =>
    events.add({ tenantId, type: 'message.received', data: receivedData({ body: 'x' }) }),
  );

test('a tenant with 130 endpoints whose names do not resolve delays no endpoint of another', async () => {
  const rt = testRuntime({ dnsServers: names.address, ...allowed });
  const { db } = database;
  const [dead, alive] = [await makeTenant(rt, 'Dead'), await makeTenant(rt, 'Alive')];
  for (let index = 0; index < DEAD; index += 1) {
    await makeEndpoint(db, dead, { url: `https://dead${index}.example/` });
  }
  let left = EVENTS;
  const arrived = new Promise<void>((resolve) => {
    receiver.answer = (_hook, response) => {
      response.writeHead(204).end();
      left -= 1;
      if (left === 0) resolve();
    };
  });
  const url = `http://${ALIVE}:${new URL(receiver.url).port}/`;
  const endpoint = await makeEndpoint(db, alive, { url }, allowed);
  await emit(rt, dead);
  const notifier = makeNotifier({ rt, db, keyring });
  await notifier.start();
  await halfAsked;
  for (let time = 0; time < EVENTS; time += 1) await emit(rt, alive);
  await arrived;
  await notifier.stop();
  const { items } = await listDeliveriesPage(db, endpoint, {}, { limit: 100, offset: 0, beforeId: null });
  const attempts = items.flatMap(({ log }) => log);
  expect(attempts.map(({ error }) => error)).toEqual(Array.from({ length: EVENTS }, () => null));
  for (const { durationMs } of attempts) expect(durationMs).toBeLessThan(WAITED_MS);
});
