import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPhoneNumbers, setNumberPaused } from '#accounts/store/phone-numbers';
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

function chaosOnSend(rule: object) {
  return kit.simulate('PUT', '/_sim/chaos', { steps: { send: [{ probability: 1, ...rule }] } });
}

function pause(phoneNumberId: string, owner: TestTenant, pauseReason: string | null) {
  return setNumberPaused(kit.service.db, { tenantId: owner.tenantId, phoneNumberId, pauseReason });
}

describe('time', () => {
  test('a message with send_at waits for then, and says so', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await tenant.send(freshPhone(), { send_at: sendAt });
    const waiting = await tenant.message(id);
    expect(waiting).toMatchObject({ status: 'queued', delivery: { state: 'pending', next_attempt_at: sendAt } });
    expect(await tenant.events(id)).toContain('scheduled');
  });

  test('a message with send_at leaves then and not before', async () => {
    const to = freshPhone();
    const sendAtMs = Date.now() + 1_500;
    const id = await tenant.send(to, { send_at: new Date(sendAtMs).toISOString() });
    await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
    const [entry] = await tenant.ledger(to);
    expect(Date.parse(entry.accepted_at)).toBeGreaterThanOrEqual(sendAtMs);
  });

  test('a message that cannot leave within its validity fails as expired and is not sent', async () => {
    const own = await makeTestTenant(kit);
    await pause(own.phoneNumberId, own, 'A test.');
    const id = await own.send(freshPhone(), { ttl_s: 1 });
    const message = await own.untilMessage(id, (m) => m.status === 'failed', 'it expired');
    expect(message.delivery).toMatchObject({ attempts: 0, error: { code: 'expired' } });
    await pause(own.phoneNumberId, own, null);
    const next = await own.send(freshPhone());
    await own.untilMessage(next, (m) => m.status === 'sent', 'a later one is sent');
    expect((await own.ledger()).length).toBe(1);
  });

  test('a message whose retry lies beyond its validity fails as expired', async () => {
    await chaosOnSend({ fault: 'error', code: 131016 });
    const id = await tenant.send(freshPhone(), { ttl_s: 1 });
    const message = await tenant.untilMessage(id, (m) => m.status === 'failed', 'it expired');
    expect(message.delivery.error.code).toBe('expired');
  });
});

describe('cancelling', () => {
  test('takes back a message that waits; it is never sent', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    const to = freshPhone();
    await pause(own.phoneNumberId, own, 'A test.');
    const id = await own.send(to);
    const answer = await own.call('POST', `/v1/messages/${id}/cancel`);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'failed', delivery: { error: { code: 'canceled' } } },
    });
    const after = await own.send(to);
    await pause(own.phoneNumberId, own, null);
    await own.untilMessage(after, (m) => m.status === 'sent', 'one that was due after it is sent');
    expect((await own.ledger(to)).length).toBe(1);
    expect((await own.call('POST', `/v1/messages/${id}/cancel`)).status).toBe(409);
  });

  test('comes too late for a message that was sent', async () => {
    const id = await tenant.send(freshPhone());
    await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
    const answer = await tenant.call('POST', `/v1/messages/${id}/cancel`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await tenant.message(id)).status).toBe('sent');
  });

  test('comes too late for a message that is being sent, which continues', async () => {
    const steps = {
      send: [{ probability: 1, fault: 'delay', delay_ms: 4_000 }],
      status: [{ probability: 1, fault: 'delay', delay_ms: 5_000 }],
    };
    await kit.simulate('PUT', '/_sim/chaos', { steps });
    const id = await tenant.send(freshPhone());
    await tenant.untilMessage(id, (m) => m.status === 'sending', 'it is being sent');
    expect((await tenant.call('POST', `/v1/messages/${id}/cancel`)).status).toBe(409);
    await tenant.untilMessage(id, (m) => m.status === 'sent', 'it is sent all the same');
  });
});

describe('a paused number', () => {
  test('sends nothing, says why in the trace, and continues when it is resumed', async () => {
    const own = await makeTestTenant(kit);
    await pause(own.phoneNumberId, own, 'Holidays.');
    const id = await own.send(freshPhone());
    const trace = (await own.call('GET', `/v1/messages/${id}/trace`)).body.data;
    expect(trace.at(-1)).toMatchObject({ event: 'waiting', detail: 'Its sending number is paused: Holidays.' });
    await pause(own.phoneNumberId, own, null);
    await own.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
  });

  test('is paused by a refusal of its access, burns no attempt, and sends within seconds after a person resumed it', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    await chaosOnSend({ fault: 'error', code: 190 });
    const ids = await Promise.all(Array.from({ length: 10 }, () => own.send(freshPhone())));
    const [first = ''] = ids;
    const numbers = () => listPhoneNumbers(kit.service.db, own.tenantId);
    const [number] = await kit.until(numbers, ([one]) => one?.status === 'paused', 'the number is paused');
    expect(number?.pauseReason).toContain('The network rejected the sending number');
    await kit.simulate('PUT', '/_sim/chaos', {});
    const waiting = await own.untilMessage(first, (m) => m.status === 'queued', 'it waits');
    expect(waiting.delivery).toMatchObject({ attempts: 0, error: null });
    await pause(own.phoneNumberId, own, null);
    for (const id of ids) await own.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
    const attempts = await Promise.all(ids.map(async (id) => (await own.message(id)).delivery.attempts));
    expect(new Set(attempts)).toEqual(new Set([1]));
    expect((await own.ledger()).length).toBe(10);
    const entries = (await own.call('GET', '/v1/audit-log?actor=service')).body.data;
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual(['number.paused']);
  });

  test('stays resumed when refusals from before the resumption come late', async () => {
    const own = await makeTestTenant(kit, { ratePerSecond: 0 });
    const refusals = [
      { probability: 0.5, fault: 'delay', delay_ms: 1_000 },
      { probability: 1, fault: 'error', code: 190 },
    ];
    await kit.simulate('PUT', '/_sim/chaos', { seed: 7, steps: { send: refusals } });
    // All leave together: one that leaves after the resumption is refused for a reason that is new.
    await pause(own.phoneNumberId, own, 'A test.');
    const ids = await Promise.all(Array.from({ length: 20 }, () => own.send(freshPhone())));
    await pause(own.phoneNumberId, own, null);
    const numbers = () => listPhoneNumbers(kit.service.db, own.tenantId);
    await kit.until(numbers, ([one]) => one?.status === 'paused', 'the number is paused');
    await pause(own.phoneNumberId, own, null);
    const traces = () => Promise.all(ids.map((id) => own.events(id)));
    await kit.until(traces, (events) => events.every((of) => of.includes('waiting')), 'all sends were refused');
    await kit.simulate('PUT', '/_sim/chaos', {});
    for (const id of ids) await own.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
  });
});
