import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import type { Statement } from '#database/database';
import { holdByHand } from '#maintenance/actions/keep-history';
import { makeClusterClock } from '#runtime/cluster-clock';
import { restore, takeAway } from '#testing/database/database-away';
import { Scrapes } from '#testing/promql/scrapes';
import { callbackBody, inboundText, postCallback } from '#testing/test-callbacks';
import { makeCampaign } from '#testing/test-campaign';
import { makeEndpoint } from '#testing/test-endpoints';
import { startTestService, type TestService, type TestServiceOptions } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { alerts } from './alerts.ts';
import { holdsFor, samplesOf, scrapeOf, type Target } from './testing/alert-watch.ts';
import { ShiftedClock } from './testing/shifted-clock.ts';

const HOUR_MS = 3_600_000;
const proven = new Set<string>();

function alertOf(name: string) {
  const alert = alerts.find((one) => one.name === name);
  if (alert === undefined) throw new Error(`There is no alert ${name}.`);
  proven.add(name);
  return alert;
}

async function expectFires(name: string, target: Target): Promise<void> {
  const alert = alertOf(name);
  expect(await holdsFor(alert, target)).toBeGreaterThanOrEqual(alert.minutes * 60);
}

/** A service for a group of tests, with the names of the rules that fire on it. */
function withService(options: () => TestServiceOptions) {
  const open: TestService[] = [];
  afterAll(async () => {
    for (const kit of open.splice(0)) await kit.close();
  });
  return async (): Promise<TestService> => {
    open[0] ??= await startTestService({ ...options(), isAlone: true });
    return open[0];
  };
}

function hasOutcome(events: readonly string[]): boolean {
  return events.some((event) => event === 'unknown' || event === 'sent');
}

/** Without a name: each is another statement. */
const sql = (text: string): Statement => ({ name: '', text });

/** Lets a table refuse what is done to it, with an SQLSTATE; @returns how it is repaired */
async function refuse(
  kit: TestService,
  { table, on, state }: { readonly table: string; readonly on: string; readonly state: string },
) {
  const { db } = kit.service;
  const body = `begin raise exception 'broken for a test' using errcode = '${state}'; end`;
  await db.run(
    sql(`create or replace function break_${table}() returns trigger language plpgsql as $$ ${body} $$`),
    [],
  );
  const call = `for each row execute function break_${table}()`;
  await db.run(sql(`create trigger break before ${on} on ${table} ${call}`), []);
  return () => db.run(sql(`drop trigger break on ${table}`), []);
}

describe('on a service that does everything', () => {
  const service = withService(() => ({ config: { unknownWaitS: 60, backupWarnH: 24 } }));
  const scrapeIt = (kit: TestService) => () => scrapeOf(kit.rt.metrics);
  let repair: () => Promise<unknown> = async () => undefined;
  afterEach(async () => {
    await repair();
    repair = async () => undefined;
  });

  async function begin(): Promise<{ readonly kit: TestService; readonly tenant: TestTenant }> {
    const kit = await service();
    return { kit, tenant: await makeTestTenant(kit, { ratePerSecond: 0 }) };
  }

  test('no alert holds while messages are sent and reported', async () => {
    const { kit, tenant } = await begin();
    const scrapes = new Scrapes();
    for (let atS = 0; atS <= 60; atS += 15) {
      const id = await tenant.send(freshPhone());
      await tenant.untilMessage(id, ({ delivery }) => delivery.state === 'read', 'it is read');
      scrapes.add(atS, 'one', await scrapeOf(kit.rt.metrics));
      // A machine that runs the whole suite may be late, and its database slow.
      const held = alerts.filter((alert) => samplesOf(alert, scrapes, atS).length > 0).map(({ name }) => name);
      expect(
        held.filter(
          (name) => !['PostriderEventLoopLate', 'PostriderDatabaseSlow', 'PostriderConnectionsBusy'].includes(name),
        ),
      ).toEqual([]);
    }
  });

  test('PostriderSendsUnknown: connections to the network break after the request', async () => {
    const { kit, tenant } = await begin();
    repair = () => kit.simulate('PUT', '/_sim/chaos', {});
    const sendWith = async (chaos: JsonObject) => {
      await kit.simulate('PUT', '/_sim/chaos', chaos);
      const id = await tenant.send(freshPhone());
      await kit.until(() => tenant.events(id), hasOutcome, 'it was sent');
    };
    // A number pauses when it gets no answer three times in a row.
    const again = async () => {
      await sendWith({ steps: { send: [{ probability: 1, fault: 'accept_then_drop' }] } });
      await sendWith({});
    };
    await expectFires('PostriderSendsUnknown', { scrape: scrapeIt(kit), again });
  });

  test('PostriderMessagesFailing: the network reports that messages cannot be delivered', async () => {
    const { kit, tenant } = await begin();
    await expectFires('PostriderMessagesFailing', {
      scrape: scrapeIt(kit),
      again: async () => {
        const id = await tenant.send('99900000003');
        await tenant.untilMessage(id, ({ delivery }) => delivery.state === 'failed', 'it has failed');
      },
    });
  });

  test('PostriderCallbacksUnsigned: the secret of the settings is not the one that the network signs with', async () => {
    const { kit } = await begin();
    const body = callbackBody({ phoneNumberId: '1', messages: [inboundText('wamid.X', freshPhone())] });
    const again = () => postCallback(kit, body, `sha256=${'0'.repeat(64)}`);
    await expectFires('PostriderCallbacksUnsigned', { scrape: scrapeIt(kit), again });
  });

  test('PostriderStorageFailing, PostriderRequestsFailing: the database has no space for messages', async () => {
    const { kit, tenant } = await begin();
    repair = await refuse(kit, { table: 'outbound_messages', on: 'insert', state: '53100' });
    const again = async () =>
      expect((await tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' })).status).toBe(503);
    await expectFires('PostriderStorageFailing', { scrape: scrapeIt(kit), again });
    await expectFires('PostriderRequestsFailing', { scrape: scrapeIt(kit), again });
  });

  test('PostriderRowsUnreadable: a row of the queue cannot be claimed because its page is damaged', async () => {
    const { kit, tenant } = await begin();
    repair = await refuse(kit, { table: 'send_queue', on: 'update of state', state: 'XX001' });
    await expectFires('PostriderRowsUnreadable', { scrape: scrapeIt(kit), again: () => tenant.send(freshPhone()) });
  });

  test('PostriderEventLoopLate: something keeps the process busy', async () => {
    const { kit } = await begin();
    const blocked = new Int32Array(new SharedArrayBuffer(4));
    const again = async () => {
      // The watch of the loop begins to measure with its first look.
      await setTimeout(50);
      Atomics.wait(blocked, 0, 0, 700);
      // The loop goes round, and sees how late it is.
      await setImmediate();
      await setImmediate();
    };
    await expectFires('PostriderEventLoopLate', { scrape: scrapeIt(kit), again });
  });

  test('PostriderMessagesHeld: the database was restored', async () => {
    const { kit, tenant } = await begin();
    const pause = `update phone_numbers set status = 'paused', pause_reason = 'A test.', paused_by = 'person', version = version + 1
      where tenant_id = $1`;
    await kit.service.db.run(sql(pause), [tenant.tenantId]);
    await tenant.send(freshPhone());
    await kit.until(
      () => holdByHand(kit.rt, kit.service.db),
      (held) => held > 0,
      'something is held',
    );
    await expectFires('PostriderMessagesHeld', { scrape: scrapeIt(kit) });
  });

  test('PostriderBackupOverdue: nobody has made a backup for longer than the operator wants', async () => {
    const { kit } = await begin();
    const began = (change: string) =>
      kit.service.db.run(sql(`update database_histories set began_ms = began_ms ${change}`), []);
    await began(`- ${25 * HOUR_MS}`);
    repair = () => began(`+ ${25 * HOUR_MS}`);
    await expectFires('PostriderBackupOverdue', { scrape: scrapeIt(kit) });
  });

  test('PostriderNumberRefused: the network refuses the access of a number', async () => {
    const { kit, tenant } = await begin();
    await kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'error', code: 190 }] } });
    repair = () => kit.simulate('PUT', '/_sim/chaos', {});
    await tenant.send(freshPhone());
    await expectFires('PostriderNumberRefused', { scrape: scrapeIt(kit) });
  });

  test('PostriderDown: the process has ended', async () => {
    await service();
    await expectFires('PostriderDown', { scrape: async () => null });
  });
});

describe('where no process sends, interprets or delivers', () => {
  const clock = new ShiftedClock();
  const service = withService(() => ({ clock, config: { roles: 'api,receiver,maintenance' } }));
  const old = async (kit: TestService): Promise<Target> => {
    clock.setForward(HOUR_MS);
    return { scrape: () => scrapeOf(kit.rt.metrics) };
  };

  test('PostriderQueueOld, PostriderLanesWithoutOwner: no dispatcher runs', async () => {
    const kit = await service();
    const tenant = await makeTestTenant(kit);
    await tenant.send(freshPhone());
    const target = await old(kit);
    await expectFires('PostriderQueueOld', target);
    await expectFires('PostriderLanesWithoutOwner', target);
  });

  test('PostriderCallbacksOld: no ingester runs', async () => {
    const kit = await service();
    const body = callbackBody({ phoneNumberId: '1', messages: [inboundText('wamid.OLD', freshPhone())] });
    expect((await postCallback(kit, body)).status).toBe(200);
    await expectFires('PostriderCallbacksOld', await old(kit));
  });

  test('PostriderWebhooksOld: no notifier runs', async () => {
    const kit = await service();
    const tenant = await makeTestTenant(kit);
    await makeEndpoint(kit.service.db, tenant.tenantId);
    await tenant.call('POST', '/v1/contacts', { phone: freshPhone(), name: 'Ada' });
    await expectFires('PostriderWebhooksOld', await old(kit));
  });

  test('PostriderCampaignsLate: no campaigner runs', async () => {
    const kit = await service();
    const tenant = await makeTestTenant(kit);
    const id = await makeCampaign(kit, tenant);
    expect((await tenant.call('POST', `/v1/campaigns/${id}/start`)).status).toBe(200);
    await expectFires('PostriderCampaignsLate', await old(kit));
  });
});

test('PostriderStateUnknown, PostriderDatabaseDown: no process has the role maintenance, then the database is away', async () => {
  const kit = await startTestService({ isAlone: true, config: { roles: 'api' } });
  const target = { scrape: () => scrapeOf(kit.rt.metrics) };
  await expectFires('PostriderStateUnknown', target);
  await takeAway(kit);
  await expectFires('PostriderDatabaseDown', target);
  await restore(kit);
  await kit.close().catch(() => undefined);
});

test('PostriderDatabaseSlow, PostriderConnectionsBusy: others hold what the statements need', async () => {
  // Only the API: quick statements of workers would lower the average.
  const kit = await startTestService({ isAlone: true, config: { roles: 'api' } });
  const { db } = kit.service;
  // As many as the pool has for work; the embedded database has one.
  const connections = Array.from({ length: db.kind === 'postgres' ? 8 : 1 });
  const scrape = () => scrapeOf(kit.rt.metrics);
  await expectFires('PostriderConnectionsBusy', {
    scrape: async () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const held = connections.map(() => db.transaction(() => released));
      const waiting = connections.map(() => db.run(sql('select 1'), []));
      const text = await scrape();
      release();
      await Promise.all([...held, ...waiting]);
      return text;
    },
  });
  const again = () => Promise.all(connections.map(() => db.run(sql('select pg_sleep(0.3)'), [])));
  await expectFires('PostriderDatabaseSlow', { scrape, again });
  await kit.close();
});

test('PostriderNetworkOutage: nobody listens at the address of the network', async () => {
  const kit = await startTestService({ isAlone: true, config: { networkUrl: 'http://127.0.0.1:9' } });
  const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  const again = () => tenant.send(freshPhone());
  await expectFires('PostriderNetworkOutage', { scrape: () => scrapeOf(kit.rt.metrics), again });
  await kit.close();
});

test('PostriderClockDiffers: the clock of this machine is wrong', async () => {
  const machine = new ShiftedClock();
  machine.setForward(HOUR_MS);
  const kit = await startTestService({
    isAlone: true,
    clock: makeClusterClock(machine),
    config: { roles: 'api,maintenance' },
  });
  await expectFires('PostriderClockDiffers', { scrape: () => scrapeOf(kit.rt.metrics) });
  await kit.close();
});

test('every alert was made to fire', () => {
  expect([...proven].toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});
