import { describe, expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { MediaSource } from '#messages/domain/media-lookup';
import type { ClaimedMessage } from '#messages/store/send-queue';
import { evaluateUnsendable } from './decide-outcome.ts';
import { outgoingContent } from './outgoing-content.ts';

const mediaId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const message: ClaimedMessage = {
  tenantId: 't' as TenantId,
  phoneNumberId: '200' as PhoneNumberId,
  messageId: 'm' as MessageId,
  epoch: 1,
  attempt: 1,
  dueMs: 0,
  expiresMs: 1_000_000,
  to: '447700900123',
  type: 'image',
  content: { media_id: mediaId },
  replyToNetworkId: null,
  silence: null,
  resends: 0,
};
const asked: unknown[] = [];
const source: MediaSource = {
  networkIdFor: async (...call) => {
    asked.push(call);
    return { networkId: '900' };
  },
  forget: async () => undefined,
};

describe('what is sent of a claimed message', () => {
  test('of a media is the id that the network gave it for the sending number', async () => {
    const outgoing = await outgoingContent(source, message);
    expect(outgoing).toEqual({
      kind: 'ready',
      payload: { id: '900' },
      quotedNetworkId: null,
      marketing: null,
      mediaIds: [mediaId],
    });
    expect(asked).toEqual([['t', mediaId, '200']]);
  });

  test('of a text is what was stored, without a wait', () => {
    const text = { ...message, type: 'text', content: { body: 'Hi' }, replyToNetworkId: 'wamid.A' };
    expect(outgoingContent(source, text)).toEqual({
      kind: 'ready',
      payload: { body: 'Hi' },
      quotedNetworkId: 'wamid.A',
      marketing: null,
      mediaIds: [],
    });
  });

  test('of a reaction names its target itself, without a quotation', async () => {
    const reaction = { ...message, type: 'reaction', content: { message_id: mediaId, emoji: '👍' } };
    expect(await outgoingContent(source, { ...reaction, replyToNetworkId: 'wamid.A' })).toEqual({
      kind: 'ready',
      payload: { message_id: 'wamid.A', emoji: '👍' },
      quotedNetworkId: null,
      marketing: null,
      mediaIds: [],
    });
    expect(await outgoingContent(source, reaction)).toEqual({ kind: 'no_target' });
  });
});

describe('a message whose media cannot be had', () => {
  const input = { attempt: 1, nowMs: 0, expiresMs: 1_000_000, random: () => 0.5 };

  test('fails with media_unavailable and the reason', () => {
    const failure = { sentence: 'It has expired.', retryable: false };
    expect(evaluateUnsendable({ ...input, content: { kind: 'no_media', failure } }).settlement).toEqual({
      kind: 'failed',
      error: {
        code: 'media_unavailable',
        message: 'The media of the message could not be uploaded to the network. It has expired.',
        networkCode: null,
        retryable: false,
      },
    });
  });

  test('waits and is tried again when that can help, until its attempts are used up', () => {
    const failure = { sentence: 'The network is down.', retryable: true };
    const again = evaluateUnsendable({ ...input, content: { kind: 'no_media', failure } });
    expect(again.settlement).toMatchObject({ kind: 'again', possibleDuplicate: false, uncounted: false });
    const last = evaluateUnsendable({ ...input, attempt: 1000, content: { kind: 'no_media', failure } });
    expect(last.settlement).toMatchObject({ kind: 'failed', error: { retryable: true } });
  });

  test('of a template over the Marketing Messages API is the template, and its options beside it', async () => {
    const options = { product_policy: 'strict' };
    const content = { name: 'spring', language: 'en', marketing_messages: options };
    expect(await outgoingContent(source, { ...message, type: 'template', content })).toEqual({
      kind: 'ready',
      payload: { name: 'spring', language: { code: 'en' } },
      quotedNetworkId: null,
      marketing: options,
      mediaIds: [],
    });
  });
});
