import { expect, test } from 'vitest';
import { challengeUrl, networkBody } from './network-callback.ts';

test('a body has the bytes of the network: compact, and in ASCII alone', () => {
  const value = { text: 'café 😀 \u007f', url: 'https://a/b' };
  const body = networkBody({ id: '1', time: 2 }, { value, field: 'messages' });
  expect(body).toBe(
    '{"object":"whatsapp_business_account","entry":[{"id":"1","time":2,"changes":[{"value":{"text":"caf\\u00e9 \\ud83d\\ude00 \\u007f","url":"https://a/b"},"field":"messages"}]}]}',
  );
  expect(JSON.parse(body).entry[0].changes[0].value).toEqual(value);
});

test('a challenge keeps the query of the address', () => {
  const url = challengeUrl('https://shop.example/hook?shop=7', { challenge: '42', verifyToken: 'a b&c' });
  expect(new URL(url).searchParams.get('hub.verify_token')).toBe('a b&c');
  expect(url).toMatch(
    /^https:\/\/shop\.example\/hook\?shop=7&hub\.mode=subscribe&hub\.challenge=42&hub\.verify_token=/,
  );
});
