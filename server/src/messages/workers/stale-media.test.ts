import { expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Settler } from '#messages/actions/dispatch-messages';
import { correlationSecret } from '#messages/domain/correlation-token';
import type { MediaSource } from '#messages/domain/media-lookup';
import type { ClaimedMessage } from '#messages/store/send-queue';
import type { SettleRow } from '#messages/store/settle-batch';
import { classifyAnswer } from '#network/classify';
import { Slots } from '#queue/slots';
import { sharedToken } from '#testing/shared-token';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeSender } from './sender.ts';

const mediaId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const message: ClaimedMessage = {
  tenantId: 't' as TenantId,
  phoneNumberId: '200' as PhoneNumberId,
  messageId: 'm' as MessageId,
  epoch: 1,
  attempt: 1,
  dueMs: 0,
  expiresMs: Number.MAX_SAFE_INTEGER,
  to: '447700900123',
  type: 'image',
  content: { media_id: mediaId },
  replyToNetworkId: null,
  silence: null,
  resends: 0,
};

/** Sends once to a network that refuses with this code. */
async function refusedWith(code: number, claimed: ClaimedMessage) {
  const forgotten: string[] = [];
  const settled: SettleRow[] = [];
  const media: MediaSource = {
    networkIdFor: async () => ({ networkId: '900' }),
    forget: async (_tenantId, id) => void forgotten.push(id),
  };
  const settler: Settler = {
    sent: async () => undefined,
    other: async (row) => void settled.push(row),
    drain: async () => undefined,
  };
  const send = makeSender({
    rt: testRuntime({}, new TestClock()),
    network: {
      send: async () => classifyAnswer(400, JSON.stringify({ error: { code } }), undefined),
      markRead: async () => ({ kind: 'done' }),
      close: async () => undefined,
    },
    media,
    settler,
    correlationSecret: correlationSecret('key'),
    slots: new Slots(1, new TestClock()),
    holds: () => true,
    isPaused: () => false,
    accountOf: () => null,
    tokens: sharedToken,
    onLesson: () => undefined,
    onAnswered: () => undefined,
    mayLeave: () => true,
    downMs: () => 0,
  });
  await send(claimed, false);
  return { forgotten, settlement: settled[0]?.settlement };
}

test('media that the network may have forgotten are uploaded again, and the message is sent once more', async () => {
  const { forgotten, settlement } = await refusedWith(100, message);
  expect(forgotten).toEqual([mediaId]);
  expect(settlement).toMatchObject({ kind: 'again', uncounted: false, possibleDuplicate: false });
});

test.each([
  ['a second attempt', 100, { ...message, attempt: 2 }],
  ['a message without media of ours', 100, { ...message, content: { link: 'https://a.example/b.png' } }],
  ['another refusal', 131026, message],
])('%s fails as the network said', async (_label, code, claimed) => {
  const { forgotten, settlement } = await refusedWith(code, claimed);
  expect([forgotten, settlement?.kind]).toEqual([[], 'failed']);
});
