import { expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { correlationSecret } from '#messages/domain/correlation-token';
import type { ClaimedMessage } from '#messages/store/send-queue';
import type { SettleRow } from '#messages/store/settle-batch';
import { Slots } from '#queue/slots';
import { sharedToken } from '#testing/shared-token';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeSender } from './sender.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const VALID_MS = 60_000;

const message: ClaimedMessage = {
  tenantId: '0190a000-0000-7000-8000-000000000001' as TenantId,
  phoneNumberId: '100' as PhoneNumberId,
  messageId: '0190a000-0000-7000-8000-000000000003' as MessageId,
  epoch: 1,
  attempt: 1,
  resends: 0,
  dueMs: 0,
  expiresMs: NOW_MS + VALID_MS,
  to: '447700900123',
  type: 'text',
  content: { body: 'Hello' },
  replyToNetworkId: null,
  silence: null,
};

/** A sender whose only connection is taken. */
function busySender() {
  const clock = new TestClock(NOW_MS);
  const slots = new Slots(1, clock);
  const settled: SettleRow[] = [];
  const sent: unknown[] = [];
  const paused = new Set<PhoneNumberId>();
  const send = makeSender({
    rt: testRuntime({}, clock),
    network: {
      send: async (one) => {
        sent.push(one);
        return { kind: 'accepted', networkMessageId: 'wamid.1' };
      },
      markRead: async () => ({ kind: 'done' }),
      close: async () => undefined,
    },
    media: { networkIdFor: async () => ({ networkId: '900' }), forget: async () => undefined },
    settler: {
      sent: async () => undefined,
      other: async (row) => void settled.push(row),
      drain: async () => undefined,
    },
    correlationSecret: correlationSecret('key'),
    slots,
    holds: () => true,
    isPaused: () => paused.has(message.phoneNumberId),
    accountOf: () => null,
    tokens: sharedToken,
    onLesson: () => undefined,
    onAnswered: () => undefined,
    mayLeave: () => true,
    downMs: () => 0,
  });
  void slots.take('other', { key: 'other', tenant: 'other' });
  return { clock, slots, settled, sent, send, paused };
}

test('a message that waits for a connection when its process stops is ready again, and no attempt is counted', async () => {
  const { slots, settled, sent, send } = busySender();
  const sending = send(message, false);
  slots.close();
  await sending;
  expect(sent).toEqual([]);
  expect(settled).toMatchObject([{ attempt: 0, settlement: { kind: 'again', uncounted: true } }]);
});

test('a message whose number is paused while it waits for a connection is ready again once the number resumes', async () => {
  const { slots, settled, sent, send, paused } = busySender();
  const sending = send(message, false);
  paused.add(message.phoneNumberId);
  slots.release('other');
  await sending;
  expect(sent).toEqual([]);
  expect(settled).toMatchObject([{ attempt: 0, settlement: { kind: 'again', uncounted: true } }]);
  expect(slots.held).toBe(0);
});

test('a message whose validity ends while it waits for a connection is not sent', async () => {
  const { clock, slots, settled, sent, send } = busySender();
  const sending = send(message, false);
  clock.advance(VALID_MS);
  slots.release('other');
  await sending;
  expect(sent).toEqual([]);
  expect(settled).toMatchObject([{ settlement: { kind: 'failed', error: { code: 'expired' } } }]);
  expect(slots.held).toBe(0);
});
