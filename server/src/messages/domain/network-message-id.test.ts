import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MessageId } from '#core/ids';
import { customerIn, isNetworkMessageId, readSurrogate, surrogateId } from './network-message-id.ts';

const OF_THE_NETWORK = 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBIwQTFCMkMzRDRFNUY2MDcxODIA';

test('a surrogate looks like an id of the network and is read as the id of its message', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const id = surrogateId(uuid as MessageId);
      expect(id).toMatch(/^wamid\.[A-Za-z0-9_-]{22}$/);
      expect([readSurrogate(id), isNetworkMessageId(id)]).toEqual([uuid, false]);
    }),
  );
});

test('a message has one surrogate: another spelling of the same bytes is none', () => {
  const id = surrogateId('0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' as MessageId);
  const last = id.at(-1) ?? '';
  for (const other of [
    `${id}==`,
    `${id.slice(0, -1)}${String.fromCharCode(last.charCodeAt(0) + 1)}`,
    `${id}A`,
    id.slice(6),
  ]) {
    expect([other, readSurrogate(other)]).toEqual([other, null]);
  }
});

test('an id of the network is not taken for a surrogate, and says whom its message is with', () => {
  expect([readSurrogate(OF_THE_NETWORK), isNetworkMessageId(OF_THE_NETWORK)]).toEqual([null, true]);
  expect(customerIn(OF_THE_NETWORK)).toBe('15550002222');
});

test('whatever follows the prefix, nothing but digits of a number is read from it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (rest) => {
      expect(customerIn(`wamid.${rest}`) ?? '1234567').toMatch(/^[0-9]{7,15}$/);
      expect(readSurrogate(`wamid.${rest}`) ?? '00000000-0000-7000-8000-000000000000').toMatch(/^[0-9a-f-]{36}$/);
    }),
  );
});
