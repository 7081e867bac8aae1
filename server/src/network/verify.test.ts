import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAppSecrets } from '#core/app-secrets';
import { verifyNetworkSignature } from './verify.ts';

const sign = (secret: string, body: Buffer) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const secret = fc.string({ minLength: 1, maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

describe('P7: the signature of a callback', () => {
  test('fits its bytes and its secret', () => {
    fc.assert(fc.property(secret, bytes, (key, body) => verifyNetworkSignature([key], body, sign(key, body))));
  });

  test('fits no body in which a bit is another, and no other secret', () => {
    fc.assert(
      fc.property(secret, secret, bytes, fc.nat(), (key, other, body, place) => {
        const signature = sign(key, body);
        if (other !== key) expect(verifyNetworkSignature([other], body, signature)).toBe(false);
        if (body.length === 0) return;
        const changed = Buffer.from(body);
        const at = place % body.length;
        changed[at] = (changed[at] ?? 0) ^ (1 << (place % 8));
        expect(verifyNetworkSignature([key], changed, signature)).toBe(false);
      }),
    );
  });

  test('is refused for any other text, however similar', () => {
    const body = Buffer.from('{"a":1}');
    const right = sign('key', body);
    const close = fc
      .tuple(fc.nat({ max: right.length - 1 }), fc.string({ maxLength: 2, unit: 'binary' }))
      .map(([at, put]) => right.slice(0, at) + put + right.slice(at + 1));
    const any = fc.oneof(close, fc.string({ unit: 'binary' }), fc.constant(undefined));
    fc.assert(fc.property(any, (header) => verifyNetworkSignature(['key'], body, header) === (header === right)));
  });

  test('is over the bytes as they came: the same JSON with other escapes is another body', () => {
    const escaped = Buffer.from('{"text":{"body":"H\\u00e9llo \\/ \\ud83d\\ude00"}}');
    const plain = Buffer.from(JSON.stringify(JSON.parse(escaped.toString())));
    expect(JSON.parse(plain.toString())).toEqual(JSON.parse(escaped.toString()));
    expect(verifyNetworkSignature(['key'], escaped, sign('key', escaped))).toBe(true);
    expect(verifyNetworkSignature(['key'], plain, sign('key', escaped))).toBe(false);
  });

  test('may be by either secret while the secret of the app is changed, and by the old one no more afterwards', () => {
    const body = Buffer.from('{}');
    const both = readAppSecrets('new-secret, old-secret');
    expect(both).toEqual(['new-secret', 'old-secret']);
    for (const key of both) expect(verifyNetworkSignature(both, body, sign(key, body))).toBe(true);
    expect(verifyNetworkSignature(both, body, sign('new-secret, old-secret', body))).toBe(false);
    expect(verifyNetworkSignature(readAppSecrets('new-secret'), body, sign('old-secret', body))).toBe(false);
  });

  test('is never by an empty secret beside a real one', () => {
    expect(readAppSecrets('one,,')).toEqual(['one']);
  });
});
