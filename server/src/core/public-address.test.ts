import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callerNetwork, holdNetwork, isInNetworks, parseNetwork, parseNetworks } from './public-address.ts';

const v4 = fc.ipV4();
const v4Network = fc.tuple(v4, fc.integer({ min: 0, max: 32 })).map(([address, prefix]) => `${address}/${prefix}`);

describe('a list of networks', () => {
  test('holds a network exactly when it holds its first and its last address', () => {
    fc.assert(
      fc.property(v4Network, v4Network, (outer, inner) => {
        const networks = parseNetworks(outer);
        const network = parseNetwork(inner);
        if (network === null) throw new Error('The generator makes networks.');
        const rest = BigInt(32 - network.prefix);
        const first = (bitsOf(network.address.address) >> rest) << rest;
        const last = first + (1n << rest) - 1n;
        const holdsBoth = [first, last].every((bits) => isInNetworks(networks, dotted(bits)));
        expect(holdNetwork(networks, network)).toBe(holdsBoth);
      }),
    );
  });

  test('is read with spaces and empty entries, and refused with the entry that is none', () => {
    expect(parseNetworks(' 10.0.0.0/8 ,, ::1 ')).toHaveLength(2);
    expect(parseNetworks('')).toEqual([]);
    for (const wrong of ['10.0.0.0/33', '10.0.0', 'office', '10.0.0.0/8/9', '::1/129'])
      expect(() => parseNetworks(`10.0.0.0/8,${wrong}`)).toThrow(`"${wrong}" is not an address or a network`);
  });

  test('of one version holds nothing of the other', () => {
    expect(isInNetworks(parseNetworks('0.0.0.0/0'), '2001:db8::1')).toBe(false);
    expect(isInNetworks(parseNetworks('::/0'), '198.51.100.1')).toBe(false);
  });
});

test('a caller is its IPv4 address in any spelling, or its IPv6 network of 64 bits', () => {
  fc.assert(
    fc.property(v4, (address) => {
      expect(callerNetwork(`::ffff:${address}`)).toBe(callerNetwork(address));
    }),
  );
  expect(callerNetwork('2001:db8::1')).toBe(callerNetwork('2001:DB8::ffff:ffff:ffff:ffff'));
  expect(callerNetwork('2001:db8::1')).not.toBe(callerNetwork('2001:db8:0:1::1'));
  expect(callerNetwork('::1')).toBe(callerNetwork('0:0:0:0:ff::'));
  expect(callerNetwork('1:2:3:4::')).toBe(callerNetwork('1:2:3:4:5:6:7:8'));
  expect([callerNetwork('unknown'), callerNetwork('')]).toEqual([null, null]);
});

function bitsOf(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function dotted(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
}
