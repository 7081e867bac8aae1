import { expect, test } from 'vitest';
import { idMaker, isUuid, type TenantId } from '#core/ids';
import { eventId, sequenceOfEventId } from './event.ts';

const newId = idMaker(Date.now, Math.random);

test('an event id is a UUID version 7 that holds its time and its number', () => {
  const tenantId = newId<TenantId>();
  for (const sequence of [1, 2, 500, 2 ** 32, 2 ** 40 - 1]) {
    const id = eventId(tenantId, sequence, 1_700_000_000_123);
    expect(isUuid(id)).toBe(true);
    expect(id[14]).toBe('7');
    expect('89ab').toContain(id[19]);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_123);
    expect(sequenceOfEventId(tenantId, id)).toBe(sequence);
  }
});

test('an event id of another tenant, and any other UUID, names no event', () => {
  const id = eventId(newId<TenantId>(), 7, 1_700_000_000_000);
  expect(sequenceOfEventId('019aa000-0000-7000-8000-000000000001' as TenantId, id)).toBeNull();
  expect(sequenceOfEventId(newId<TenantId>(), newId())).toBeNull();
});
