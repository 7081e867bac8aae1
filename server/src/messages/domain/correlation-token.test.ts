import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correlationSecret, makeCorrelationToken, readCorrelationToken } from './correlation-token.ts';

const secret = correlationSecret('a key of the service');
const context = { tenantId: '0199a5c0-0000-7000-8000-000000000001', phoneNumberId: '700800900' };
const parts = { ...context, messageId: '0199a5c0-0000-7000-8000-00000000000a', attempt: 3 };

const anyParts = fc.record({
  tenantId: fc.uuid(),
  phoneNumberId: fc.stringMatching(/^[0-9]{1,20}$/),
  messageId: fc.uuid(),
  attempt: fc.integer({ min: 1, max: 999_999_999 }),
});

test('a token starts with the message id and the attempt in plain, and fits the 512 characters of the network', () => {
  expect(makeCorrelationToken(secret, parts)).toMatch(/^0199a5c0-0000-7000-8000-00000000000a\.3\.[\w-]{16}$/);
});

test('what was made is read back in its own context', () => {
  fc.assert(
    fc.property(anyParts, (any) => {
      expect(readCorrelationToken(secret, makeCorrelationToken(secret, any), any)).toEqual({
        messageId: any.messageId,
        attempt: any.attempt,
      });
    }),
  );
});

test('the mac is the start of the standard HMAC-SHA256, for keys shorter and longer than a block', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }), anyParts, (key, any) => {
      const signed = `v1|${any.tenantId}|${any.phoneNumberId}|${any.messageId}|${any.attempt}`;
      const standard = createHmac('sha256', key).update(signed).digest('base64url').slice(0, 16);
      expect(makeCorrelationToken(correlationSecret(key), any)).toBe(`${any.messageId}.${any.attempt}.${standard}`);
    }),
  );
});

test('a long message leaves nothing behind for the next, shorter one', () => {
  const before = makeCorrelationToken(secret, parts);
  makeCorrelationToken(secret, { ...parts, tenantId: 'x'.repeat(300) });
  expect(makeCorrelationToken(secret, parts)).toBe(before);
});

test.each([
  ['another tenant', secret, { ...context, tenantId: '0199a5c0-0000-7000-8000-000000000002' }],
  ['another number', secret, { ...context, phoneNumberId: '700800901' }],
  ['another key', correlationSecret('another key'), context],
])('a token is not accepted under %s', (_label, otherSecret, otherContext) => {
  expect(readCorrelationToken(otherSecret, makeCorrelationToken(secret, parts), otherContext)).toBeNull();
});

test('changing any one character of a token makes it invalid', () => {
  const token = makeCorrelationToken(secret, parts);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === '1' ? '2' : '1';
    expect(readCorrelationToken(secret, token.slice(0, at) + other + token.slice(at + 1), context)).toBeNull();
  }
});

test('a foreign text is never a token of ours', () => {
  const real = makeCorrelationToken(secret, parts);
  for (const foreign of [
    '',
    't=42;m=9001',
    `${real}x`,
    ` ${real}`,
    `${real}\n`,
    real.slice(0, -1),
    real.replace('.3.', '.03.'),
  ]) {
    expect(readCorrelationToken(secret, foreign, context)).toBeNull();
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readCorrelationToken(secret, text, context) === null));
});

test('ids too long to be signed whole are refused', () => {
  expect(() => makeCorrelationToken(secret, { ...parts, tenantId: 'x'.repeat(512) })).toThrow(RangeError);
});
