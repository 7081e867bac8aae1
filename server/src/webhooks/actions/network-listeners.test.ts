import { expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import { TestClock } from '#testing/test-runtime';
import { makeNetworkListeners } from './network-listeners.ts';

const [one, other] = ['one', 'other'] as unknown as readonly [TenantId, TenantId];

test('each tenant is asked for once a second, and an endpoint that was created is noticed then', async () => {
  const clock = new TestClock(0);
  const asked: unknown[] = [];
  let rows: readonly { readonly tenantId: TenantId }[] = [];
  const run = async (_: unknown, [ids]: readonly unknown[]) => {
    asked.push(ids);
    return { rows, rowCount: rows.length };
  };
  const listeners = makeNetworkListeners({ clock }, { run } as unknown as SqlRunner);
  const hears = async (...ids: readonly TenantId[]) => [...(await listeners.among(new Set(ids)))];
  expect(await hears(one)).toEqual([]);
  rows = [{ tenantId: one }];
  expect(await hears(one)).toEqual([]);
  rows = [];
  expect(await hears(one, other)).toEqual([]);
  expect(asked).toEqual([[one], [other]]);
  clock.advance(1_001);
  rows = [{ tenantId: one }];
  expect(await hears(one, other)).toEqual([one]);
  expect(asked).toHaveLength(3);
});
