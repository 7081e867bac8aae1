import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { type Delivering, Places } from './places.ts';

const TOTAL = 240;
const of = (tenant: string, host: string, failing = false): Delivering => ({
  tenantId: tenant as TenantId,
  host,
  failing,
});

/** Takes as many as it may, each at a different host. */
function takeAll(places: Places, tenant: string, failing = false): number {
  let count = 0;
  while (places.mayTake(of(tenant, `host${count}`, failing))) {
    places.take(of(tenant, `host${count}`, failing));
    count += 1;
  }
  return count;
}

test('a tenant that takes what it can leaves half of the places, and the next ones half of what is left', () => {
  const places = new Places(TOTAL);
  expect(['a', 'b', 'c', 'd'].map((tenant) => takeAll(places, tenant))).toEqual([120, 60, 30, 15]);
});

test('endpoints that fail share half of the places, so that one tenant whose endpoints hang leaves room to recover', () => {
  const places = new Places(TOTAL);
  expect([takeAll(places, 'a', true), takeAll(places, 'b', true)]).toEqual([60, 30]);
  expect(takeAll(places, 'c')).toBe(75);
});

test('a tenant has at most twenty deliveries at one host, and another tenant its own twenty', () => {
  const places = new Places(TOTAL);
  for (const tenant of ['a', 'b']) {
    for (let count = 0; count < 20; count += 1) places.take(of(tenant, 'shop.example'));
    expect(places.mayTake(of(tenant, 'shop.example'))).toBe(false);
    expect(places.mayTake(of(tenant, 'other.example'))).toBe(true);
  }
});

test('in any order of taking and releasing: never more than all, and a newcomer finds a place', () => {
  const step = fc.record({ tenant: fc.nat(8), host: fc.nat(3), failing: fc.boolean(), gives: fc.nat(4) });
  fc.assert(
    fc.property(fc.integer({ min: 32, max: 64 }), fc.array(step, { maxLength: 400 }), (total, steps) => {
      const places = new Places(total);
      const held: (() => void)[] = [];
      for (const { tenant, host, failing, gives } of steps) {
        const asker = of(`t${tenant}`, `h${host}`, failing);
        if (gives === 0) held.shift()?.();
        else if (places.mayTake(asker)) held.push(places.take(asker));
        expect(places.taken).toBe(held.length);
        expect(places.taken).toBeLessThan(total);
        expect(places.mayTake(of('newcomer', 'new.example'))).toBe(true);
      }
      for (const give of held.splice(0)) give();
      expect(places.taken).toBe(0);
      expect(takeAll(places, 'later')).toBe(Math.ceil(total / 2));
    }),
  );
});
