import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { unwrapWebhook, WebhookSignatureError } from './index.ts';

/* Signed by another implementation of Standard Webhooks. */

const NOW = new Date('2030-01-01T09:00:00.000Z');
const nowMs = NOW.getTime();
const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`;
const [CURRENT, OLD, OTHER] = [secretOf('current'), secretOf('old'), secretOf('other')];
const BODY = JSON.stringify({ id: 'evt', type: 'message.received', data: { body: 'Grüße 👋' } });

const sign = (secret: string, at: Date = NOW) => new Webhook(secret).sign('evt', at, BODY);
const headersOf = (...signatures: readonly string[]) => ({
  'webhook-id': 'evt',
  'webhook-timestamp': String(nowMs / 1000),
  'webhook-signature': signatures.join(' '),
});
const signed = headersOf(sign(CURRENT));

describe('a webhook', () => {
  test.each([
    ['text', BODY],
    ['bytes', new TextEncoder().encode(BODY)],
    ['a buffer', new TextEncoder().encode(BODY).buffer],
  ])('is unwrapped from %s', async (_name, body) => {
    const event = await unwrapWebhook(body, signed, CURRENT, { nowMs });
    expect(event).toEqual(JSON.parse(BODY));
  });

  test.each([
    ['Headers', new Headers(signed)],
    ['headers of a Node server', signed],
    [
      'names in capitals',
      {
        'Webhook-Id': 'evt',
        'Webhook-Timestamp': signed['webhook-timestamp'],
        'Webhook-Signature': signed['webhook-signature'],
      },
    ],
  ])('is unwrapped with %s', async (_name, headers) => {
    expect(await unwrapWebhook(BODY, headers, CURRENT, { nowMs })).toMatchObject({ id: 'evt' });
  });

  test('is trusted while its secret is rotated: two signatures, and two secrets of the receiver', async () => {
    const both = headersOf(sign(OLD), sign(CURRENT));
    for (const secrets of [OLD, CURRENT, [OTHER, CURRENT]]) {
      expect(await unwrapWebhook(BODY, both, secrets, { nowMs })).toMatchObject({ id: 'evt' });
    }
    expect(await unwrapWebhook(BODY, headersOf(sign(OLD)), [CURRENT, OLD], { nowMs })).toMatchObject({ id: 'evt' });
  });

  test.each([
    ['another secret signed it', BODY, headersOf(sign(OTHER)), 0],
    ['its body was changed', BODY.replace('evt', 'eve'), signed, 0],
    ['its ID was changed', BODY, { ...signed, 'webhook-id': 'eve' }, 0],
    ['its time was changed', BODY, { ...signed, 'webhook-timestamp': String(nowMs / 1000 + 1) }, 0],
    ['it is old', BODY, signed, 301_000],
    ['it is from the future', BODY, signed, -301_000],
    ['its time is no number', BODY, { ...signed, 'webhook-timestamp': 'now' }, 0],
    ['it has no signature', BODY, { ...signed, 'webhook-signature': undefined }, 0],
    ['its signature is of another version', BODY, headersOf(sign(CURRENT).replace('v1,', 'v2,')), 0],
    ['its signature is no base64', BODY, headersOf('v1,%%%'), 0],
    ['its signature is short', BODY, headersOf(sign(CURRENT).slice(0, 20)), 0],
  ])('is refused when %s', async (_name, body, headers, laterMs) => {
    const unwrapped = unwrapWebhook(body, headers, [CURRENT, OLD], { nowMs: nowMs + laterMs });
    await expect(unwrapped).rejects.toBeInstanceOf(WebhookSignatureError);
    await expect(unwrapped).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  test('may be older when the receiver says so', async () => {
    const options = { nowMs: nowMs + 3_600_000, toleranceS: 3_600 };
    expect(await unwrapWebhook(BODY, signed, CURRENT, options)).toMatchObject({ id: 'evt' });
  });

  test('cannot be checked with something that is no secret', async () => {
    await expect(unwrapWebhook(BODY, signed, 'whsec_???', { nowMs })).rejects.toThrow(/begins with whsec_/);
  });
});
