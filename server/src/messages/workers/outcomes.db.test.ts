import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requeueDeadLetters } from '#messages/actions/requeue-dead-letters';
import { listDeadLetters } from '#messages/store/dead-letters';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0, config: { unknownWaitS: 1 } });
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());
beforeEach(() => kit.simulate('PUT', '/_sim/chaos', {}));

/** The recipient of the simulator that behaves in its own fixed way. */
const magic = (number: number) => `9990000${String(number).padStart(4, '0')}`;

function chaosOnSend(rule: object) {
  return kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, ...rule }] } });
}

/** Sets the delays after which the network reports each status. */
function reportAfter([sentMs, deliveredMs, readMs]: readonly number[]) {
  return kit.simulate('PUT', '/_sim/config', { sent_ms: sentMs, delivered_ms: deliveredMs, read_ms: readMs });
}

async function deadLetters(owner: TestTenant) {
  return listDeadLetters(kit.service.db, owner.tenantId, 100);
}

describe('a message to a customer', () => {
  test('moves from queued over sent and delivered to read, and is sent once', async () => {
    const to = freshPhone();
    // Each status comes when what is before it is stored.
    const minutes = (count: number) => count * 60_000;
    await reportAfter([1, 2, 3].map(minutes));
    const id = await tenant.send(to, { body: 'Good day' });
    for (const event of ['sent', 'status_sent', 'status_delivered']) {
      await kit.until(
        () => tenant.events(id),
        (events) => events.includes(event),
        event,
      );
      await kit.simulate('POST', '/_sim/clock', { advance_ms: minutes(1) });
    }
    const message = await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
    await reportAfter([5, 10, 15]);
    expect(message).toMatchObject({
      status: 'sent',
      delivery: { attempts: 1, error: null, pricing: { billable: false } },
    });
    const [entry, ...more] = await tenant.ledger(to);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ id: message.delivery.network_message_id, to, type: 'text' });
    expect(entry.biz_opaque_callback_data).toMatch(new RegExp(`^${id}\\.1\\.`));
    expect(entry.request).toMatchObject({ to: `+${to}`, text: { body: 'Good day' } });
    expect(await tenant.events(id)).toEqual(['accepted', 'sent', 'status_sent', 'status_delivered', 'status_read']);
  });

  test('answers the message it replies to by the network id of that message', async () => {
    const to = freshPhone();
    const first = await tenant.send(to);
    const { delivery } = await tenant.untilMessage(first, (m) => m.status === 'sent', 'the first is sent');
    const second = await tenant.send(to, { reply_to: first });
    await tenant.untilMessage(second, (m) => m.status === 'sent', 'the reply is sent');
    const [, entry] = await tenant.ledger(to);
    expect(entry.request.context).toEqual({ message_id: delivery.network_message_id });
  });

  test('leaves in the order in which it was posted, for 30 to one recipient', async () => {
    const to = freshPhone();
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) ids.push(await tenant.send(to));
    const entries = await kit.until(
      () => tenant.ledger(to),
      (list) => list.length === 30,
      '30 are sent',
    );
    expect(entries.map((entry) => entry.biz_opaque_callback_data.split('.')[0])).toEqual(ids);
  });
});

describe('what the network reports later', () => {
  test.each([
    [3, 131026],
    [4, 131047],
  ])('fails a message that it had taken (recipient %i, code %i)', async (number, code) => {
    const id = await tenant.send(magic(number));
    const message = await tenant.untilMessage(id, (m) => m.status === 'failed', 'it failed');
    expect(message.delivery).toMatchObject({ state: 'failed', attempts: 1, error: { network_code: code } });
    expect((await deadLetters(tenant)).map((letter) => letter.messageId)).toContain(id);
  });

  test('ends as read in any order and repetition of the statuses (recipient 8)', async () => {
    const id = await tenant.send(magic(8));
    const message = await tenant.untilMessage(
      id,
      (m) => m.delivery.delivered_at !== null && m.delivery.sent_at !== null,
      'all came',
    );
    expect(message).toMatchObject({ status: 'sent', delivery: { state: 'read' } });
  });

  test('may come before the answer to the send (recipient 9)', async () => {
    const id = await tenant.send(magic(9));
    const message = await tenant.untilMessage(
      id,
      (m) => m.delivery.state === 'read' && m.delivery.accepted_at !== null,
      'it is read',
    );
    expect(message).toMatchObject({ status: 'sent', delivery: { attempts: 1, error: null } });
    expect((await tenant.ledger(magic(9))).length).toBe(1);
  });
});

describe('a refusal that passes', () => {
  test.each([
    ['for the speed of the number, three times (recipient 7)', 7, 4, 130429],
    ['for a fault of the network, twice (recipient 11)', 11, 3, 131016],
  ])('%s: sent in the end, with every attempt in the trace', async (_label, number, attempts, code) => {
    const own = await makeTestTenant(kit);
    const id = await own.send(magic(number));
    const message = await own.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
    expect(message.delivery).toMatchObject({ attempts, error: null });
    const trace = (await own.call('GET', `/v1/messages/${id}/trace`)).body.data;
    const retries = trace.filter((entry: { event: string }) => entry.event === 'retry');
    expect(retries.map((entry: { data: object }) => entry.data)).toMatchObject(
      Array.from({ length: attempts - 1 }, (_, index) => ({ attempt: index + 1, network_code: code })),
    );
    expect((await own.ledger()).length).toBe(1);
  });

  test('for this recipient (recipient 6) delays no other recipient', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    const held = await own.send(magic(6));
    await kit.until(
      () => own.events(held),
      (events) => events.includes('retry'),
      'the network refused the pair',
    );
    const others = await Promise.all(Array.from({ length: 5 }, () => own.send(freshPhone())));
    for (const id of others) await own.untilMessage(id, (m) => m.status === 'sent', 'another recipient is served');
    expect((await own.message(held)).status).toBe('queued');
    // The network refuses for half a minute; its clock is moved, ours only waits for the next attempt.
    await kit.simulate('POST', '/_sim/clock', { advance_ms: 31_000 });
    const message = await own.untilMessage(held, (m) => m.status === 'sent', 'the held one is sent');
    expect(message.delivery.attempts).toBe(2);
  });
});

describe('a refusal that stays', () => {
  test('fails the message at the first attempt, with the reason of the network', async () => {
    await chaosOnSend({ fault: 'error', code: 131009 });
    const id = await tenant.send(freshPhone());
    const message = await tenant.untilMessage(id, (m) => m.status === 'failed', 'it failed');
    expect(message.delivery).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: { network_code: 131009, retryable: false },
    });
    expect(await tenant.ledger(message.to)).toEqual([]);
  });

  test('ends in attempts_exhausted when the attempts are used up', async () => {
    await chaosOnSend({ fault: 'error', code: 1 });
    const id = await tenant.send(freshPhone());
    const message = await tenant.untilMessage(id, (m) => m.status === 'failed', 'it failed');
    expect(message.delivery).toMatchObject({
      attempts: 2,
      error: { code: 'attempts_exhausted', network_code: 1, retryable: true },
    });
    expect(await deadLetters(tenant)).toContainEqual(
      expect.objectContaining({ messageId: id, code: 'attempts_exhausted' }),
    );
  });

  test('is over after a requeue: the dead letter is sent, with its attempts going on', async () => {
    await chaosOnSend({ fault: 'error', code: 131009 });
    const to = freshPhone();
    const id = await tenant.send(to);
    await tenant.untilMessage(id, (m) => m.status === 'failed', 'it failed');
    await kit.simulate('PUT', '/_sim/chaos', {});
    const letters = { tenantId: tenant.tenantId, messageIds: [id] };
    expect(await requeueDeadLetters(kit.rt, kit.service.db, letters)).toEqual([id]);
    const message = await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
    expect(message).toMatchObject({ status: 'sent', delivery: { attempts: 2, error: null, failed_at: null } });
    expect((await tenant.ledger(to)).length).toBe(1);
    expect((await deadLetters(tenant)).map((letter) => letter.messageId)).not.toContain(id);
    expect(await requeueDeadLetters(kit.rt, kit.service.db, letters)).toEqual([]);
    const entries = (await tenant.call('GET', '/v1/audit-log?action=messages.requeued')).body.data;
    expect(entries.map((entry: { details: object }) => entry.details)).toEqual([{ messages: 1 }]);
  });
});
