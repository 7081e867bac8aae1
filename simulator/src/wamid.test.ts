import { expect, test } from 'vitest';
import { WamidMaker } from './wamid.ts';

const decoded = (wamid: string): Buffer => Buffer.from(wamid.slice('wamid.'.length), 'base64');

test('an outbound id holds the peer, the direction and 18 upper-case hexadecimal digits', () => {
  const bytes = decoded(new WamidMaker((pool) => void pool.fill(0xab)).outbound('15550002222'));
  expect(bytes.toString('latin1')).toBe('\x1c\x18\x0b15550002222\x15\x02\x00\x11\x18\x12ABABABABABABABABAB\x00');
});

test('an inbound id begins with 3A and has 20 digits', () => {
  const bytes = decoded(new WamidMaker((pool) => void pool.fill(0x01)).inbound('15550002222'));
  expect(bytes.toString('latin1')).toBe('\x1c\x18\x0b15550002222\x15\x02\x00\x12\x18\x143A010101010101010101\x00');
});

test('ids never repeat, also when the pool of randomness is refilled', () => {
  const ids = new WamidMaker();
  const made = new Set(Array.from({ length: 20_000 }, () => ids.outbound('15550002222')));
  expect(made.size).toBe(20_000);
});
