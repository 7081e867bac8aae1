import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddressLimits } from './address-limits.ts';

const RATE = { perSecond: 5, burst: 20 };

test('an address fails at most burst + rate x time, however others fail', () => {
  const failure = fc.record({
    address: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1'),
    afterMs: fc.nat(500),
  });
  fc.assert(
    fc.property(fc.array(failure, { maxLength: 200 }), (failures) => {
      const limits = new AddressLimits(RATE);
      const passed = new Map<string, number>();
      let nowMs = 0;
      for (const { address, afterMs } of failures) {
        nowMs += afterMs;
        if (limits.count(address, nowMs) === 0) passed.set(address, (passed.get(address) ?? 0) + 1);
        expect(passed.get(address) ?? 0).toBeLessThanOrEqual(RATE.burst + (RATE.perSecond * nowMs) / 1000 + 1e-6);
      }
    }),
  );
});

test('spellings of one address, and all addresses of one IPv6 network, are one caller', () => {
  const limits = new AddressLimits({ perSecond: 1, burst: 2 });
  const waits = (...addresses: string[]) => addresses.map((address) => limits.count(address, 0) > 0);
  expect(waits('192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201')).toEqual([false, false, true]);
  expect(waits('2001:db8::1', '2001:db8:0:0:ffff::2', '2001:DB8::3', '2001:db8:0:1::1')).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
