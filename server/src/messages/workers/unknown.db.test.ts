import { startSimulator } from '@postrider/simulator/simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listDeadLetters } from '#messages/store/dead-letters';
import {
  callbackBody,
  correlationTokenOf,
  ingest,
  postCallback,
  type StatusWitness,
  statusItem,
  statusWitness,
} from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
/** A tenant that would rather lose a message than send it twice. */
let careful: TestTenant;
/** A number of the first tenant whose statuses keep coming in. */
let witness: StatusWitness;
/** Long enough to end a fault within it on a slow machine. */
const UNKNOWN_WAIT_S = 3;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0, config: { unknownWaitS: UNKNOWN_WAIT_S } });
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  careful = await makeTestTenant(kit, { ratePerSecond: 0, unknownResends: 0 });
  witness = statusWitness(kit);
});
afterAll(() => kit.close());
beforeEach(() => kit.simulate('PUT', '/_sim/chaos', {}));

function chaos(steps: object) {
  return kit.simulate('PUT', '/_sim/chaos', { steps });
}

/** Posts one message while every send meets this fault; the fault is over once its outcome is unknown. */
async function sendIntoFault(of: TestTenant, steps: object): Promise<{ id: string; to: string }> {
  await chaos(steps);
  const to = freshPhone();
  const id = await of.send(to);
  await of.untilMessage(id, (m) => m.delivery.state === 'unknown', 'its outcome is unknown');
  await kit.simulate('PUT', '/_sim/chaos', {});
  return { id, to };
}

const always = (fault: string) => ({ send: [{ probability: 1, fault }] });

describe('P5: a send that broke off', () => {
  test('after the network took it is settled by its status and not sent again (recipient 10)', async () => {
    // However late the status comes on a busy machine, the wait is not over.
    const patient = await startTestService({ config: { unknownWaitS: 600 } });
    try {
      const own = await makeTestTenant(patient, { ratePerSecond: 0 });
      const to = '99900000010';
      const id = await own.send(to);
      const message = await own.untilMessage(id, (m) => m.delivery.state === 'delivered', 'it is delivered');
      expect(message).toMatchObject({ status: 'sent', delivery: { attempts: 1, error: null } });
      const events = await own.events(id);
      expect(events.filter((event) => ['unknown', 'reconciled'].includes(event))).toEqual(['unknown', 'reconciled']);
      const [entry, ...more] = await own.ledger(to);
      expect(more).toEqual([]);
      expect(message.delivery.network_message_id).toBe(entry.id);
    } finally {
      await patient.close();
    }
  });

  test.each([
    ['before the network took it', 'drop_before_accept'],
    ['with an answer that cannot be read', 'non_json'],
  ])('%s is sent again after the wait, marked as a possible duplicate', async (_label, fault) => {
    const { id, to } = await sendIntoFault(tenant, always(fault));
    const waiting = await tenant.message(id);
    expect(waiting).toMatchObject({ status: 'sending', delivery: { state: 'unknown', attempts: 1 } });
    expect(await tenant.ledger(to)).toEqual([]);
    const unknownAtMs = Date.parse(waiting.updated_at);
    await witness(tenant);
    const message = await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
    expect(message.delivery.attempts).toBe(2);
    const events = (await tenant.events(id)).filter((event) => ['unknown', 'resend_after_unknown'].includes(event));
    expect(events).toEqual(['unknown', 'resend_after_unknown']);
    const [entry, ...more] = await tenant.ledger(to);
    expect(more).toEqual([]);
    expect(Date.parse(entry.accepted_at) - unknownAtMs).toBeGreaterThanOrEqual(1_000 * UNKNOWN_WAIT_S);
  });

  test('and was taken twice in the end ends as sent, with both in the trace', async () => {
    await chaos({ ...always('accept_then_drop'), status: [{ probability: 1, fault: 'lost' }] });
    const to = freshPhone();
    const id = await tenant.send(to);
    await tenant.untilMessage(id, (m) => m.delivery.state === 'unknown', 'its outcome is unknown');
    await chaos({ status: [{ probability: 1, fault: 'lost' }] });
    await witness(tenant);
    const message = await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent again');
    expect(message.delivery).toMatchObject({ state: 'accepted', attempts: 2, possible_duplicate: true });
    const entries = await tenant.ledger(to);
    expect(entries.map((entry) => entry.biz_opaque_callback_data.split('.')[1])).toEqual(['1', '2']);
    // The status of the first one, long after: both are the same message, and delivery only moves forward.
    const [first] = entries;
    await ingest(
      kit,
      callbackBody({
        phoneNumberId: tenant.phoneNumberId,
        statuses: [statusItem(first.id, 'delivered', first.biz_opaque_callback_data)],
      }),
    );
    expect((await tenant.message(id)).delivery).toMatchObject({
      state: 'delivered',
      network_message_id: entries[1].id,
    });
    const trace = await tenant.call('GET', `/v1/messages/${id}/trace`);
    const twice = trace.body.data.filter(({ event }: { event: string }) => event === 'duplicate');
    expect(twice).toMatchObject([{ data: { network_message_id: first.id } }]);
  });

  test.each([
    [1, 2],
    [2, 3],
  ])('again and again, with statuses lost, is sent again %i times: %i copies, then delivery_unknown', async (unknownResends, copies) => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0, unknownResends });
    await chaos({ ...always('accept_then_drop'), status: [{ probability: 1, fault: 'lost' }] });
    const to = freshPhone();
    const id = await own.send(to);
    for (let sent = 1; sent <= unknownResends; sent += 1) {
      await own.untilMessage(
        id,
        (m) => m.delivery.state === 'unknown' && m.delivery.attempts === sent,
        'it is unknown',
      );
      await witness(own);
    }
    const message = await own.untilMessage(id, (m) => m.status === 'failed', 'it is given up');
    expect(message.delivery).toMatchObject({
      attempts: copies,
      error: { code: 'delivery_unknown', retryable: true },
      possible_duplicate: true,
    });
    expect((await own.ledger(to)).length).toBe(copies);
    const listed = async (wanted: boolean) =>
      (await own.call('GET', `/v1/messages/outbound?possible_duplicate=${wanted}`)).body.data.map(
        (one: { id: string }) => one.id,
      );
    expect([await listed(true), await listed(false)]).toEqual([[id], []]);
    const events = (await own.call('GET', '/v1/events?types=message.failed')).body.data;
    expect(events).toMatchObject([{ data: { id, possible_duplicate: true } }]);
    const letters = await listDeadLetters(kit.service.db, own.tenantId, 10);
    expect(letters).toMatchObject([{ messageId: id, code: 'delivery_unknown' }]);
  });

  test('is not sent again while no status at all comes in for its number, and its trace says so', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    const { id, to } = await sendIntoFault(own, always('drop_before_accept'));
    const held = await kit.until(
      async () => (await own.call('GET', `/v1/messages/${id}/trace`)).body.data.at(-1),
      (entry) => entry.event === 'waiting',
      'its wait is over',
    );
    expect(held).toMatchObject({ data: { reason: 'no_status' } });
    expect(held.detail).toContain('no status has arrived for its sending number');
    expect(await own.ledger(to)).toEqual([]);
    await witness(own);
    await own.untilMessage(id, (m) => m.status === 'sent', 'it is sent again');
    expect((await own.ledger(to)).length).toBe(1);
  });

  test('is not sent again while callbacks are refused for their signature, and its trace says so', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    const { id, to } = await sendIntoFault(own, always('drop_before_accept'));
    await witness(own);
    const refuse = () =>
      postCallback(kit, callbackBody({ phoneNumberId: own.phoneNumberId }), `sha256=${'0'.repeat(64)}`);
    const held = await kit.until(
      async () => {
        expect((await refuse()).status).toBe(401);
        return (await own.call('GET', `/v1/messages/${id}/trace`)).body.data.at(-1);
      },
      (entry) => entry.event === 'waiting',
      'its wait is over',
    );
    expect(held).toMatchObject({ data: { reason: 'callbacks_refused' } });
    expect(await own.ledger(to)).toEqual([]);
    await witness(own);
    await own.untilMessage(id, (m) => m.status === 'sent', 'it is sent again');
  });

  test('fails as delivery_unknown when its validity ends before anything could be concluded', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    await chaos(always('drop_before_accept'));
    const id = await own.send(freshPhone(), { ttl_s: 5 });
    const message = await own.untilMessage(id, (m) => m.status === 'failed', 'it is given up');
    expect(message.delivery).toMatchObject({ error: { code: 'delivery_unknown' }, possible_duplicate: false });
  });

  test('of a tenant that wants no duplicates fails as delivery_unknown and becomes a dead letter', async () => {
    const { id, to } = await sendIntoFault(careful, always('drop_before_accept'));
    const message = await careful.untilMessage(id, (m) => m.status === 'failed', 'it failed');
    expect(message.delivery).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: { code: 'delivery_unknown', retryable: true },
    });
    expect(await careful.ledger(to)).toEqual([]);
    const letters = await listDeadLetters(kit.service.db, careful.tenantId, 10);
    expect(letters).toContainEqual(expect.objectContaining({ messageId: id, code: 'delivery_unknown' }));
  });

  test('and counted as failed is revived by a status that comes after all', async () => {
    const { id, to } = await sendIntoFault(careful, {
      ...always('accept_then_drop'),
      status: [{ probability: 1, fault: 'lost' }],
    });
    await careful.untilMessage(id, (m) => m.status === 'failed', 'it counts as failed');
    const [entry] = await careful.ledger(to);
    const token = await correlationTokenOf(kit.service.db, {
      tenantId: careful.tenantId,
      phoneNumberId: careful.phoneNumberId,
      messageId: id,
      attempt: 1,
    });
    expect(entry.biz_opaque_callback_data).toBe(token);
    await ingest(
      kit,
      callbackBody({ phoneNumberId: careful.phoneNumberId, statuses: [statusItem(entry.id, 'delivered', token)] }),
    );
    expect(await careful.message(id)).toMatchObject({
      status: 'sent',
      delivery: { state: 'delivered', network_message_id: entry.id, error: null, failed_at: null },
    });
    const letters = await listDeadLetters(kit.service.db, careful.tenantId, 10);
    expect(letters.map((letter) => letter.messageId)).not.toContain(id);
    expect((await careful.ledger(to)).length).toBe(1);
  });
});

describe('a network that cannot be reached', () => {
  test('costs no attempt, and everything is sent once when it is back', async () => {
    const port = kit.sim.port;
    await kit.sim.close();
    const ids = await Promise.all(Array.from({ length: 8 }, () => tenant.send(freshPhone())));
    const [first = ''] = ids;
    await kit.until(
      () => tenant.events(first),
      (events) => events.includes('not_sent'),
      'a send found nobody',
    );
    expect(await tenant.message(first)).toMatchObject({
      status: 'queued',
      delivery: { state: 'pending', attempts: 0, error: null },
    });
    const again = await startSimulator({
      port,
      callbackUrl: `${kit.service.url}/webhooks/meta`,
      sentMs: 5,
      deliveredMs: 10,
      readMs: 15,
    });
    try {
      for (const id of ids) {
        const message = await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
        expect(message.delivery.attempts).toBe(1);
      }
      expect((await tenant.ledger()).length).toBe(ids.length);
    } finally {
      await again.close();
    }
  });
});
