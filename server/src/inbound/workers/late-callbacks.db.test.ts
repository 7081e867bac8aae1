import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { type Clock, systemClock } from '#runtime/clock';
import { callbackBody, correlationTokenOf, inboundText, ingest, statusItem } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const DAY_MS = 24 * 60 * 60_000;

let shiftMs = 0;
const clock: Clock = {
  now: () => systemClock.now() + shiftMs,
  monotonic: () => systemClock.monotonic() + shiftMs,
  after: systemClock.after,
};
let kit: TestService;
/** A tenant that would rather lose a message than send it twice. */
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock, config: { unknownWaitS: 1 } });
  tenant = await makeTestTenant(kit, { ratePerSecond: 0, unknownResends: 0 });
});
afterAll(() => kit.close());

const LOST = [{ probability: 1, fault: 'lost' }];
const chaos = (send: readonly object[]) => kit.simulate('PUT', '/_sim/chaos', { steps: { send, status: LOST } });
const secondsOf = (ms: number): string => String(Math.floor(ms / 1000));
const isoOf = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString();

test('callbacks that come three days late record what happened, and when, of what was sent, given up and written', async () => {
  await chaos([]);
  const silent = await tenant.send(freshPhone());
  const { delivery } = await tenant.untilMessage(silent, (m) => m.status === 'sent', 'it is sent');
  await chaos([{ probability: 1, fault: 'accept_then_drop' }]);
  const phone = freshPhone();
  const givenUp = await tenant.send(phone);
  await tenant.untilMessage(givenUp, (m) => m.status === 'failed', 'it is given up');
  const [entry] = await tenant.ledger(phone);
  const sentAt = secondsOf(clock.now());

  shiftMs = 3 * DAY_MS;
  await removeOldRows(kit.rt, kit.service.db);
  const { tenantId, phoneNumberId } = tenant;
  const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId: silent, attempt: 1 });
  const then = { timestamp: sentAt };
  const statuses = [
    ...['sent', 'delivered', 'read'].map((status) => statusItem(delivery.network_message_id, status, token, then)),
    statusItem(entry.id, 'delivered', entry.biz_opaque_callback_data, then),
  ];
  const customer = freshPhone();
  const messages = [inboundText('wamid.late', customer, then)];
  await ingest(kit, callbackBody({ phoneNumberId, statuses }), callbackBody({ phoneNumberId, messages }));

  const times = { sent_at: isoOf(sentAt), delivered_at: isoOf(sentAt), read_at: isoOf(sentAt) };
  expect(await tenant.message(silent)).toMatchObject({ status: 'sent', delivery: { state: 'read', ...times } });
  expect(await tenant.message(givenUp)).toMatchObject({
    status: 'sent',
    delivery: { state: 'delivered', error: null },
  });
  const { body } = await tenant.call('GET', `/v1/messages/inbound?from=${customer}`);
  expect(body.data).toMatchObject([{ created_at: expect.any(String) }]);
  const conversation = await tenant.call('GET', `/v1/conversations/${body.data[0].conversation_id}`);
  expect(conversation.body.window).toMatchObject({ state: 'closed' });
});
