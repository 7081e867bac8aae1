import { expect, test } from 'vitest';
import { ApiProblem } from '#core/errors';
import type { CallbackId } from '#core/ids';
import { type Database, StorageUnavailable } from '#database/database';
import { testRuntime } from '#testing/test-runtime';
import { failCallback } from './fail-callback.ts';

/** @returns how often a failure with this error is counted against the callback */
async function counted(error: unknown): Promise<number> {
  let count = 0;
  const run = async () => {
    count += 1;
    return { rows: [{ attempts: 1 }], rowCount: 1 };
  };
  await failCallback(testRuntime(), { run } as unknown as Database, 'c1' as CallbackId, error);
  return count;
}

const ofDatabase = (code: string) => Object.assign(new Error('The database refused it.'), { code });

test.each([
  ['a lock that was waited for in vain', ofDatabase('55P03')],
  ['a queue that is full', new ApiProblem('overloaded')],
  ['a database that is away', new StorageUnavailable('Away.', { cause: new Error('ECONNRESET') })],
])('a callback is never put aside for %s', async (_what, error) => {
  expect(await counted(error)).toBe(0);
});

test('a failure that is its own fault counts against a callback', async () => {
  expect(await counted(ofDatabase('22021'))).toBe(1);
});
