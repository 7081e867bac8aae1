import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import { releaseMessages } from '#messages/actions/release-held';
import { countHeld } from '#messages/store/held-messages';
import { callbackBody, correlationTokenOf, ingest, statusItem } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { holdByHand, makeHistoryKeeper } from './keep-history.ts';

let kit: TestService;
beforeAll(async () => {
  kit = await startTestService({ random: () => 0 });
});
afterAll(() => kit.close());

/** A statement that a test runs directly. */
async function sql(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await kit.service.db.run({ name: `test_${text.length}_${text.slice(0, 20)}`, text }, [])).rows;
}

const opened = () => makeHistoryKeeper(kit.rt, kit.service.db).open();
const histories = () => sql('select history_id, reason, held from database_histories order by history_id');
const newest = async () => (await histories()).at(-1);
/** As the database of another server has it that was restored here. */
const restoredElsewhere = () => sql(`update database_histories set server = 'other/' || server`);

/** A tenant with messages that are due, and one that is scheduled; its number is paused until it is resumed. */
async function backlog(unknownResends = 1) {
  const tenant = await makeTestTenant(kit, { ratePerSecond: 0, unknownResends });
  const pause = (pauseReason: string | null) =>
    setNumberPaused(kit.service.db, { tenantId: tenant.tenantId, phoneNumberId: tenant.phoneNumberId, pauseReason });
  await pause('A test.');
  const due = [await tenant.send(freshPhone()), await tenant.send(freshPhone())] as const;
  const later = await tenant.send(freshPhone(), { send_at: new Date(kit.rt.clock.now() + 3_600_000).toISOString() });
  return { tenant, due, later, resume: () => pause(null) };
}

const stateOf = async (tenant: TestTenant, id: string) => (await tenant.message(id)).delivery.state;

describe('a database that was restored', () => {
  test('begins a new history before anything is sent: what was due waits, what is scheduled stays', async () => {
    const { tenant, due, later, resume } = await backlog();
    await restoredElsewhere();
    await opened();
    expect(await newest()).toMatchObject({ reason: 'other_server', held: 2 });
    expect(await stateOf(tenant, due[0])).toBe('unknown');
    expect(await stateOf(tenant, later)).toBe('pending');
    expect(await tenant.events(due[0])).toContain('held');
    await resume();
    const fresh = await tenant.send(freshPhone());
    await tenant.untilMessage(fresh, (m) => m.status === 'sent', 'what comes after it is sent');
    expect((await tenant.ledger()).length).toBe(1);
  });

  test('continues the same history when it is opened again', async () => {
    const before = await histories();
    await opened();
    expect(await histories()).toEqual(before);
  });

  test('learns from a status that a held message was sent, and does not send it again', async () => {
    const { tenant, due, resume } = await backlog();
    await restoredElsewhere();
    await opened();
    await resume();
    const { tenantId, phoneNumberId } = tenant;
    const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId: due[0], attempt: 1 });
    const status = statusItem('wamid.of-the-lost-history', 'delivered', token);
    await ingest(kit, callbackBody({ phoneNumberId, statuses: [status] }));
    expect(await tenant.message(due[0])).toMatchObject({ status: 'sent', delivery: { state: 'delivered' } });
    expect(await tenant.ledger()).toEqual([]);
  });

  test('sends held messages marked once the operator releases them', async () => {
    const { tenant, due, resume } = await backlog();
    await restoredElsewhere();
    await opened();
    await resume();
    expect(await countHeld(kit.service.db, kit.rt.clock.now())).toContainEqual(
      expect.objectContaining({ tenantId: tenant.tenantId, messages: 2 }),
    );
    expect(await releaseMessages(kit.rt, kit.service.db, { tenantId: tenant.tenantId, unsent: false })).toBe(2);
    for (const id of due) await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
    const marked = await sql(
      `select count(*)::int as n from outbound_messages where tenant_id = '${tenant.tenantId}' and possible_duplicate`,
    );
    expect(marked).toEqual([{ n: 2 }]);
  });

  test('sends held messages unmarked, of any tenant, when the operator says that the database was moved in order', async () => {
    const { tenant, due, resume } = await backlog(0);
    await restoredElsewhere();
    await opened();
    await resume();
    expect(await releaseMessages(kit.rt, kit.service.db, { tenantId: tenant.tenantId, unsent: true })).toBe(2);
    for (const id of due) {
      await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
      expect(await tenant.events(id)).toEqual(expect.arrayContaining(['held', 'released']));
      expect(await tenant.events(id)).not.toContain('resend_after_unknown');
    }
  });
});

describe('a new history begins, too', () => {
  test('when the mark went back below the one that the process remembers', async () => {
    const keeper = makeHistoryKeeper(kit.rt, kit.service.db);
    await keeper.open();
    await keeper.mark();
    await keeper.mark();
    const { tenant, due } = await backlog();
    await sql('update database_histories set mark = 0');
    await keeper.mark();
    expect(await newest()).toMatchObject({ reason: 'went_back', held: 2 });
    expect(await stateOf(tenant, due[1])).toBe('unknown');
  });

  test('when the mark went back below the one in the data folder while no process ran', async () => {
    const keeper = makeHistoryKeeper(kit.rt, kit.service.db);
    await keeper.open();
    for (let marks = 0; marks < 3; marks += 1) await keeper.mark();
    await sql('update database_histories set mark = 0');
    await opened();
    expect(await newest()).toMatchObject({ reason: 'went_back' });
  });

  test('by hand', async () => {
    const { tenant, due } = await backlog();
    expect(await holdByHand(kit.rt, kit.service.db)).toBe(2);
    expect(await newest()).toMatchObject({ reason: 'operator', held: 2 });
    expect(await stateOf(tenant, due[0])).toBe('unknown');
  });
});

test('what is held when its validity ends fails as of unknown outcome', async () => {
  const { tenant, due, resume } = await backlog();
  await restoredElsewhere();
  await opened();
  await resume();
  await sql(`update send_queue set due_ms = 1, expires_ms = 1 where message_id = '${due[0]}'`);
  const failed = await tenant.untilMessage(due[0], (m) => m.status === 'failed', 'it fails');
  expect(failed.delivery.error.code).toBe('delivery_unknown');
});
